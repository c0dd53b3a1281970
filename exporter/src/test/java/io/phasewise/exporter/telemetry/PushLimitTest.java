/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phasewise.exporter.config.ConfigLoader;
import io.phasewise.exporter.instrument.FakeJvm;
import io.phasewise.exporter.instrument.Hooks;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.utils.internals.BufferSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a broker that decompresses without a limit does with a push that grows too large. */
class PushLimitTest {

    private static final int MAX = ConfigLoader.defaults().clients().maxPushBytes;

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final List<String> errors = new ArrayList<>();
    private final Hooks hooks = new Hooks(errors::add);

    @BeforeEach
    void receive() {
        ClientPushes.start(ConfigLoader.defaults().clients(), registry, errors::add);
        new ClientMetricsReceiver();
    }

    @AfterEach
    void forget() {
        ClientPushes.forget();
    }

    @Test
    void aBombIsRefusedBeforeItUnfolds() throws Exception {
        assertThatThrownBy(() -> decompress(Old.class, CompressedZeros.gzip(64)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("clients.max-push-bytes");
        assertThat(ClientPushes.queue().counts.of(PushCounts.Result.TOO_LARGE)).isOne();
    }

    @Test
    void whatIsSmallEnoughIsDecompressedAsBefore() throws Exception {
        assertThat(decompress(Old.class, CompressedZeros.gzip(MAX >> 20)).remaining())
                .isEqualTo(MAX);
    }

    @Test
    void aKafkaWithALimitOfItsOwnIsLeftAlone() throws Exception {
        assertThat(bounded(New.class)).isNull();
        assertThat(hooks.isActive("push_limit")).isTrue();
        assertThat(errors).isEmpty();
    }

    @Test
    void aKafkaThatIsNotKnownIsNotTouched() throws Exception {
        assertThat(bounded(Unknown.class)).isNull();
        assertThat(hooks.isActive("push_limit")).isFalse();
        assertThat(errors)
                .singleElement()
                .asString()
                .startsWith("what clients push is decompressed without a limit")
                .contains("calls wrapForInput 0 times");
    }

    /** Null where the class is left as it is. */
    private byte[] bounded(Class<?> kafka) throws IOException {
        hooks.install(
                new FakeJvm().instrumentation(), List.of(ClientPushes.pushLimit(kafka.getName())));
        return hooks.transform(
                kafka.getClassLoader(),
                kafka.getName().replace('.', '/'),
                null,
                null,
                classFile(kafka));
    }

    private ByteBuffer decompress(Class<?> kafka, byte[] compressed) throws Exception {
        byte[] bounded = bounded(kafka);
        Class<?> loaded =
                new ClassLoader(PushLimitTest.class.getClassLoader()) {
                    Class<?> define() {
                        return defineClass(kafka.getName(), bounded, 0, bounded.length);
                    }
                }.define();
        try {
            return (ByteBuffer)
                    loaded.getMethod("decompress", ByteBuffer.class, CompressionType.class)
                            .invoke(null, ByteBuffer.wrap(compressed), CompressionType.GZIP);
        } catch (InvocationTargetException e) {
            throw (Exception) e.getCause();
        }
    }

    private static byte[] classFile(Class<?> type) throws IOException {
        String file = "/" + type.getName().replace('.', '/') + ".class";
        try (InputStream in = type.getResourceAsStream(file)) {
            return in.readAllBytes();
        }
    }

    /** As Kafka 4.1 does it. */
    public static final class Old {
        private Old() {}

        public static ByteBuffer decompress(ByteBuffer metrics, CompressionType type)
                throws IOException {
            Compression compression = Compression.of(type).build();
            try (InputStream in =
                    compression.wrapForInput(metrics, (byte) 2, BufferSupplier.create())) {
                return ByteBuffer.wrap(in.readAllBytes());
            }
        }
    }

    /** As Kafka 4.4 does it. */
    public static final class New {
        private New() {}

        public static ByteBuffer decompress(ByteBuffer metrics, CompressionType type, int most)
                throws IOException {
            try (InputStream in =
                    Compression.of(type)
                            .build()
                            .wrapForInput(metrics, (byte) 2, BufferSupplier.create())) {
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
