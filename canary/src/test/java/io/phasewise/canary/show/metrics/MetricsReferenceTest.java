/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.probe.ledger.LeaderCounts;
import io.phasewise.canary.send.LaneCounts;
import io.phasewise.canary.show.status.ClusterStatus;
import io.phasewise.canary.show.status.ProfileSnapshot;
import io.phasewise.canary.show.trace.TraceMetrics;
import io.phasewise.lab.junit.ReferencePage;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Label;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricFamilyDescriptor;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The page that lists every metric of the canary: names, types, labels and help as its registry has
 * them, what to do about a high value from {@code metrics.csv}.
 */
class MetricsReferenceTest {
    private static final List<String> FIRST = List.of("cluster", "profile", "leader", "broker");
    private static final Set<String> FLAGS =
            Set.of(
                    "kafka_canary_outage_suspected",
                    "kafka_canary_paused",
                    "kafka_canary_phase_source");

    /** By name. */
    private final Map<String, Metric> metrics = new TreeMap<>();

    private record Metric(String type, Set<String> labels, String help) {}

    /** Notes what is registered. */
    private final class NotedRegistry extends PrometheusRegistry {
        @Override
        public void register(Collector collector) {
            super.register(collector);
            MetricFamilyDescriptor family = collector.getMetricFamilyDescriptor();
            boolean isNative =
                    collector instanceof Histogram histogram
                            && isNativeOnly(histogram, family.getLabelNames());
            note(
                    family.getMetadata(),
                    (isNative ? "native " : "") + family.getType().name().toLowerCase(Locale.ROOT),
                    family.getLabelNames());
        }

        private static boolean isNativeOnly(Histogram histogram, Set<String> labels) {
            histogram.initLabelValues(labels.toArray(String[]::new));
            HistogramSnapshot snapshot = histogram.collect();
            return !snapshot.getDataPoints().get(0).hasClassicHistogramData();
        }

        @Override
        public void register(MultiCollector collector) {
            super.register(collector);
            for (MetricSnapshot family : collector.collect()) {
                Set<String> labels = new TreeSet<>();
                family.getDataPoints()
                        .forEach(
                                point -> {
                                    for (Label label : point.getLabels()) {
                                        labels.add(label.getName());
                                    }
                                });
                note(
                        family.getMetadata(),
                        family instanceof CounterSnapshot ? "counter" : "gauge",
                        labels);
            }
        }

        private void note(MetricMetadata family, String type, Set<String> labels) {
            String name = family.getPrometheusName() + (type.equals("counter") ? "_total" : "");
            Set<String> ordered =
                    new TreeSet<>(
                            Comparator.comparingInt(
                                            (String label) ->
                                                    FIRST.contains(label)
                                                            ? FIRST.indexOf(label)
                                                            : FIRST.size())
                                    .thenComparing(Comparator.naturalOrder()));
            ordered.addAll(labels);
            metrics.put(name, new Metric(type, ordered, family.getHelp()));
        }
    }

    @Test
    void theReferenceHasEveryMetricOfTheCanary() throws IOException {
        PrometheusRegistry registry = new NotedRegistry();
        new CanaryMetrics(
                registry,
                List.of(0.05),
                Duration.ofMillis(20),
                () -> List.of(mirroredProfile()),
                Labels.EMPTY);
        CanaryMetrics.runQueueWait(registry, () -> 0, Labels.EMPTY);
        CanaryMetrics.reloadErrors(registry, Labels.EMPTY);
        new TraceMetrics(registry, Labels.EMPTY);
        Map<String, String> advice =
                Files.readAllLines(Path.of("src/test/resources/metrics.csv")).stream()
                        .filter(line -> !line.startsWith("#"))
                        .map(line -> line.split(";", 2))
                        .collect(
                                Collectors.toMap(
                                        cells -> cells[0],
                                        cells -> cells[1].strip(),
                                        (one, other) -> one,
                                        LinkedHashMap::new));

        StringBuilder page = new StringBuilder("# Metrics of the canary\n\n");
        page.append("Generated by `build/reference`: do not edit.\n\n");
        page.append(Files.readString(Path.of("src/test/resources/metrics-head.txt"))).append('\n');
        page.append(
                ReferencePage.headings("metric", "type", "unit", "labels", "meaning", "when high"));
        assertThat(advice.keySet()).isEqualTo(metrics.keySet());
        assertThat(metrics.values()).allMatch(metric -> metric.help().endsWith("."));
        advice.forEach(
                (name, whenHigh) -> {
                    Metric metric = metrics.get(name);
                    page.append(
                            ReferencePage.row(
                                    "`" + name + "`",
                                    metric.type(),
                                    unit(name),
                                    String.join(", ", metric.labels()),
                                    metric.help(),
                                    whenHigh));
                });
        new ReferencePage("canary-metrics.md").holds(page.toString());
    }

    private static String unit(String name) {
        if (name.contains("_seconds")) {
            return "s";
        }
        if (name.endsWith("_ratio")) {
            return "share, 0 to 1";
        }
        return name.endsWith("_info") ? "1" : FLAGS.contains(name) ? "0 or 1" : "count";
    }

    /** One that has all there is. */
    private static ProfileSnapshot mirroredProfile() {
        return new ProfileSnapshot(
                new ProfileSnapshot.Facts("prod", "to-fra", "", Map.of(), 1, 0.05, 0.99),
                "abc",
                ClusterStatus.State.RUNNING,
                List.of(),
                null,
                List.of(),
                List.of(new ProfileSnapshot.PartitionLeader(0, 1, true, 0.01)),
                List.of(LeaderCounts.none(1)),
                false,
                List.of(new ProfileSnapshot.BrokerTiming(1, 0, 0, 0, 0, 0)),
                8,
                Optional.of(new LaneCounts(8, 0, 0)),
                new ClusterStatus.Mirror("xyz", "prod.t", Map.of(0, 7)));
    }
}
