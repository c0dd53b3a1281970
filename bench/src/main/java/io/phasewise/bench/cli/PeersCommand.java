/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.cli;

import io.phasewise.bench.peer.BareProcess;
import io.phasewise.bench.peer.PeerProcesses;
import io.phasewise.bench.peer.PeerProcesses.ToolReading;
import io.phasewise.bench.run.CanaryProcess;
import io.phasewise.bench.run.Cluster;
import io.phasewise.bench.run.Load;
import io.phasewise.bench.run.MedianInterval;
import io.phasewise.bench.run.NativeHistogram;
import io.phasewise.lab.measure.Machine;
import io.phasewise.lab.measure.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The canary beside a bare loop, both all the time and read window by window, so that whatever
 * disturbs the machine disturbs both; then Kafka's own tool beside the two.
 */
@Command(
        name = "peers",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "The canary beside a bare producer and consumer and Kafka's EndToEndLatency.")
final class PeersCommand implements Callable<Integer> {
    private static final String BARE_TOPIC = "bench-bare";
    private static final String TOOL_TOPIC = "bench-tool";

    private final Path root;

    @Spec private CommandSpec spec;

    @Option(
            names = "--windows",
            paramLabel = "N",
            description = "In which both are read (${DEFAULT-VALUE}).")
    private int windows = 12;

    @Option(
            names = "--seconds",
            paramLabel = "SECONDS",
            description = "Length of a window (${DEFAULT-VALUE}).")
    private int seconds = 8;

    @Option(
            names = "--warm-up",
            paramLabel = "SECONDS",
            description = "Before the first window (${DEFAULT-VALUE}).")
    private int warmUp = 60;

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "Records a second of each, over three partitions (${DEFAULT-VALUE}).")
    private double rate = 300;

    @Option(names = "--acks", paramLabel = "ACKS", description = "all or 1 (${DEFAULT-VALUE}).")
    private String acks = "all";

    @Option(
            names = "--replicas",
            paramLabel = "N",
            description = "Replication factor, 1 to 3 (${DEFAULT-VALUE}).")
    private int replicas = 3;

    @Option(
            names = "--size",
            paramLabel = "BYTES",
            description = "Size of a record (${DEFAULT-VALUE}).")
    private int size = 1024;

    @Option(
            names = "--tool-runs",
            paramLabel = "N",
            description = "Runs of EndToEndLatency afterwards; 0 for none (${DEFAULT-VALUE}).")
    private int toolRuns = 2;

    @Option(
            names = "--tool-records",
            paramLabel = "N",
            description = "Records of each run (${DEFAULT-VALUE}).")
    private int toolRecords = 3_000;

    PeersCommand(Path root) {
        this.root = root;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        new OptionCheck(spec)
                .atLeast("--windows", windows, 1)
                .atLeast("--seconds", seconds, 1)
                .atLeast("--warm-up", warmUp, 0)
                .within("--rate", rate, 1, 3_000)
                .oneOf("--acks", acks, List.of("all", "1"))
                .within("--replicas", replicas, 1, 3)
                .atLeast("--size", size, 64)
                .atLeast("--tool-runs", toolRuns, 0)
                .atLeast("--tool-records", toolRecords, 1)
                .done();
        say("starting three brokers");
        try (Cluster cluster = Cluster.start(root)) {
            Map<String, String> topic = Map.of("message.timestamp.type", "LogAppendTime");
            cluster.kafka().createTopic(BARE_TOPIC, cluster.size(), replicas, topic);
            cluster.kafka().createTopic(TOOL_TOPIC, 1, replicas, topic);
            PeerProcesses peers = new PeerProcesses(root, cluster.scratch("peers"));
            Load load = new Load("bench-canary", rate / cluster.size(), acks, replicas, size);
            try (CanaryProcess canary =
                            CanaryProcess.start(
                                    root.resolve("canary/target/phasewise-canary.jar"),
                                    cluster.scratch("canary"),
                                    load,
                                    cluster.bootstrap());
                    BareProcess bare =
                            peers.bareLoop(
                                    cluster.bootstrap(),
                                    BARE_TOPIC,
                                    cluster.size(),
                                    rate,
                                    acks,
                                    size)) {
                say("warming up for %d s", warmUp);
                Thread.sleep(warmUp * 1_000L);
                String together = windows(canary, bare);
                String tool = toolRuns == 0 ? "" : tool(cluster, peers, canary, bare);
                spec.commandLine()
                        .getOut()
                        .printf(
                                Locale.ROOT,
                                "%s%n%nMedians (p50) in milliseconds; canary and bare loop each"
                                        + " %.0f records a second, acks=%s, %d replicas, %d bytes."
                                        + "%n%n%s%s",
                                Machine.describe(),
                                rate,
                                acks,
                                replicas,
                                size,
                                together,
                                tool);
            }
        }
        return 0;
    }

    private String windows(CanaryProcess canary, BareProcess bare)
            throws IOException, InterruptedException {
        Table table =
                new Table(
                        "window",
                        "bare loop, from send()",
                        "bare loop, from due",
                        "canary",
                        "canary / from send()",
                        "canary / from due");
        List<Double> toSend = new ArrayList<>();
        List<Double> toDue = new ArrayList<>();
        for (int window = 1; window <= windows; window++) {
            NativeHistogram before = canary.endToEnd();
            bare.begin();
            Thread.sleep(seconds * 1_000L);
            double p50 = canary.endToEnd().minus(before).quantile(0.5);
            BareProcess.Reading reading = bare.end();
            toSend.add(p50 / reading.p50Seconds());
            toDue.add(p50 / reading.dueP50Seconds());
            say("[%d/%d] canary / bare loop: %.3f", window, windows, p50 / reading.p50Seconds());
            table.row(
                    Integer.toString(window),
                    milliseconds(reading.p50Seconds()),
                    milliseconds(reading.dueP50Seconds()),
                    milliseconds(p50),
                    ratio(p50 / reading.p50Seconds()),
                    ratio(p50 / reading.dueP50Seconds()));
        }
        return String.format(
                Locale.ROOT,
                "%s%nWindows of %d s after %d s of warming up.%n%n"
                        + "canary / bare loop from send(): %s%n"
                        + "canary / bare loop from due:    %s%n",
                table,
                seconds,
                warmUp,
                MedianInterval.of(toSend),
                MedianInterval.of(toDue));
    }

    private String tool(
            Cluster cluster, PeerProcesses peers, CanaryProcess canary, BareProcess bare)
            throws IOException, InterruptedException {
        Table table =
                new Table(
                        "run",
                        "EndToEndLatency, mean",
                        "its p50",
                        "canary, mean",
                        "canary",
                        "bare loop, from send()");
        for (int run = 1; run <= toolRuns; run++) {
            say("[%d/%d] EndToEndLatency", run, toolRuns);
            NativeHistogram before = canary.endToEnd();
            bare.begin();
            ToolReading tool =
                    peers.endToEndLatency(cluster.bootstrap(), TOOL_TOPIC, toolRecords, acks, size);
            NativeHistogram seen = canary.endToEnd().minus(before);
            BareProcess.Reading reading = bare.end();
            table.row(
                    Integer.toString(run),
                    milliseconds(tool.meanSeconds()),
                    Long.toString(tool.p50Milliseconds()),
                    milliseconds(seen.mean()),
                    milliseconds(seen.quantile(0.5)),
                    milliseconds(reading.p50Seconds()));
        }
        return String.format(
                Locale.ROOT,
                "%nAll three at once, %d records of EndToEndLatency in each run.%n%n%s",
                toolRecords,
                table);
    }

    private void say(String format, Object... arguments) {
        spec.commandLine().getErr().printf(format + "%n", arguments);
    }

    private static String milliseconds(double value) {
        return String.format(Locale.ROOT, "%.3f", value * 1e3);
    }

    private static String ratio(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }
}
