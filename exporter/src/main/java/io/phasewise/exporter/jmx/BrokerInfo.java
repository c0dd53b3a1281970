/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.jmx;

import io.phasewise.exporter.series.SeriesRegistry;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * The few broker settings that bear on latency, as labels of one series: from the properties file
 * and the overrides of the broker's command line. No other setting is looked at, so no secret can
 * come out. Settings that were changed after the broker started are not known here.
 */
public final class BrokerInfo implements Collector {

    private static final String MAIN = "kafka.Kafka";

    /** Kafka's own defaults, the same from 3.7 to 4.4. */
    private static final Map<String, String> SETTINGS = new TreeMap<>(Map.of(
            "num.io.threads", "8",
            "num.network.threads", "3",
            "num.replica.fetchers", "1",
            "replica.lag.time.max.ms", "30000",
            "broker.rack", ""));

    private final MBeanServer server;
    private final Map<String, String> labels;
    private volatile String version;

    /**
     * @param server has the version, once the broker runs
     * @param command {@code sun.java.command}: main class and its arguments; may be null
     */
    public BrokerInfo(MBeanServer server, String command) {
        this.server = server;
        this.labels = read(command == null ? "" : command);
    }

    private static Map<String, String> read(String command) {
        String[] words = command.trim().split("\\s+");
        Map<String, String> found = new LinkedHashMap<>();
        if (words.length < 2 || !words[0].equals(MAIN)) {
            // Another main class: how it gets its settings is not known.
            return found;
        }
        Properties file = new Properties();
        try (Reader in = Files.newBufferedReader(Path.of(words[1]))) {
            file.load(in);
        } catch (IOException | IllegalArgumentException e) {
            return found;
        }
        for (int i = 2; i + 1 < words.length; i++) {
            int equals = words[i + 1].indexOf('=');
            if (words[i].equals("--override") && equals > 0) {
                file.setProperty(words[i + 1].substring(0, equals), words[i + 1].substring(equals + 1));
            }
        }
        SETTINGS.forEach((key, byDefault) -> {
            String value = file.getProperty(key, byDefault).trim();
            // A reference to a vault or the like is resolved by the broker, not by us.
            found.put(label(key), value.contains("${") ? "" : value);
        });
        return found;
    }

    private static String label(String key) {
        return key.equals("broker.rack") ? "rack" : key.replace('.', '_');
    }

    @Override
    public MetricSnapshot collect() {
        Labels.Builder all = Labels.builder().label("version", version());
        for (String key : SETTINGS.keySet()) {
            all.label(label(key), labels.getOrDefault(label(key), ""));
        }
        // Of the type info, the OpenTelemetry Collector would cut the end of its name, by which it is joined.
        return new GaugeSnapshot(
                SeriesRegistry.gaugeMetadata("kafka_broker_config_info"),
                List.of(new GaugeDataPointSnapshot(1, all.build(), null)));
    }

    private String version() {
        if (version == null) {
            try {
                version = String.valueOf(server.getAttribute(new ObjectName("kafka.server:type=app-info"), "version"));
            } catch (JMException | RuntimeException e) {
                // Not yet: the broker registers it when it starts.
                return "";
            }
        }
        return version;
    }
}
