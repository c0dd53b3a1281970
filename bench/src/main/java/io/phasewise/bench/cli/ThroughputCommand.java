/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.cli;

import io.phasewise.bench.run.CanaryReading;
import io.phasewise.bench.run.Cluster;
import io.phasewise.bench.run.Jvm;
import io.phasewise.bench.run.Load;
import io.phasewise.lab.measure.Machine;
import io.phasewise.lab.measure.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** How many probes one core carries. */
@Command(
        name = "throughput",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Ten thousand probes a second across 30 partitions, from one core.")
final class ThroughputCommand implements Callable<Integer> {
    /** The goal is less than 256. */
    private static final int HEAP_MEBIBYTES = 250;

    private final Path root;

    @Spec private CommandSpec spec;

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "Probes a second altogether (${DEFAULT-VALUE}).")
    private double rate = 10_000;

    @Option(
            names = "--entries",
            paramLabel = "N",
            description = "Entries in the configuration, three partitions each (${DEFAULT-VALUE}).")
    private int entries = 10;

    @Option(
            names = "--lanes",
            paramLabel = "N",
            description = "Most producers of each entry, without gathering (${DEFAULT-VALUE}).")
    private int lanes = 4;

    @Option(
            names = "--gathering",
            paramLabel = "MS",
            description =
                    "Pipeline, and let produce requests and fetches gather for so long; 0 gives"
                            + " each probe a request of its own, on a lane (${DEFAULT-VALUE}).")
    private int gathering = 10;

    @Option(names = "--acks", paramLabel = "ACKS", description = "all, 1 or 0 (${DEFAULT-VALUE}).")
    private String acks = "1";

    @Option(
            names = "--replicas",
            paramLabel = "N",
            description = "Replication factor (${DEFAULT-VALUE}).")
    private int replicas = 1;

    @Option(
            names = "--size",
            paramLabel = "BYTES",
            description = "Size of a probe (${DEFAULT-VALUE}).")
    private int size = 1024;

    @Option(
            names = "--canary-cpus",
            paramLabel = "CPUS",
            description = "Where the canary runs (${DEFAULT-VALUE}).")
    private String canaryCpus = "0";

    @Option(
            names = "--broker-cpus",
            paramLabel = "CPUS",
            description = "Where the brokers run; empty for anywhere (${DEFAULT-VALUE}).")
    private String brokerCpus = "1";

    @Option(
            names = "--jvm-option",
            paramLabel = "OPTION",
            description = "Added to the canary's command line.")
    private List<String> jvmOptions = List.of();

    @Option(
            names = "--warm-up",
            paramLabel = "SECONDS",
            description = "Before the measurement (${DEFAULT-VALUE}).")
    private int warmUp = 40;

    @Option(
            names = "--seconds",
            paramLabel = "SECONDS",
            description = "Measured (${DEFAULT-VALUE}).")
    private int seconds = 60;

    ThroughputCommand(Path root) {
        this.root = root;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        new OptionCheck(spec)
                .within("--rate", rate, 1, 1e6)
                .atLeast("--entries", entries, 1)
                .atLeast("--lanes", lanes, 1)
                .within("--gathering", gathering, 0, 1_000)
                .oneOf("--acks", acks, List.of("all", "1", "0"))
                .within("--replicas", replicas, 1, 3)
                .atLeast("--size", size, 64)
                .atLeast("--warm-up", warmUp, 0)
                .atLeast("--seconds", seconds, 1)
                .done();
        Jvm usual = Jvm.ofDefaults().heap(HEAP_MEBIBYTES).on(canaryCpus);
        List<String> options = new ArrayList<>(usual.options());
        options.addAll(jvmOptions);
        Jvm jvm = usual.with(options);
        try (Cluster cluster = OnCluster.start(root, brokerCpus)) {
            Load load =
                    new Load(
                            "bench",
                            entries,
                            0,
                            rate / entries / cluster.size(),
                            acks,
                            replicas,
                            lanes,
                            size,
                            gathering > 0,
                            gathering,
                            0,
                            gathering);
            OnCluster.say("warming up for %d s, then measuring %d s", warmUp, seconds);
            double before = cluster.cpuSeconds();
            CanaryReading reading =
                    new OnCluster(root, cluster)
                            .canary(
                                    jvm,
                                    load,
                                    Duration.ofSeconds(warmUp),
                                    Duration.ofSeconds(seconds));
            double brokers = cluster.cpuSeconds() - before;
            spec.commandLine()
                    .getOut()
                    .printf(
                            Locale.ROOT,
                            "%s%n%n%.0f probes a second of %d bytes over %d partitions, acks=%s, %d"
                                    + " replicas, %s; %d s after %d s of warming up.%n%n%s",
                            Machine.describe(),
                            rate,
                            size,
                            entries * cluster.size(),
                            acks,
                            replicas,
                            gathering == 0
                                    ? lanes + " lanes for three partitions"
                                    : "pipelined, gathering for " + gathering + " ms",
                            seconds,
                            warmUp,
                            table(reading, brokers));
        }
        return 0;
    }

    private Table table(CanaryReading reading, double brokerSeconds) {
        Table table = new Table("what", "measured");
        double scheduled = reading.scheduled();
        var lag = reading.histogram("kafka_canary_schedule_lag_seconds");
        var wait = reading.histogram("kafka_canary_lane_wait_seconds");
        var hiccup = reading.histogram("kafka_canary_hiccup_seconds");
        var endToEnd = reading.endToEnd();
        row(table, "probes scheduled a second", "%.0f", scheduled / reading.seconds());
        for (String outcome : List.of("delivered", "late", "lost", "send_failed")) {
            row(table, outcome + " a second", "%.0f", reading.outcome(outcome) / reading.seconds());
        }
        row(
                table,
                "in flight at the end",
                "%.0f",
                reading.after().value("kafka_canary_probes_in_flight", Map.of()));
        row(
                table,
                "schedule lag p50, p99, p99.9",
                "%.2f, %.2f, %.2f ms",
                lag.quantile(0.5) * 1e3,
                lag.quantile(0.99) * 1e3,
                lag.quantile(0.999) * 1e3);
        row(
                table,
                "lane wait p50, p99, p99.9",
                "%.2f, %.2f, %.2f ms",
                wait.quantile(0.5) * 1e3,
                wait.quantile(0.99) * 1e3,
                wait.quantile(0.999) * 1e3);
        row(
                table,
                "end to end p50, p99, p99.9",
                "%.2f, %.2f, %.2f ms",
                endToEnd.quantile(0.5) * 1e3,
                endToEnd.quantile(0.99) * 1e3,
                endToEnd.quantile(0.999) * 1e3);
        row(table, "hiccup p99.9", "%.2f ms", hiccup.quantile(0.999) * 1e3);
        row(
                table,
                "canary's processor time",
                "%.0f %% of one core, %.0f us a probe",
                100 * reading.cpuSeconds() / reading.seconds(),
                1e6 * reading.cpuSeconds() / scheduled);
        row(table, "brokers' processor time since the start", "%.0f s", brokerSeconds);
        row(table, "garbage", "%.1f KiB a probe", reading.allocatedBytes() / scheduled / 1024);
        row(
                table,
                "pauses",
                "%d, longest %.1f ms, p99 %.1f ms, %.2f %% of the time",
                reading.pauses().milliseconds().size(),
                reading.pauses().max(),
                reading.pauses().quantile(0.99),
                reading.pauses().total() / reading.seconds() / 10);
        row(
                table,
                "heap after collection, resident memory",
                "%.0f MiB, %.0f MiB",
                reading.after().value("jvm_memory_pool_collection_used_bytes", Map.of())
                        / (1 << 20),
                reading.residentBytes() / (double) (1 << 20));
        row(table, "threads", "%.0f", reading.after().value("jvm_threads_current", Map.of()));
        return table;
    }

    private static void row(Table table, String what, String format, Object... values) {
        table.row(what, String.format(Locale.ROOT, format, values));
    }
}
