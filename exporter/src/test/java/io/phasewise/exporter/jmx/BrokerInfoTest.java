/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.jmx;

import static org.assertj.core.api.Assertions.assertThat;

import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Labels;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.management.MBeanServerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BrokerInfoTest {

    @TempDir
    Path directory;

    @Test
    void settingsComeFromTheFileThenFromTheOverridesElseFromKafkasDefaults() throws IOException {
        Path file = directory.resolve("server.properties");
        Files.writeString(file, "num.io.threads=16\nbroker.rack=a\nssl.keystore.password=secret\n");

        Labels labels = labels("kafka.Kafka " + file + " --override broker.rack=b");

        assertThat(labels.get("num_io_threads")).isEqualTo("16");
        assertThat(labels.get("rack")).isEqualTo("b");
        assertThat(labels.get("num_network_threads")).isEqualTo("3");
        assertThat(labels.toString()).doesNotContain("secret");
    }

    @Test
    void aReferenceToAVaultIsNotShown() throws IOException {
        Path file = directory.resolve("server.properties");
        Files.writeString(file, "broker.rack=${vault:rack}\n");

        assertThat(labels("kafka.Kafka " + file).get("rack")).isEmpty();
    }

    @Test
    void whereNothingIsKnownLabelsAreEmptyAndNothingFails() {
        for (String command : new String[] {null, "", "Other x", "kafka.Kafka /absent"}) {
            assertThat(labels(command).get("num_io_threads")).isEmpty();
        }
    }

    /** Of the type info in OpenMetrics, the OpenTelemetry Collector would drop the end of its name. */
    @Test
    void isAGaugeInEachFormat() throws IOException {
        PrometheusRegistry registry = new PrometheusRegistry();
        registry.register(new BrokerInfo(MBeanServerFactory.newMBeanServer(), null));
        ByteArrayOutputStream openMetrics = new ByteArrayOutputStream();
        ByteArrayOutputStream text = new ByteArrayOutputStream();

        OpenMetricsTextFormatWriter.create().write(openMetrics, registry.scrape());
        PrometheusTextFormatWriter.create().write(text, registry.scrape());

        assertThat(openMetrics.toString(StandardCharsets.UTF_8))
                .contains("# TYPE kafka_broker_config_info gauge", "\nkafka_broker_config_info{");
        assertThat(text.toString(StandardCharsets.UTF_8))
                .contains("# TYPE kafka_broker_config_info gauge", "\nkafka_broker_config_info{");
    }

    private static Labels labels(String command) {
        return new BrokerInfo(MBeanServerFactory.newMBeanServer(), command)
                .collect()
                .getDataPoints()
                .get(0)
                .getLabels();
    }
}
