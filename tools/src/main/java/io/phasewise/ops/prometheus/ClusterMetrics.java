/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.ops.prometheus;

import io.phasewise.common.file.JarResource;
import io.phasewise.common.prometheus.PrometheusClient;
import io.phasewise.common.prometheus.Sample;
import io.phasewise.ops.prediction.ProbeTime;
import io.phasewise.ops.prediction.Window;
import io.phasewise.ops.prediction.WindowLength;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What a Prometheus has of one cluster: its probes, its brokers' waits, and who is suspect. */
public final class ClusterMetrics {

    private static final Map<String, String> QUERIES =
            JarResource.properties(ClusterMetrics.class, "queries.properties");

    private final PrometheusClient server;
    private final String matcher;

    private ClusterMetrics(PrometheusClient server, String cluster) {
        this.server = server;
        this.matcher = "cluster=\"" + cluster.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }

    /** Clusters that canaries probe, by their names there, each with its figures. */
    public static Map<String, ClusterMetrics> in(URI prometheus) throws IOException, InterruptedException {
        PrometheusClient server = PrometheusClient.open(prometheus);
        Map<String, ClusterMetrics> clusters = new TreeMap<>();
        for (Sample each : server.query(QUERIES.get("clusters"))) {
            String name = each.labels().getOrDefault("cluster", "");
            clusters.put(name, new ClusterMetrics(server, name));
        }
        return clusters;
    }

    /**
     * The jobs that scrape canaries; an empty name stands for series without a job.
     *
     * @param cluster whose canaries; empty for those of all
     */
    public static List<String> jobs(URI prometheus, Optional<String> cluster) throws IOException, InterruptedException {
        PrometheusClient server = PrometheusClient.open(prometheus);
        String query = cluster.isEmpty()
                ? QUERIES.get("jobs")
                : new ClusterMetrics(server, cluster.get()).query("jobs.of.cluster", Duration.ZERO);
        return server.query(query).stream()
                .map(each -> each.labels().getOrDefault("job", ""))
                .sorted()
                .toList();
    }

    /**
     * The broker that probes wait for longest; empty when none is named. A controller is not: to move its leadership
     * does not help.
     */
    public Optional<Suspect> suspect() throws IOException, InterruptedException {
        return server.query(query("suspect", Duration.ZERO)).stream()
                .max(Comparator.comparingDouble(Sample::value))
                .map(each -> new Suspect(id(each, "broker"), each.labels().get("who"), each.value()));
    }

    /** The time between two scrapes of the canary; empty where the last quarter of an hour has too few. */
    public Optional<Duration> scrapeInterval() throws IOException, InterruptedException {
        Map<Map<String, String>, List<Instant>> series = new HashMap<>();
        for (Sample each : server.query(query("scrapes", Duration.ZERO))) {
            series.computeIfAbsent(each.labels(), labels -> new ArrayList<>()).add(each.time());
        }
        return WindowLength.interval(series.values());
    }

    /**
     * Reads a window that ends now.
     *
     * @param length with {@link WindowLength#SCRAPES} scrapes or more, or some batches stay empty
     * @throws IOException when the server cannot be reached or refuses
     */
    public Window window(Duration length) throws IOException, InterruptedException {
        Instant end = server.query(QUERIES.get("now")).get(0).time();
        Duration step = length.dividedBy(WindowLength.BATCHES);
        Instant start = end.minus(step.multipliedBy(WindowLength.BATCHES - 1));
        Map<Instant, Map<Integer, ProbeTime>> batches = new TreeMap<>();
        for (Sample each : server.range(query("probes.seconds", step), start, end, step)) {
            add(batches, each, new ProbeTime(each.value(), 0));
        }
        for (Sample each : server.range(query("probes.count", step), start, end, step)) {
            add(batches, each, new ProbeTime(0, each.value()));
        }
        Map<Integer, Map<String, Double>> waits = new HashMap<>();
        for (Sample each : server.query(query("waits", length))) {
            waits.computeIfAbsent(id(each, "broker"), broker -> new HashMap<>())
                    .put(each.labels().get("follower"), each.value());
        }
        Map<Integer, Double> queue = new HashMap<>();
        for (Sample each : server.query(query("queue", length))) {
            queue.put(id(each, "broker"), each.value());
        }
        return new Window(List.copyOf(batches.values()), waits, queue);
    }

    private static void add(Map<Instant, Map<Integer, ProbeTime>> batches, Sample sample, ProbeTime probes) {
        batches.computeIfAbsent(sample.time(), time -> new HashMap<>())
                .merge(id(sample, "leader"), probes, ProbeTime::plus);
    }

    private String query(String name, Duration range) {
        return QUERIES.get(name).replace("$range", range.toMillis() + "ms").replace("$cluster", matcher);
    }

    private static int id(Sample sample, String label) {
        return Integer.parseInt(sample.labels().get(label));
    }
}
