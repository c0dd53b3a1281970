/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.cli;

import io.phasewise.bench.peer.PeerProcesses;
import io.phasewise.bench.peer.PeerProcesses.BareReading;
import io.phasewise.bench.peer.PeerProcesses.ToolReading;
import io.phasewise.bench.run.CanaryReading;
import io.phasewise.bench.run.Cluster;
import io.phasewise.bench.run.Jvm;
import io.phasewise.bench.run.Load;
import io.phasewise.bench.run.Machine;
import io.phasewise.bench.run.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The canary beside a bare loop and Kafka's own tool, in turns. */
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

    @Option(names = "--rounds", paramLabel = "N", description = "Turns of each (${DEFAULT-VALUE}).")
    private int rounds = 4;

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "Records a second over three partitions (${DEFAULT-VALUE}).")
    private double rate = 300;

    @Option(names = "--acks", paramLabel = "ACKS", description = "all or 1 (${DEFAULT-VALUE}).")
    private String acks = "all";

    @Option(
            names = "--replicas",
            paramLabel = "N",
            description = "Replication factor (${DEFAULT-VALUE}).")
    private int replicas = 3;

    @Option(
            names = "--size",
            paramLabel = "BYTES",
            description = "Size of a record (${DEFAULT-VALUE}).")
    private int size = 1024;

    @Option(
            names = "--warm-up",
            paramLabel = "SECONDS",
            description = "Before each measurement (${DEFAULT-VALUE}).")
    private int warmUp = 12;

    @Option(
            names = "--seconds",
            paramLabel = "SECONDS",
            description = "Measured in each turn (${DEFAULT-VALUE}).")
    private int seconds = 12;

    @Option(
            names = "--tool-records",
            paramLabel = "N",
            description =
                    "Records of EndToEndLatency in each turn; 0 leaves it out (${DEFAULT-VALUE}).")
    private int toolRecords = 5_000;

    PeersCommand(Path root) {
        this.root = root;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        try (Cluster cluster = OnCluster.start(root, "")) {
            Map<String, String> topic = Map.of("message.timestamp.type", "LogAppendTime");
            cluster.kafka().createTopic(BARE_TOPIC, cluster.size(), replicas, topic);
            cluster.kafka().createTopic(TOOL_TOPIC, 1, replicas, topic);
            Table table =
                    new Table(
                            "round",
                            "bare loop, from send()",
                            "bare loop, from due",
                            "canary",
                            "canary / from due",
                            "canary / from send()",
                            "EndToEndLatency, mean",
                            "its p50");
            List<Double> fromDue = new ArrayList<>();
            List<Double> fromSend = new ArrayList<>();
            for (int round = 1; round <= rounds; round++) {
                turn(cluster, round, table, fromDue, fromSend);
            }
            spec.commandLine()
                    .getOut()
                    .printf(
                            Locale.ROOT,
                            "%s%n%nMedians (p50) in milliseconds, %.0f records a second, acks=%s,"
                                    + " %d bytes, %d s after %d s of warming up.%n%n%s%n"
                                    + "canary / bare loop from due:    %s%n"
                                    + "canary / bare loop from send(): %s%n",
                            Machine.describe(),
                            rate,
                            acks,
                            size,
                            seconds,
                            warmUp,
                            table,
                            spread(fromDue),
                            spread(fromSend));
        }
        return 0;
    }

    private void turn(
            Cluster cluster, int round, Table table, List<Double> fromDue, List<Double> fromSend)
            throws IOException, InterruptedException {
        PeerProcesses peers = new PeerProcesses(root, Jvm.ofDefaults(), cluster.scratch("peers"));
        OnCluster.say("[%d/%d] bare loop", round, rounds);
        BareReading bare =
                peers.bareLoop(
                        cluster.bootstrap(),
                        BARE_TOPIC,
                        cluster.size(),
                        rate,
                        acks,
                        size,
                        warmUp,
                        seconds);
        OnCluster.say("[%d/%d] canary", round, rounds);
        Load load = new Load(1, rate / cluster.size(), acks, replicas, 16, size);
        CanaryReading canary =
                new OnCluster(root, cluster)
                        .canary(
                                Jvm.ofDefaults(),
                                load,
                                Duration.ofSeconds(warmUp),
                                Duration.ofSeconds(seconds));
        ToolReading tool = null;
        if (toolRecords > 0) {
            OnCluster.say("[%d/%d] EndToEndLatency", round, rounds);
            tool = peers.endToEndLatency(cluster.bootstrap(), TOOL_TOPIC, toolRecords, acks, size);
        }
        double p50 = canary.endToEnd().quantile(0.5);
        fromDue.add(p50 / bare.dueP50Seconds());
        fromSend.add(p50 / bare.p50Seconds());
        table.row(
                Integer.toString(round),
                milliseconds(bare.p50Seconds()),
                milliseconds(bare.dueP50Seconds()),
                milliseconds(p50),
                ratio(p50 / bare.dueP50Seconds()),
                ratio(p50 / bare.p50Seconds()),
                tool == null ? "-" : milliseconds(tool.meanSeconds()),
                tool == null ? "-" : Long.toString(tool.p50Milliseconds()));
    }

    private static String milliseconds(double value) {
        return String.format(Locale.ROOT, "%.3f", value * 1e3);
    }

    private static String ratio(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }

    private static String spread(List<Double> ratios) {
        List<Double> sorted = new ArrayList<>(ratios);
        Collections.sort(sorted);
        int n = sorted.size();
        double median = (sorted.get((n - 1) / 2) + sorted.get(n / 2)) / 2;
        return String.format(
                Locale.ROOT,
                "median %.3f, from %.3f to %.3f over %d rounds",
                median,
                sorted.get(0),
                sorted.get(n - 1),
                n);
    }
}
