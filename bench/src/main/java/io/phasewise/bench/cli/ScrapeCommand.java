/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.cli;

import static io.phasewise.bench.measure.Numbers.format;

import io.phasewise.bench.scrape.ScrapedBroker;
import io.phasewise.bench.scrape.ScrapedBroker.Exporter;
import io.phasewise.lab.measure.Scratch;
import io.phasewise.lab.measure.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The exporter beside the stock JMX exporter with other rules and a reporter that Kafka loads, on
 * one broker with many partitions.
 */
@Command(
        name = "scrape",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "What a scrape costs a broker, under our exporter and others.")
final class ScrapeCommand implements Callable<String> {
    private static final int LEAST_PARTITIONS = 20;
    private static final String OURS = "phasewise";

    private final Path root;
    private final Consumer<String> progress;

    @Spec private CommandSpec spec;

    @Option(
            names = "--partitions",
            paramLabel = "N",
            description = "On the broker, a multiple of 20 (${DEFAULT-VALUE}).")
    private int partitions = 2_000;

    @Option(
            names = "--scrapes",
            paramLabel = "N",
            description = "Measured at most, and as many to warm up (${DEFAULT-VALUE}).")
    private int scrapes = 2_000;

    @Option(
            names = "--seconds",
            paramLabel = "SECONDS",
            description = "For each of the two at most, after three scrapes (${DEFAULT-VALUE}).")
    private int seconds = 20;

    @Option(
            names = "--metrics-reporter",
            paramLabel = "DIRECTORY",
            description = "Jars of Strimzi's metrics-reporter 0.2, to measure beside ours.")
    private Path metricsReporter;

    @Parameters(
            paramLabel = "NAME=FILE",
            arity = "0..*",
            description =
                    "Rules, to measure beside ours: under the stock agent, and on the collector"
                            + " that ours is built on.")
    private Map<String, Path> peers = new LinkedHashMap<>();

    ScrapeCommand(Path root, Consumer<String> progress) {
        this.root = root;
        this.progress = progress;
    }

    @Override
    public String call() throws IOException, InterruptedException {
        Path ours = root.resolve("exporter/target/phasewise-exporter.jar");
        Path stock = root.resolve("exporter/target/jmx_prometheus_javaagent.jar");
        List<Path> reporter = metricsReporter == null ? List.of() : jars(metricsReporter);
        OptionCheck check =
                new OptionCheck()
                        .within("--partitions", partitions, LEAST_PARTITIONS, 100_000)
                        .within("--scrapes", scrapes, 1, 1_000_000)
                        .within("--seconds", seconds, 1, 3_600)
                        .holds(
                                partitions % LEAST_PARTITIONS == 0,
                                "--partitions: " + partitions + "; allowed: multiples of 20")
                        .holds(
                                metricsReporter == null || !reporter.isEmpty(),
                                "--metrics-reporter: no jar in " + metricsReporter);
        peers.forEach(
                (name, file) ->
                        check.holds(Files.isReadable(file), name + ": cannot read " + file));
        for (Path jar : List.of(ours, stock)) {
            check.holds(
                    Files.isReadable(jar),
                    "no " + jar + "; get it with: ./mvnw -pl exporter -am package");
        }
        check.done(spec);
        Map<String, Exporter> exporters = new LinkedHashMap<>();
        exporters.put(OURS, Exporter.agent(ours, Optional.empty()));
        if (!reporter.isEmpty()) {
            exporters.put("metrics-reporter", Exporter.metricsReporter(reporter));
        }
        Path bench = root.resolve("bench/target/phasewise-bench.jar");
        List<Path> collector =
                jars(root.resolve("bench/target/lib")).stream()
                        .filter(ScrapeCommand::isOfCollector)
                        .toList();
        peers.forEach(
                (name, file) -> {
                    exporters.put(name + ", stock agent", Exporter.agent(stock, Optional.of(file)));
                    exporters.put(
                            name + ", our collector", Exporter.collector(bench, collector, file));
                });
        return partitions + " partitions%n%n".formatted() + table(exporters);
    }

    private static boolean isOfCollector(Path jar) {
        String name = jar.getFileName().toString();
        return name.startsWith("collector-")
                || name.startsWith("snakeyaml-")
                || name.startsWith("prometheus-metrics-")
                || name.startsWith("protobuf-java-");
    }

    private static List<Path> jars(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
        }
    }

    private Table table(Map<String, Exporter> exporters) throws IOException, InterruptedException {
        Table table =
                new Table("exporter", "CPU ms", "ratio", "wall ms", "bytes", "series", "scrapes");
        try (Scratch scratch = Scratch.create()) {
            ScrapedBroker broker = new ScrapedBroker(root, scratch.directory(), partitions);
            progress.accept("filling a broker with " + partitions + " partitions");
            broker.fill();
            double ours = Double.NaN;
            for (Map.Entry<String, Exporter> each : exporters.entrySet()) {
                ScrapedBroker.Cost cost =
                        broker.measure(each.getValue(), scrapes, Duration.ofSeconds(seconds));
                progress.accept(each.getKey() + format(": %.1f ms of CPU", cost.cpuMillis()));
                ours = each.getKey().equals(OURS) ? cost.cpuMillis() : ours;
                table.row(
                        each.getKey(),
                        format("%.1f", cost.cpuMillis()),
                        format("%.1f", cost.cpuMillis() / ours),
                        format("%.1f", cost.wallMillis()),
                        Long.toString(cost.bytes()),
                        Long.toString(cost.series()),
                        Integer.toString(cost.scrapes()));
            }
        }
        return table;
    }
}
