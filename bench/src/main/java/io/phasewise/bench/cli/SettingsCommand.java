/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.cli;

import io.phasewise.bench.run.CanaryReading;
import io.phasewise.bench.run.Cluster;
import io.phasewise.bench.run.Jvm;
import io.phasewise.bench.run.Load;
import io.phasewise.bench.run.NativeHistogram;
import io.phasewise.lab.measure.Machine;
import io.phasewise.lab.measure.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Slow and fast, durable and not. */
@Command(
        name = "settings",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Latency at 200 and 4,000 probes a second, durable and not.",
        footer =
                "%nEach probe is a request of its own, on a lane, up to 1,000 a second; beyond,"
                        + " one producer pipelines them, and those that are due meanwhile share a"
                        + " request.")
final class SettingsCommand implements Callable<Integer> {
    /** More the canary does not take. */
    private static final double MOST_TO_ONE_PARTITION = 10_000;

    /** More probes a second than this share requests, as an application's records do. */
    private static final double MOST_ON_LANES = 1_000;

    /** Probes a second that the brokers get before anything is measured. */
    private static final double WARM_UP_RATE = 1_000;

    /** More than the usual: at these rates a stall leaves that many probes under way. */
    private static final int HEAP_MEBIBYTES = 256;

    private final Path root;

    @Spec private CommandSpec spec;

    @Option(
            names = "--rates",
            paramLabel = "N",
            split = ",",
            description = "Probes a second over all partitions (200,4000).")
    private List<Double> rates = List.of(200.0, 4_000.0);

    @Option(
            names = "--linger",
            paramLabel = "MILLIS",
            description =
                    "linger.ms of the producer beyond 1,000 probes a second (${DEFAULT-VALUE}).")
    private int linger = 0;

    @Option(
            names = "--in-flight",
            paramLabel = "N",
            description =
                    "max.in.flight.requests.per.connection of the producer beyond 1,000 probes a"
                            + " second (${DEFAULT-VALUE}).")
    private int inFlight = 5;

    @Option(
            names = "--partitions",
            paramLabel = "N",
            description = "Of each topic beyond 1,000 probes a second, 1 to 3 (${DEFAULT-VALUE}).")
    private int partitions = Cluster.SIZE;

    @Option(
            names = "--warm-up",
            paramLabel = "SECONDS",
            description = "Before each measurement (${DEFAULT-VALUE}).")
    private int warmUp = 40;

    @Option(
            names = "--seconds",
            paramLabel = "SECONDS",
            description = "Measured for each setting (${DEFAULT-VALUE}).")
    private int seconds = 20;

    private static final List<String> PHASES =
            List.of("produce", "publish", "commit", "catch_up", "fetch");

    private record Durability(String topic, String name, String acks, int replicas) {}

    private static final List<Durability> DURABILITIES =
            List.of(
                    new Durability("durable", "durable: acks=all, 3 replicas", "all", 3),
                    new Durability("leader-only", "not: acks=1, 1 replica", "1", 1),
                    new Durability("unacknowledged", "not: acks=0, 1 replica", "0", 1));

    SettingsCommand(Path root) {
        this.root = root;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        OptionCheck check =
                new OptionCheck(spec)
                        .within("--linger", linger, 0, 1_000)
                        .within("--in-flight", inFlight, 1, 100)
                        .within("--partitions", partitions, 1, Cluster.SIZE)
                        .atLeast("--warm-up", warmUp, 0)
                        .atLeast("--seconds", seconds, 1);
        rates.forEach(rate -> check.within("--rates", rate, 1, MOST_TO_ONE_PARTITION * partitions));
        check.done();
        Table table =
                new Table(
                        "probes/s",
                        "setting",
                        "p50",
                        "p75",
                        "p99",
                        "p99.9",
                        "max",
                        "p50 ratio",
                        "probes",
                        "lost, failed");
        double reference = Double.NaN;
        int turn = 0;
        try (Cluster cluster = OnCluster.start(root, "")) {
            OnCluster.say("warming up the brokers");
            measure(cluster, WARM_UP_RATE, DURABILITIES.get(0), 1, Math.min(warmUp, 60));
            for (double rate : rates) {
                for (Durability durability : DURABILITIES) {
                    OnCluster.say(
                            "[%d/%d] %.0f probes a second, %s",
                            ++turn, rates.size() * DURABILITIES.size(), rate, durability.name());
                    CanaryReading reading = measure(cluster, rate, durability, seconds, warmUp);
                    NativeHistogram latency = reading.endToEnd();
                    double p50 = latency.quantile(0.5);
                    reference = Double.isNaN(reference) ? p50 : reference;
                    OnCluster.say(
                            "      p50 %.2f ms, p99 %.2f ms",
                            p50 * 1e3, latency.quantile(0.99) * 1e3);
                    OnCluster.say("      p50 of each phase: %s", phases(reading));
                    table.row(
                            String.format(Locale.ROOT, "%.0f", rate),
                            durability.name(),
                            milliseconds(p50),
                            milliseconds(latency.quantile(0.75)),
                            milliseconds(latency.quantile(0.99)),
                            milliseconds(latency.quantile(0.999)),
                            milliseconds(latency.max()),
                            String.format(Locale.ROOT, "%.2f", p50 / reference),
                            Long.toString(latency.count()),
                            String.format(
                                    Locale.ROOT,
                                    "%.0f",
                                    reading.outcome("lost") + reading.outcome("send_failed")));
                }
            }
        }
        spec.commandLine()
                .getOut()
                .printf(
                        "%s%n%nMilliseconds; %d s after %d s of warming up.%n%n%s",
                        Machine.describe(), seconds, warmUp, table);
        return 0;
    }

    private CanaryReading measure(
            Cluster cluster, double rate, Durability durability, int length, int warmUp)
            throws IOException, InterruptedException {
        boolean fast = rate > MOST_ON_LANES;
        Load load =
                new Load(
                        durability.topic() + (fast ? "-" + Math.round(rate) : ""),
                        1,
                        fast ? partitions : 0,
                        rate / (fast ? partitions : cluster.size()),
                        durability.acks(),
                        durability.replicas(),
                        16,
                        1024,
                        fast,
                        fast ? linger : 0,
                        fast ? inFlight : 0,
                        0);
        if (fast) {
            makeTopic(cluster, load);
        }
        return new OnCluster(root, cluster)
                .canary(
                        Jvm.ofDefaults().heap(HEAP_MEBIBYTES),
                        load,
                        Duration.ofSeconds(warmUp),
                        Duration.ofSeconds(length));
    }

    private static void makeTopic(Cluster cluster, Load load) throws InterruptedException {
        cluster.kafka()
                .createTopic(
                        load.topic(0),
                        load.partitions(),
                        load.replicationFactor(),
                        Map.of("message.timestamp.type", "LogAppendTime"));
    }

    /** Where the time went. */
    private static String phases(CanaryReading reading) {
        return PHASES.stream()
                .map(
                        phase ->
                                phase
                                        + " "
                                        + milliseconds(
                                                reading.histogram(
                                                                "kafka_canary_phase_latency_seconds",
                                                                Map.of("phase", phase))
                                                        .quantile(0.5)))
                .collect(Collectors.joining(", "));
    }

    private static String milliseconds(double seconds) {
        return String.format(Locale.ROOT, "%.2f", seconds * 1e3);
    }
}
