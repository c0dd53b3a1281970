/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.cli;

import static io.phasewise.bench.measure.Numbers.format;

import io.phasewise.bench.measure.MedianInterval;
import io.phasewise.bench.measure.NativeHistogram;
import io.phasewise.bench.peer.BareProcess;
import io.phasewise.bench.peer.EndToEndLatency;
import io.phasewise.bench.peer.MeasuredCanary;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.measure.Scratch;
import io.phasewise.lab.measure.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
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
final class PeersCommand implements Callable<String> {
    private static final int BROKERS = 3;

    /** Enough that the brokers' own collections are rare and short. */
    private static final int HEAP_MEBIBYTES = 512;

    private static final int RECORDS_PER_SECOND = 300;
    private static final int BYTES = 1_024;
    private static final String BARE_TOPIC = "bench-bare";
    private static final String TOOL_TOPIC = "bench-tool";
    private static final int TOOL_RUNS = 2;
    private static final int TOOL_RECORDS = 3_000;

    private final Path root;
    private final Consumer<String> progress;

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

    PeersCommand(Path root, Consumer<String> progress) {
        this.root = root;
        this.progress = progress;
    }

    @Override
    public String call() throws IOException, InterruptedException {
        new OptionCheck()
                .within("--windows", windows, 1, 1_000)
                .within("--seconds", seconds, 1, 3_600)
                .within("--warm-up", warmUp, 0, 3_600)
                .done(spec);
        progress.accept("starting three brokers");
        try (Scratch scratch = Scratch.create();
                KafkaCluster cluster =
                        KafkaCluster.builder(root, scratch.directory().resolve("kafka"))
                                .brokers(BROKERS)
                                .heapMebibytes(HEAP_MEBIBYTES)
                                .build()) {
            cluster.start();
            Map<String, String> topic = Map.of("message.timestamp.type", "LogAppendTime");
            cluster.createTopic(BARE_TOPIC, BROKERS, BROKERS, topic);
            cluster.createTopic(TOOL_TOPIC, 1, BROKERS, topic);
            return measured(cluster, scratch.directory());
        }
    }

    private String measured(KafkaCluster cluster, Path directory)
            throws IOException, InterruptedException {
        Map<String, Object> configuration =
                Map.of(
                        "bootstrap-servers", cluster.bootstrap(),
                        "producer", Map.of("acks", "all"),
                        "topic", Map.of("replication-factor", BROKERS, "min-insync-replicas", 2),
                        "probe", Map.of("rate", RECORDS_PER_SECOND / BROKERS, "size", BYTES));
        try (MeasuredCanary canary =
                        MeasuredCanary.start(root, directory.resolve("canary"), configuration);
                BareProcess bare =
                        BareProcess.start(
                                cluster.bootstrap(),
                                BARE_TOPIC,
                                BROKERS,
                                RECORDS_PER_SECOND,
                                BYTES,
                                directory.resolve("bare.log"))) {
            progress.accept("warming up for " + warmUp + " s");
            Thread.sleep(warmUp * 1_000L);
            return "Medians (p50) in milliseconds; canary and bare loop each %d records a second,"
                            .formatted(RECORDS_PER_SECOND)
                    + " acks=all, %d replicas, %d bytes.%n%n".formatted(BROKERS, BYTES)
                    + besideTheBareLoop(canary, bare)
                    + "%nAll three at once, %d records of EndToEndLatency in each run.%n%n"
                            .formatted(TOOL_RECORDS)
                    + besideTheTool(canary, bare, cluster.bootstrap(), directory);
        }
    }

    private String besideTheBareLoop(MeasuredCanary canary, BareProcess bare)
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
            double p50 = canary.endToEnd().minus(before).median();
            BareProcess.Reading reading = bare.end();
            toSend.add(p50 / reading.p50Seconds());
            toDue.add(p50 / reading.dueP50Seconds());
            table.row(
                    Integer.toString(window),
                    milliseconds(reading.p50Seconds()),
                    milliseconds(reading.dueP50Seconds()),
                    milliseconds(p50),
                    format("%.3f", p50 / reading.p50Seconds()),
                    format("%.3f", p50 / reading.dueP50Seconds()));
            progress.accept("[%d/%d] windows".formatted(window, windows));
        }
        return table
                + "%nWindows of %d s after %d s of warming up.%n%n".formatted(seconds, warmUp)
                + "canary / bare loop from send(): %s%n".formatted(MedianInterval.of(toSend))
                + "canary / bare loop from due:    %s%n".formatted(MedianInterval.of(toDue));
    }

    private Table besideTheTool(
            MeasuredCanary canary, BareProcess bare, String bootstrap, Path directory)
            throws IOException, InterruptedException {
        Table table =
                new Table(
                        "run",
                        "EndToEndLatency, mean",
                        "its p50",
                        "canary, mean",
                        "canary",
                        "bare loop, from send()");
        for (int run = 1; run <= TOOL_RUNS; run++) {
            progress.accept("[%d/%d] EndToEndLatency".formatted(run, TOOL_RUNS));
            NativeHistogram before = canary.endToEnd();
            bare.begin();
            EndToEndLatency tool =
                    EndToEndLatency.run(
                            root,
                            directory.resolve("tool.log"),
                            bootstrap,
                            TOOL_TOPIC,
                            TOOL_RECORDS,
                            BYTES);
            NativeHistogram seen = canary.endToEnd().minus(before);
            table.row(
                    Integer.toString(run),
                    milliseconds(tool.meanSeconds()),
                    Long.toString(tool.p50Milliseconds()),
                    milliseconds(seen.mean()),
                    milliseconds(seen.median()),
                    milliseconds(bare.end().p50Seconds()));
        }
        return table;
    }

    private static String milliseconds(double seconds) {
        return format("%.3f", seconds * 1e3);
    }
}
