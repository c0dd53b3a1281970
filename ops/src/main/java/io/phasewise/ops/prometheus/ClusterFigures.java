/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.ops.prometheus;

import io.phasewise.common.prometheus.PrometheusClient;
import io.phasewise.common.prometheus.Sample;
import io.phasewise.ops.prediction.Total;
import io.phasewise.ops.prediction.Window;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What a Prometheus has of one cluster: its probes, its brokers' waits, and who is suspect. */
public final class ClusterFigures {

    /** Into so many parts a window is cut. */
    public static final int BATCHES = 10;

    private final PrometheusClient server;
    private final String selector;

    private ClusterFigures(PrometheusClient server, String cluster) {
        this.server = server;
        this.selector = "cluster=\"" + cluster.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }

    /** Clusters that canaries probe, by their names there, each with its figures. */
    public static Map<String, ClusterFigures> in(URI prometheus)
            throws IOException, InterruptedException {
        PrometheusClient server = PrometheusClient.open(prometheus);
        Map<String, ClusterFigures> clusters = new TreeMap<>();
        for (Sample each :
                server.query("group by (cluster) (kafka_canary_probes_scheduled_total)")) {
            String name = each.labels().getOrDefault("cluster", "");
            clusters.put(name, new ClusterFigures(server, name));
        }
        return clusters;
    }

    /** The broker that probes wait for longest; empty when no single one is named. */
    public Optional<Suspect> suspect() throws IOException, InterruptedException {
        return server.query("kafka_suspect{" + selector + "}").stream()
                .filter(each -> each.labels().getOrDefault("broker", "").matches("\\d{1,9}"))
                .max(Comparator.comparingDouble(Sample::value))
                .map(
                        each ->
                                new Suspect(
                                        Integer.parseInt(each.labels().get("broker")),
                                        each.labels().getOrDefault("role", "unknown"),
                                        each.labels().getOrDefault("phase", "unknown"),
                                        each.labels().getOrDefault("source", "unknown"),
                                        each.value()));
    }

    /**
     * Reads a window that ends now.
     *
     * @param length at least {@link #BATCHES} times two scrapes, or some batches stay empty
     * @throws IOException when the server cannot be reached or refuses
     */
    public Window window(Duration length) throws IOException, InterruptedException {
        Instant end = server.query("vector(0)").get(0).time();
        Duration step = length.dividedBy(BATCHES);
        String probes =
                "kafka_canary_end_to_end_latency_seconds{"
                        + selector
                        + ",profile=\"default\",leader=~\"[0-9]+\"}";
        String batch = "[" + step.toMillis() + "ms]";
        Map<Instant, Map<Integer, Total>> batches = new TreeMap<>();
        for (String what : List.of("sum", "count")) {
            Instant start = end.minus(step.multipliedBy(BATCHES - 1));
            for (Sample each :
                    server.range(grown(what, "leader", probes, batch), start, end, step)) {
                Total part =
                        what.equals("sum")
                                ? new Total(each.value(), 0)
                                : new Total(0, each.value());
                batches.computeIfAbsent(each.time(), time -> new HashMap<>())
                        .merge(id(each, "leader"), part, Total::plus);
            }
        }
        String whole = "[" + length.toMillis() + "ms]";
        return new Window(List.copyOf(batches.values()), waits(whole), queue(whole));
    }

    private Map<Integer, Map<String, Double>> waits(String range)
            throws IOException, InterruptedException {
        String canary = selector + ",records=\"canary\",broker=~\"[0-9]+\"}";
        Map<Integer, Map<String, Double>> waits = new HashMap<>();
        for (Sample each :
                server.query(
                        "sum by (broker, follower) (increase(kafka_commit_gated_seconds_total{"
                                + canary
                                + range
                                + ")) / on (broker) group_left () ("
                                + grown("count", "broker", "kafka_commit_seconds{" + canary, range)
                                + " > 0)")) {
            waits.computeIfAbsent(id(each, "broker"), broker -> new HashMap<>())
                    .put(each.labels().get("follower"), each.value());
        }
        return waits;
    }

    private Map<Integer, Double> queue(String range) throws IOException, InterruptedException {
        String requests =
                "kafka_canary_request_phase_seconds{"
                        + selector
                        + ",request=\"Produce\",phase=\"request_queue\",broker=~\"[0-9]+\"}";
        Map<Integer, Double> queue = new HashMap<>();
        for (Sample each :
                server.query(
                        grown("sum", "broker", requests, range)
                                + " / ("
                                + grown("count", "broker", requests, range)
                                + " > 0)")) {
            queue.put(id(each, "broker"), each.value());
        }
        return queue;
    }

    /** By how much a histogram has grown, whether it is a native one or a classic one. */
    private static String grown(String what, String by, String histogram, String range) {
        return "sum by ("
                + by
                + ") (histogram_"
                + what
                + "(increase("
                + histogram
                + range
                + ")) or increase("
                + histogram.replace("{", "_" + what + "{")
                + range
                + "))";
    }

    private static int id(Sample sample, String label) {
        return Integer.parseInt(sample.labels().get(label));
    }
}
