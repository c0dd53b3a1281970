/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
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

    private static final int MAX = ClientSettings.defaults().maxPushBytes();

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final List<String> errors = new ArrayList<>();

    @BeforeEach
    void receive() {
        ClientTelemetryPart.install(nothing(), ClientSettings.defaults(), registry, errors::add);
        new ClientMetricsReceiver();
    }

    @AfterEach
    void forget() {
        TelemetryHook.uninstall();
    }

    @Test
    void aBombIsRefusedBeforeItUnfolds() throws Exception {
        assertThatThrownBy(() -> decompress(Old.class, CompressedZeros.gzip(64 << 20)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("clients.max-push-bytes");
        assertThat(TelemetryHook.part().queue().counts().of(PushCounts.Result.TOO_LARGE)).isOne();
    }

    @Test
    void whatIsSmallEnoughIsDecompressedAsBefore() throws Exception {
        assertThat(decompress(Old.class, CompressedZeros.gzip(MAX)).remaining()).isEqualTo(MAX);
    }

    @Test
    void aKafkaWithALimitOfItsOwnIsLeftAlone() throws Exception {
        assertThat(PushLimitTransformer.bound(classFile(New.class))).isNull();
    }

    @Test
    void aKafkaThatIsNotKnownIsNotTouched() {
        assertThatThrownBy(() -> PushLimitTransformer.bound(classFile(Unknown.class)))
                .isInstanceOf(IllegalStateException.class);
    }

    private static ByteBuffer decompress(Class<?> kafka, byte[] compressed) throws Exception {
        byte[] bounded = PushLimitTransformer.bound(classFile(kafka));
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

    private static Instrumentation nothing() {
        return (Instrumentation)
                Proxy.newProxyInstance(
                        PushLimitTest.class.getClassLoader(),
                        new Class<?>[] {Instrumentation.class},
                        (proxy, method, arguments) -> null);
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
