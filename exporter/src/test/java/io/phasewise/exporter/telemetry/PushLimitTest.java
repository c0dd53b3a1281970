/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phasewise.exporter.config.ConfigLoader;
import io.phasewise.exporter.instrument.FakeJvm;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.utils.internals.BufferSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a broker that decompresses without a limit does with a push that grows too large. */
class PushLimitTest {

    private static final ClientSettings SETTINGS = ConfigLoader.defaults().clients();
    private static final int MAX = SETTINGS.maxPushBytes;

    @AutoClose
    private FakeJvm jvm;

    @BeforeEach
    void receive() {
        ClientPushes.start(SETTINGS, new PrometheusRegistry(), error -> {});
        ClientPushes.activate();
    }

    @AfterEach
    void forget() {
        ClientPushes.forget();
    }

    @Test
    void aBombIsRefusedBeforeItUnfolds() {
        assertThatThrownBy(() -> decompress(CompressedZeros.gzip(64)))
                .cause()
                .isInstanceOf(IOException.class)
                .hasMessageContaining("clients.max-push-bytes");
        assertThat(ClientPushes.queue().pushes.labelValues("too_large").get()).isOne();
    }

    @Test
    void whatIsSmallEnoughIsDecompressedAsBefore() throws Exception {
        assertThat(decompress(CompressedZeros.gzip(MAX >> 20)).remaining()).isEqualTo(MAX);
    }

    @Test
    void aKafkaWithALimitOfItsOwnIsLeftAlone() {
        assertThat(jvm(New.class).transform(New.class)).isNull();
        assertThat(jvm.hooks().isActive("push_limit")).isTrue();
        assertThat(jvm.log()).isEmpty();
    }

    @Test
    void aKafkaThatIsNotKnownIsNotTouched() {
        assertThat(jvm(Unknown.class).transform(Unknown.class)).isNull();
        assertThat(jvm.hooks().isActive("push_limit")).isFalse();
        assertThat(jvm.log())
                .singleElement()
                .asString()
                .startsWith("what clients push is decompressed without a limit")
                .contains("calls wrapForInput 0 times");
    }

    private FakeJvm jvm(Class<?> kafka) {
        jvm = new FakeJvm(ClientPushes.pushLimit(kafka.getName()));
        return jvm;
    }

    private ByteBuffer decompress(byte[] compressed) throws Exception {
        return (ByteBuffer) jvm(Old.class)
                .load(Old.class)
                .getMethod("decompress", ByteBuffer.class, CompressionType.class)
                .invoke(null, ByteBuffer.wrap(compressed), CompressionType.GZIP);
    }

    /** As Kafka 4.1 does it. */
    public static final class Old {
        private Old() {}

        public static ByteBuffer decompress(ByteBuffer metrics, CompressionType type) throws IOException {
            Compression compression = Compression.of(type).build();
            try (InputStream in = compression.wrapForInput(metrics, (byte) 2, BufferSupplier.create())) {
                return ByteBuffer.wrap(in.readAllBytes());
            }
        }
    }

    /** As Kafka 4.4 does it. */
    public static final class New {
        private New() {}

        public static ByteBuffer decompress(ByteBuffer metrics, CompressionType type, int most) throws IOException {
            Compression compression = Compression.of(type).build();
            try (InputStream in = compression.wrapForInput(metrics, (byte) 2, BufferSupplier.create())) {
                return ByteBuffer.wrap(in.readNBytes(most));
            }
        }
    }

    /** As no Kafka does it yet. */
    public static final class Unknown {
        private Unknown() {}

        public static ByteBuffer decompress(ByteBuffer metrics, CompressionType type) {
            return metrics;
        }
    }
}
