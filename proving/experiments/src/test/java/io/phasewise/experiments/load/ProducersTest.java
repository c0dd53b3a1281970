/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProducersTest {
    private static final Load LOAD = new Load(2, 10, 100, 12, Map.of());

    /** Fails where the third of a load's producers is made. */
    public static final class OnlyTwo implements ProducerInterceptor<byte[], byte[]> {
        @Override
        public void configure(Map<String, ?> settings) {
            if (settings.get("client.id").equals("lab-load-2")) {
                throw new IllegalArgumentException("no more");
            }
        }

        @Override
        public ProducerRecord<byte[], byte[]> onSend(ProducerRecord<byte[], byte[]> sent) {
            return sent;
        }

        @Override
        public void onAcknowledgement(RecordMetadata metadata, Exception failure) {}

        @Override
        public void close() {}
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whereOneCannotBeMadeThoseBeforeItAreClosed(boolean interrupted) {
        Load ofThree = new Load(3, 10, 100, 12, Map.of());
        Map<String, Object> client =
                Map.of("bootstrap.servers", "127.0.0.1:1", "interceptor.classes", OnlyTwo.class.getName());

        if (interrupted) {
            Thread.currentThread().interrupt();
        }

        assertThatThrownBy(() -> new Producers(ofThree, "orders", client))
                .isInstanceOf(KafkaException.class)
                .hasRootCauseMessage("no more");

        assertThat(Thread.interrupted()).isEqualTo(interrupted);
        assertThat(threads()).noneMatch(name -> name.contains("lab-load"));
    }

    @Test
    void interruptedWhileItLooksForTheTopicItEndsAtOnceAndCanStillBeUndone() {
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> new Producers(LOAD, "orders", Map.of("bootstrap.servers", "127.0.0.1:1")))
                .isInstanceOf(InterruptedException.class);

        assertThat(Thread.interrupted()).as("interrupted still").isFalse();
        assertThat(threads()).noneMatch(name -> name.contains("lab-load"));
    }

    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream().map(Thread::getName).toList();
    }
}
