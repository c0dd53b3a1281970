/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.cli;

import io.phasewise.bench.measure.MedianInterval;
import io.phasewise.bench.measure.MetricsPage;
import io.phasewise.bench.measure.NativeHistogram;
import io.phasewise.bench.peer.BareLoop;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.measure.Scratch;
import io.phasewise.lab.measure.StandaloneCanary;
import io.phasewise.lab.measure.Table;
import io.phasewise.lab.stack.CanaryJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;

/**
 * Measures the canary's jar, as users run it, and a bare loop side by side. Both run all the time
 * and are read window by window, so a disturbance of the machine affects both.
 */
@Command(
        name = "peers",
        mixinStandardHelpOptions = true,
        description = "Median latency that the canary measures, beside that of a bare loop.")
final class PeersCommand implements Callable<String> {
    private static final int BROKERS = 3;

    /** Large enough that garbage collections of the brokers are rare and short. */
    private static final int HEAP_MEBIBYTES = 512;

    private static final int RECORDS_PER_SECOND = 300;
    private static final int BYTES = 1_024;
    private static final int WINDOWS = 12;
    private static final Duration WINDOW = Duration.ofSeconds(8);
    private static final Duration WARM_UP = Duration.ofSeconds(60);
    private static final String BARE_TOPIC = "bench-bare";

    /** The only format of a page that has native histograms. */
    private static final String PROTOBUF =
            "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited";

    private final Path root;
    private final Consumer<String> progress;

    PeersCommand(Path root, Consumer<String> progress) {
        this.root = root;
        this.progress = progress;
    }

    @Override
    public String call() throws IOException, InterruptedException {
        progress.accept("starting three brokers");
        try (Scratch scratch = Scratch.create();
                KafkaCluster cluster = KafkaCluster.builder(
                                root, scratch.directory().resolve("kafka"))
                        .brokers(BROKERS)
                        .heapMebibytes(HEAP_MEBIBYTES)
                        .build()) {
            cluster.start();
            Map<String, String> topic = Map.of("message.timestamp.type", "LogAppendTime");
            cluster.createTopic(BARE_TOPIC, BROKERS, BROKERS, topic);
            try (StandaloneCanary canary = canary(cluster, scratch.directory());
                    BareLoop bare = new BareLoop(cluster.bootstrap(), BARE_TOPIC, BROKERS)) {
                bare.start(RECORDS_PER_SECOND, BYTES);
                progress.accept("warming up for " + WARM_UP.toSeconds() + " s");
                Thread.sleep(WARM_UP.toMillis());
                return "Medians in ms; each sends %d records of %d bytes a second, acks=all.%n%n%s"
                        .formatted(RECORDS_PER_SECOND, BYTES, compared(canary.url(), bare));
            }
        }
    }

    private StandaloneCanary canary(KafkaCluster cluster, Path directory) throws IOException, InterruptedException {
        Map<String, Object> configuration = Map.of(
                "bootstrap-servers", cluster.bootstrap(),
                "producer", Map.of("acks", "all"),
                "topic", Map.of("replication-factor", BROKERS, "min-insync-replicas", 2),
                "probe", Map.of("rate", RECORDS_PER_SECOND / BROKERS, "size", BYTES));
        return StandaloneCanary.start(
                root.resolve("canary/target/phasewise-canary.jar"),
                directory.resolve("canary"),
                Map.of(
                        "canary",
                        Map.of(
                                "http", Map.of("port", 0),
                                "clusters", Map.of("bench", configuration))),
                CanaryJvm.options());
    }

    private String compared(String canary, BareLoop bare) throws IOException, InterruptedException {
        Table table = new Table(
                "window",
                "bare loop, from send()",
                "bare loop, from due",
                "canary",
                "canary / from send()",
                "canary / from due");
        List<Double> toSend = new ArrayList<>();
        List<Double> toDue = new ArrayList<>();
        for (int window = 1; window <= WINDOWS; window++) {
            NativeHistogram before = endToEnd(canary);
            bare.begin();
            Thread.sleep(WINDOW.toMillis());
            double p50 = endToEnd(canary).minus(before).median();
            BareLoop.Reading reading = bare.end();
            toSend.add(p50 / reading.fromSend());
            toDue.add(p50 / reading.fromDue());
            table.row(
                    Integer.toString(window),
                    "%.3f".formatted(1e3 * reading.fromSend()),
                    "%.3f".formatted(1e3 * reading.fromDue()),
                    "%.3f".formatted(1e3 * p50),
                    "%.3f".formatted(p50 / reading.fromSend()),
                    "%.3f".formatted(p50 / reading.fromDue()));
            progress.accept("[%d/%d] windows".formatted(window, WINDOWS));
        }
        return "%s%ncanary / bare loop from send(): %s%ncanary / bare loop from due: %s%n"
                .formatted(table, MedianInterval.of(toSend), MedianInterval.of(toDue));
    }

    private static NativeHistogram endToEnd(String canary) throws IOException {
        return NativeHistogram.read(MetricsPage.fetch(canary, PROTOBUF), "kafka_canary_end_to_end_latency_seconds");
    }
}
