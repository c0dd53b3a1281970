/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class PushDecoderTest {

    private final PushDecoder decoder = new PushDecoder();

    @Test
    void readsWhatIsKnownAndPassesOverTheRest() throws MalformedPushException {
        ClientReading reading =
                decoder.decode(
                        new OtlpPush()
                                .group("readers")
                                .gauge("consumer.fetch.manager.fetch.latency.avg", 12)
                                .gauge("consumer.something.new", 5)
                                .delta("consumer.fetch.manager.fetch.total", 7)
                                .bytes());

        assertThat(reading.group).isEqualTo("readers");
        assertThat(reading.gauge(Signals.source("consumer.fetch.manager.fetch.latency.avg")))
                .isEqualTo(12);
        assertThat(reading.gauge(Signals.source("consumer.fetch.manager.fetch.latency.max")))
                .isNaN();
        assertThat(reading.counters())
                .singleElement()
                .satisfies(
                        point -> {
                            assertThat(point.source)
                                    .isEqualTo(
                                            Signals.source("consumer.fetch.manager.fetch.total"));
                            assertThat(point.cumulative).isFalse();
                            assertThat(point.value).isEqualTo(7);
                        });
    }

    @Test
    void aValueOfTheWholeClientWinsOverItsParts() throws MalformedPushException {
        ClientReading reading =
                decoder.decode(
                        new OtlpPush()
                                .delta(
                                        "consumer.fetch.manager.records.consumed.total",
                                        4,
                                        "topic",
                                        "a")
                                .delta("consumer.fetch.manager.records.consumed.total", 5)
                                .delta(
                                        "consumer.fetch.manager.records.consumed.total",
                                        1,
                                        "topic",
                                        "b")
                                .gauge("producer.request.latency.avg", 3, "client_id", "x")
                                .gauge("producer.request.latency.avg", 9, "node_id", "1")
                                .bytes());

        assertThat(reading.counters())
                .singleElement()
                .satisfies(point -> assertThat(point.value).isEqualTo(5));
        assertThat(reading.gauge(Signals.source("producer.request.latency.avg"))).isEqualTo(3);
    }

    @Test
    void partsAreAveragedOrTheHighestIsTaken() throws MalformedPushException {
        ClientReading reading =
                decoder.decode(
                        new OtlpPush()
                                .gauge("producer.node.request.latency.avg", 2, "node_id", "1")
                                .gauge("producer.node.request.latency.avg", 4, "node_id", "2")
                                .gauge("producer.node.request.latency.max", 6, "node_id", "1")
                                .gauge("producer.node.request.latency.max", 5, "node_id", "2")
                                .bytes());

        assertThat(reading.gauge(Signals.source("producer.node.request.latency.avg"))).isEqualTo(3);
        assertThat(reading.gauge(Signals.source("producer.node.request.latency.max"))).isEqualTo(6);
    }

    @Test
    void valuesThatAreNoneAreLeftOut() throws MalformedPushException {
        ClientReading reading =
                decoder.decode(
                        new OtlpPush()
                                .gauge("producer.request.latency.avg", Double.NaN)
                                .gauge("producer.request.latency.max", Double.POSITIVE_INFINITY)
                                .delta("producer.request.total", -3)
                                .delta("producer.record.send.total", 1e300)
                                .bytes());

        assertThat(reading.gauge(Signals.source("producer.request.latency.avg"))).isNaN();
        assertThat(reading.gauge(Signals.source("producer.request.latency.max"))).isNaN();
        assertThat(reading.counters()).isEmpty();
    }

    @Test
    void aCutOffPushIsMalformed() {
        byte[] whole = new OtlpPush().gauge("producer.request.latency.avg", 1).bytes();
        byte[] cut = Arrays.copyOf(whole, whole.length - 3);

        assertThatThrownBy(() -> decoder.decode(cut)).isInstanceOf(MalformedPushException.class);
    }

    @Property(tries = 500)
    void anyBytesAreReadOrMalformed(@ForAll @Size(max = 200) byte[] bytes) {
        try {
            assertThat(decoder.decode(bytes)).isNotNull();
        } catch (MalformedPushException refused) {
            assertThat(refused).hasMessageContaining("OTLP");
        }
    }
}
