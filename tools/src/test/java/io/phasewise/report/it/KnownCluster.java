/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.DoubleStream;

/**
 * Some days of a cluster of three brokers whose truth is known: each probe is drawn, counted as the
 * canary counts it, and kept. From the fifth day on publish takes a third longer; broker 3 is slow
 * in commit throughout; two hours of the third day are missing; one hour of the fourth the canary
 * is starved; for seventy minutes of the seventh broker 2 is very slow, and named.
 */
final class KnownCluster {

    static final String NAME = "orders";

    /** A cluster beside it of which only counters are there. */
    static final String BARE = "bare";

    /** The same probes again, as a server without native histograms has them, every ten minutes. */
    static final String CLASSIC = "classic";

    /** A cluster of which only recorded latencies are there, beside the objective. */
    static final String RECORDED = "recorded";

    /** A cluster whose probes take exactly half as long as those through the first's broker 1. */
    static final String FAST = "fast";

    /** Brokers of twelve clusters with exporters and no canary, seen in the last hour only. */
    static final int[] DARK = {120, 60, 40, 30, 24, 20, 17, 15, 13, 12, 11, 10};

    static final Duration STEP = Duration.ofSeconds(150);
    static final int DAYS = 8;

    static final double TARGET = 0.05;
    static final double OBJECTIVE = 0.99;
    static final String[] PHASES = {"produce", "publish", "commit", "catch_up", "fetch"};

    private static final double[] MEDIANS = {0.0002, 0.0010, 0.0015, 0.00005, 0.0008};
    private static final double SPREAD = 0.4;
    private static final int PROBES_A_STEP = 60;
    private static final int BUCKETS_A_DOUBLING = 64;

    private final Instant start;
    private final int days;
    private final boolean classicToo;
    private final Random random = new Random(42);
    private final Map<String, Histogram> histograms = new LinkedHashMap<>();
    private final Map<String, Double> counters = new LinkedHashMap<>();
    private final DoubleStream.Builder probes = DoubleStream.builder();
    private double[] sorted;
    private RemoteWrite out;

    private static final class Histogram {
        final TreeMap<Integer, Long> counts = new TreeMap<>();
        double sum;

        void observe(double seconds) {
            counts.merge((int) Math.ceil(Math.log(seconds) / Math.log(2) * BUCKETS_A_DOUBLING), 1L, Long::sum);
            sum += seconds;
        }
    }

    /** All eight days, without the classic histograms. */
    KnownCluster(Instant start) {
        this(start, DAYS, false);
    }

    /** The first of the days. */
    KnownCluster(Instant start, int days, boolean classicToo) {
        this.start = start;
        this.days = days;
        this.classicToo = classicToo;
    }

    Instant start() {
        return start;
    }

    Instant end() {
        return start.plus(Duration.ofDays(days));
    }

    /** The latency that a share of all probes outside of the starved hour did not exceed. */
    double exact(double p) {
        if (sorted == null) {
            sorted = probes.build().sorted().toArray();
        }
        return sorted[(int) Math.ceil(p * sorted.length) - 1];
    }

    /**
     * Percentiles of a review are the true ones; up to p99 the truth lies in their intervals.
     *
     * @param most the highest that is looked at
     * @param error of the value, at most, as a share of it
     */
    void assertPercentiles(JsonNode latency, double most, double error) {
        for (JsonNode each : latency.path("endToEnd")) {
            double p = each.path("p").asDouble();
            if (p <= most) {
                assertThat(each.path("value").asDouble())
                        .as("percentile " + p)
                        .isCloseTo(exact(p), within(error * exact(p)));
            }
            if (p <= 0.99) {
                assertThat(exact(p))
                        .as("percentile " + p)
                        .isBetween(
                                each.path("low").asDouble(), each.path("high").asDouble());
            }
        }
    }

    void write(RemoteWrite to) throws IOException, InterruptedException {
        out = to;
        long steps = Duration.ofDays(days).dividedBy(STEP);
        for (long step = 1; step <= steps; step++) {
            double hours = step * STEP.toSeconds() / 3600.0;
            if (!(hours > 58 && hours <= 60)) {
                play(hours);
            }
            out.at(start.plus(STEP.multipliedBy(step)));
            tell(hours);
            if (classicToo && step % 4 == 0) {
                tellClassic();
                tellRecorded();
            }
            if (step % 288 == 0) {
                out.flush();
            }
        }
        out.flush();
    }

    private void play(double hours) {
        boolean starved = hours > 80 && hours <= 81;
        boolean incident = hours > 150.2 && hours <= 151.4;
        double daily = 1 + 0.2 * Math.sin(2 * Math.PI * hours / 24);
        for (int broker = 1; broker <= 3; broker++) {
            for (int i = 0; i < PROBES_A_STEP; i++) {
                double total = 0;
                double[] parts = new double[PHASES.length];
                for (int phase = 0; phase < PHASES.length; phase++) {
                    double seconds = daily * MEDIANS[phase] * Math.exp(SPREAD * random.nextGaussian());
                    seconds *= phase == 1 && hours > 96 ? 4 / 3.0 : 1;
                    seconds *= phase == 2 && broker == 3 ? 4 : 1;
                    seconds += phase == 2 && broker == 2 && incident ? 0.2 : 0;
                    seconds += phase == 4 && starved ? 0.3 : 0;
                    histogram(PHASES[phase], broker).observe(seconds);
                    parts[phase] = seconds;
                    total += seconds;
                }
                histogram("whole", broker).observe(total);
                count("good " + broker, total <= TARGET ? 1 : 0);
                count("bad " + broker, total <= TARGET ? 0 : 1);
                count("delivered " + broker, 1);
                boolean own = starved && total > TARGET && total - 0.3 <= TARGET;
                count("stalled " + broker, own ? 1 : 0);
                for (int phase = 0; phase < PHASES.length; phase++) {
                    count("slow " + PHASES[phase] + broker, total > TARGET ? parts[phase] : 0);
                }
                if (!starved) {
                    probes.add(total);
                }
            }
        }
    }

    private void tell(double hours) {
        double swing = 1 + 0.5 * Math.sin(2 * Math.PI * hours / 24);
        double load = Math.pow(1.02, hours / 24) * swing;
        for (int broker = 1; broker <= 3; broker++) {
            String leader = canary(NAME) + ",leader=" + broker;
            latencies("end_to_end_latency_seconds", leader, histogram("whole", broker), 0);
            for (String phase : PHASES) {
                String part = leader + ",phase=" + phase;
                latencies("phase_latency_seconds", part, histogram(phase, broker), 0);
                add("slow_probes_phase_seconds_total", part, count("slow " + phase + broker, 0));
            }
            verdicts(leader, broker);
            for (String outcome : new String[] {"delivered", "lost"}) {
                double count = count(outcome + " " + broker, 0);
                add("probes_total", leader + ",outcome=" + outcome, count);
            }
            add("stalled_bad_probes_total", leader, count("stalled " + broker, 0));
            String of = broker(NAME, broker);
            double bytes = count("bytes " + broker, 1e6 * load * STEP.toSeconds());
            out.add("kafka_server_brokertopicmetrics_bytesin_total", of, bytes);
            // Recorded: without a job.
            String handlers = "cluster=" + NAME + ",broker=" + broker + ",resource=request_handlers";
            out.add("kafka_broker:saturation:ratio5m", handlers, 0.2 * load);
            for (String request : new String[] {"Produce", "FetchConsumer"}) {
                String version = of + ",request=" + request + ",version=11";
                out.add("kafka_network_requestmetrics_requests_total", version, count("delivered " + broker, 0));
            }
            for (int processor = 0; processor < 3; processor++) {
                String connections = of + ",listener=PLAINTEXT,networkProcessor=" + processor;
                out.add("kafka_server_socket_server_metrics_connection_count", connections, 10 + processor);
            }
            out.add("kafka_server_replicamanager_partitioncount", of, 30 + broker);
            out.add("kafka_broker_config_info", of + ",num_io_threads=8,rack=r" + broker, 1);
            out.add("jvm_available_processors", of, 4);
            out.add("process_cpu_seconds_total", of, count("cpu " + broker, load * STEP.toSeconds()));
            out.add("process_start_time_seconds", of, start.getEpochSecond());
            out.add("kafka_server_replicamanager_leadercount", of, 10 * broker);
            String version = hours > 96 ? "4.4.0" : "4.1.2";
            out.add("kafka_server_app_info_version", of + ",version=" + version, 1);
        }
        if (hours > 150.2 && hours <= 151.4) {
            String named = "cluster=" + NAME + ",broker=2,role=disk,phase=commit,who=Broker 2, its disk";
            out.add("kafka_suspect", named, 0.2);
        }
        String bare = canary(BARE) + ",leader=1,outcome=delivered";
        add("probes_total", bare, count("delivered 1", 0));
        fleet(hours);
        objective(NAME);
        String settings = ",acks=all,linger_ms=" + (hours > 96 ? "5" : "0");
        add("config_info", canary(NAME) + settings, 1);
        add("clock_uncertainty_seconds", canary(NAME) + ",broker=1", 0.0004);
    }

    private void tellClassic() {
        for (int broker = 1; broker <= 3; broker++) {
            String leader = canary(CLASSIC) + ",leader=" + broker;
            buckets("end_to_end_latency_seconds", leader, histogram("whole", broker));
            for (String phase : PHASES) {
                String part = leader + ",phase=" + phase;
                buckets("phase_latency_seconds", part, histogram(phase, broker));
            }
            verdicts(leader, broker);
        }
        objective(CLASSIC);
    }

    /** As the rules record it, once for each cluster or leader. */
    private void tellRecorded() {
        String recorded = "cluster=" + RECORDED + ",profile=default";
        Histogram all = new Histogram();
        for (int broker = 1; broker <= 3; broker++) {
            Histogram one = histogram("whole", broker);
            one.counts.forEach((bucket, count) -> all.counts.merge(bucket, count, Long::sum));
            rates("end_to_end_latency_seconds_by_leader:rate5m", recorded + ",leader=" + broker, one);
        }
        rates("end_to_end_latency_seconds_by_cluster:rate5m", recorded, all);
        for (String phase : PHASES) {
            Histogram whole = new Histogram();
            for (int broker = 1; broker <= 3; broker++) {
                histogram(phase, broker).counts.forEach((bucket, n) -> whole.counts.merge(bucket, n, Long::sum));
            }
            rates("phase_latency_seconds_by_cluster:rate5m", recorded + ",phase=" + phase, whole);
        }
        for (String slo : new String[] {"latency", "availability"}) {
            out.add("kafka_canary:slo_probes:rate5m", recorded + ",slo=" + slo, 1.2);
            out.add("kafka_canary:slo_bad_probes:rate5m", recorded + ",slo=" + slo, 0.001);
        }
        objective(RECORDED);
    }

    /** Of all probes so far, in place of those of five minutes. */
    private void rates(String name, String labels, Histogram histogram) {
        for (int bound = -52; bound <= 0; bound++) {
            String le = ",le=" + Math.pow(2, bound / 4.0);
            out.add("kafka_canary:" + name, labels + le, below(histogram, 16 * bound) / 300);
        }
        out.add("kafka_canary:" + name, labels + ",le=+Inf", below(histogram, Integer.MAX_VALUE) / 300);
    }

    /** A faster cluster, and at the end many that no canary measures. */
    private void fleet(double hours) {
        String leader = canary(FAST) + ",leader=1";
        latencies("end_to_end_latency_seconds", leader, histogram("whole", 1), 1);
        double delivered = count("delivered 1", 0);
        add("slo_probes_total", leader + ",verdict=good", delivered);
        objective(FAST);
        for (int cluster = 0; hours >= 24 * days - 1 && cluster < DARK.length; cluster++) {
            for (int broker = 1; broker <= DARK[cluster]; broker++) {
                out.add("kafka_server_replicamanager_leadercount", broker("dark-" + cluster, broker), 100);
            }
        }
    }

    private void verdicts(String leader, int broker) {
        for (String verdict : new String[] {"good", "bad"}) {
            double count = count(verdict + " " + broker, 0);
            add("slo_probes_total", leader + ",verdict=" + verdict, count);
        }
    }

    private void objective(String cluster) {
        add("slo_target_seconds", canary(cluster), TARGET);
        add("slo_objective_ratio", canary(cluster), OBJECTIVE);
    }

    /**
     * A native histogram.
     *
     * @param halved how often each latency is halved
     */
    private void latencies(String name, String labels, Histogram histogram, int halved) {
        TreeMap<Integer, Long> counts = new TreeMap<>();
        histogram.counts.forEach((bucket, count) -> counts.put(bucket - halved * BUCKETS_A_DOUBLING, count));
        out.add("kafka_canary_" + name, labels, counts, histogram.sum / (1 << halved));
    }

    /** A classic one, of four buckets a doubling up to a second. */
    private void buckets(String name, String labels, Histogram histogram) {
        String metric = "kafka_canary_" + name;
        double all = below(histogram, Integer.MAX_VALUE);
        for (int bound = -52; bound <= 0; bound++) {
            String le = ",le=" + Math.pow(2, bound / 4.0);
            out.add(metric + "_bucket", labels + le, below(histogram, 16 * bound));
        }
        out.add(metric + "_bucket", labels + ",le=+Inf", all);
        out.add(metric + "_count", labels, all);
        out.add(metric + "_sum", labels, histogram.sum);
    }

    private static double below(Histogram histogram, int bucket) {
        return histogram.counts.headMap(bucket, true).values().stream()
                .mapToLong(n -> n)
                .sum();
    }

    private void add(String what, String labels, double value) {
        out.add("kafka_canary_" + what, labels, value);
    }

    private static String canary(String cluster) {
        return "cluster=" + cluster + ",profile=default,job=kafka-canary,instance=canary:9470";
    }

    private static String broker(String cluster, int broker) {
        return "cluster=" + cluster + ",broker=" + broker + ",job=kafka-broker,instance=" + broker + ":7071";
    }

    private Histogram histogram(String what, int broker) {
        return histograms.computeIfAbsent(what + broker, any -> new Histogram());
    }

    private double count(String what, double more) {
        return counters.merge(what, more, Double::sum);
    }
}
