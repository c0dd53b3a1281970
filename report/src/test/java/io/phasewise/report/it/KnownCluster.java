/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.it;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Some days of a cluster of three brokers whose truth is known: each probe is drawn, counted as the
 * canary counts it, and kept. From the fifth day on publish takes a third longer; broker 3 is slow
 * in commit throughout; two hours of the third day are missing; one hour of the fourth the canary
 * is starved; for seventy minutes of the seventh broker 2 is very slow.
 */
final class KnownCluster {

    static final String NAME = "orders";

    /** A cluster beside it of which only counters are there. */
    static final String BARE = "bare";

    /** The same probes again, as a server without native histograms has them, every ten minutes. */
    static final String CLASSIC = "classic";

    /** A cluster whose probes take exactly half as long as those through the first's broker 1. */
    static final String FAST = "fast";

    /** Brokers of twelve clusters with exporters and no canary, seen in the last hour only. */
    static final int[] DARK = {120, 60, 40, 30, 24, 20, 17, 15, 13, 12, 11, 10};

    static final Duration STEP = Duration.ofSeconds(150);
    static final int DAYS = 8;

    /** Of classic buckets in seconds, ten a decade as the canary has them. */
    static final double[] BOUNDS =
            IntStream.rangeClosed(-40, 0).mapToDouble(i -> Math.pow(10, i / 10.0)).toArray();

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
    private double[] probes = new double[1 << 16];
    private int kept;

    private static final class Histogram {
        final TreeMap<Integer, Long> counts = new TreeMap<>();
        final long[] classic = new long[BOUNDS.length + 1];
        double sum;

        void observe(double seconds) {
            counts.merge(
                    (int) Math.ceil(Math.log(seconds) / Math.log(2) * BUCKETS_A_DOUBLING),
                    1L,
                    Long::sum);
            int bucket = Arrays.binarySearch(BOUNDS, seconds);
            classic[bucket < 0 ? -bucket - 1 : bucket]++;
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
        double[] sorted = Arrays.copyOf(probes, kept);
        Arrays.sort(sorted);
        return sorted[(int) Math.ceil(p * kept) - 1];
    }

    void write(RemoteWrite out) throws IOException, InterruptedException {
        long steps = Duration.ofDays(days).dividedBy(STEP);
        for (long step = 1; step <= steps; step++) {
            Instant at = start.plus(STEP.multipliedBy(step));
            double hours = step * STEP.toSeconds() / 3600.0;
            if (!(hours > 58 && hours <= 60)) {
                play(hours);
            }
            tell(out, at, hours);
            if (classicToo && step % 4 == 0) {
                tellClassic(out, at.toEpochMilli());
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
                    double seconds =
                            daily * MEDIANS[phase] * Math.exp(SPREAD * random.nextGaussian());
                    seconds *= phase == 1 && hours > 96 ? 4 / 3.0 : 1;
                    seconds *= phase == 2 && broker == 3 ? 4 : 1;
                    seconds += phase == 2 && broker == 2 && incident ? 0.2 : 0;
                    seconds += phase == 4 && starved ? 0.3 : 0;
                    histogram("phase " + PHASES[phase], broker).observe(seconds);
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
                    count("slow " + phase + broker, total > TARGET ? parts[phase] : 0);
                }
                if (!starved) {
                    keep(total);
                }
            }
        }
    }

    private void tell(RemoteWrite out, Instant at, double hours) {
        long now = at.toEpochMilli();
        for (int broker = 1; broker <= 3; broker++) {
            Histogram whole = histogram("whole", broker);
            out.add(
                    leader("kafka_canary_end_to_end_latency_seconds", broker),
                    now,
                    whole.counts,
                    whole.sum);
            for (String phase : PHASES) {
                Histogram one = histogram("phase " + phase, broker);
                out.add(
                        leader("kafka_canary_phase_latency_seconds", broker, "phase", phase),
                        now,
                        one.counts,
                        one.sum);
            }
            for (String verdict : new String[] {"good", "bad"}) {
                out.add(
                        leader("kafka_canary_slo_probes_total", broker, "verdict", verdict),
                        now,
                        count(verdict + " " + broker, 0));
            }
            for (String outcome : new String[] {"delivered", "lost"}) {
                out.add(
                        leader("kafka_canary_probes_total", broker, "outcome", outcome),
                        now,
                        count(outcome + " " + broker, 0));
            }
            out.add(
                    leader("kafka_canary_stalled_bad_probes_total", broker),
                    now,
                    count("stalled " + broker, 0));
            for (int phase = 0; phase < PHASES.length; phase++) {
                out.add(
                        leader(
                                "kafka_canary_slow_probes_phase_seconds_total",
                                broker,
                                "phase",
                                PHASES[phase]),
                        now,
                        count("slow " + phase + broker, 0));
            }
            double load =
                    Math.pow(1.02, hours / 24) * (1 + 0.5 * Math.sin(2 * Math.PI * hours / 24));
            out.add(
                    of("kafka_server_brokertopicmetrics_bytesin_total", "broker", broker + ""),
                    now,
                    count("bytes " + broker, 1e6 * load * STEP.toSeconds()));
            out.add(
                    of(
                            "kafka_broker:saturation:ratio5m",
                            "broker",
                            broker + "",
                            "resource",
                            "request_handlers"),
                    now,
                    0.2 * load);
            out.add(
                    of("kafka_server_replicamanager_leadercount", "broker", broker + ""),
                    now,
                    10 * broker);
            out.add(
                    of(
                            "kafka_server_app_info_version",
                            "broker",
                            broker + "",
                            "version",
                            hours > 96 ? "4.4.0" : "4.1.2"),
                    now,
                    1);
        }
        Map<String, String> bare = leader("kafka_canary_probes_total", 1, "outcome", "delivered");
        bare.put("cluster", BARE);
        out.add(bare, now, count("delivered 1", 0));
        fleet(out, now, hours);
        out.add(canary("kafka_canary_slo_target_seconds"), now, TARGET);
        out.add(canary("kafka_canary_slo_objective_ratio"), now, OBJECTIVE);
        out.add(
                canary(
                        "kafka_canary_config_info",
                        "acks",
                        "all",
                        "linger_ms",
                        hours > 96 ? "5" : "0"),
                now,
                1);
        out.add(canary("kafka_canary_clock_uncertainty_seconds", "broker", "1"), now, 0.0004);
    }

    private void tellClassic(RemoteWrite out, long now) {
        for (int broker = 1; broker <= 3; broker++) {
            buckets(
                    out,
                    now,
                    leader("kafka_canary_end_to_end_latency_seconds", broker),
                    histogram("whole", broker));
            for (String phase : PHASES) {
                buckets(
                        out,
                        now,
                        leader("kafka_canary_phase_latency_seconds", broker, "phase", phase),
                        histogram("phase " + phase, broker));
            }
            for (String verdict : new String[] {"good", "bad"}) {
                out.add(
                        classic(
                                leader(
                                        "kafka_canary_slo_probes_total",
                                        broker,
                                        "verdict",
                                        verdict)),
                        now,
                        count(verdict + " " + broker, 0));
            }
        }
        out.add(classic(canary("kafka_canary_slo_target_seconds")), now, TARGET);
        out.add(classic(canary("kafka_canary_slo_objective_ratio")), now, OBJECTIVE);
    }

    private static void buckets(
            RemoteWrite out, long now, Map<String, String> labels, Histogram histogram) {
        String name = labels.get("__name__");
        long cumulative = 0;
        for (int i = 0; i <= BOUNDS.length; i++) {
            cumulative += histogram.classic[i];
            Map<String, String> bucket = classic(new LinkedHashMap<>(labels));
            bucket.put("__name__", name + "_bucket");
            bucket.put("le", i < BOUNDS.length ? Double.toString(BOUNDS[i]) : "+Inf");
            out.add(bucket, now, cumulative);
        }
        Map<String, String> count = classic(new LinkedHashMap<>(labels));
        count.put("__name__", name + "_count");
        out.add(count, now, cumulative);
        Map<String, String> sum = classic(new LinkedHashMap<>(labels));
        sum.put("__name__", name + "_sum");
        out.add(sum, now, histogram.sum);
    }

    private static Map<String, String> classic(Map<String, String> labels) {
        labels.put("cluster", CLASSIC);
        return labels;
    }

    private void fleet(RemoteWrite out, long now, double hours) {
        Histogram whole = histogram("whole", 1);
        TreeMap<Integer, Long> half = new TreeMap<>();
        whole.counts.forEach((bucket, count) -> half.put(bucket - BUCKETS_A_DOUBLING, count));
        out.add(
                fast(leader("kafka_canary_end_to_end_latency_seconds", 1)),
                now,
                half,
                whole.sum / 2);
        out.add(
                fast(leader("kafka_canary_slo_probes_total", 1, "verdict", "good")),
                now,
                count("delivered 1", 0));
        out.add(fast(canary("kafka_canary_slo_target_seconds")), now, TARGET);
        out.add(fast(canary("kafka_canary_slo_objective_ratio")), now, OBJECTIVE);
        if (hours < 24 * days - 1) {
            return;
        }
        for (int cluster = 0; cluster < DARK.length; cluster++) {
            for (int broker = 1; broker <= DARK[cluster]; broker++) {
                Map<String, String> leaders =
                        of("kafka_server_replicamanager_leadercount", "broker", broker + "");
                leaders.put("cluster", "dark-" + cluster);
                out.add(leaders, now, 100);
            }
        }
    }

    private static Map<String, String> fast(Map<String, String> labels) {
        labels.put("cluster", FAST);
        return labels;
    }

    private Histogram histogram(String what, int broker) {
        return histograms.computeIfAbsent(what + broker, any -> new Histogram());
    }

    private double count(String what, double more) {
        return counters.merge(what, more, Double::sum);
    }

    private void keep(double seconds) {
        if (kept == probes.length) {
            probes = Arrays.copyOf(probes, 2 * kept);
        }
        probes[kept++] = seconds;
    }

    private static Map<String, String> canary(String name, String... more) {
        Map<String, String> labels = of(name, more);
        labels.put("profile", "default");
        return labels;
    }

    private static Map<String, String> leader(String name, int broker, String... more) {
        Map<String, String> labels = canary(name, more);
        labels.put("leader", broker + "");
        return labels;
    }

    private static Map<String, String> of(String name, String... more) {
        Map<String, String> labels = new LinkedHashMap<>();
        labels.put("__name__", name);
        labels.put("cluster", NAME);
        for (int i = 0; i < more.length; i += 2) {
            labels.put(more[i], more[i + 1]);
        }
        return labels;
    }
}
