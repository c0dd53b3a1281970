/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.cli;

import io.phasewise.bench.scrape.ScrapedBroker;
import io.phasewise.bench.scrape.ScrapedBroker.Exporter;
import io.phasewise.common.cli.OptionCheck;
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
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Measures what a scrape costs one broker with many partitions: with this exporter, with the stock
 * JMX exporter and its rules, and with a reporter that Kafka loads.
 */
@Command(
        name = "scrape",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "What a scrape costs a broker with our exporter, and with others.")
final class ScrapeCommand implements Callable<String> {
    private static final int LEAST_PARTITIONS = 20;

    private final Path root;
    private final Consumer<String> progress;

    @Option(
            names = "--partitions",
            paramLabel = "N",
            description = "Partitions on the broker, a multiple of 20 (${DEFAULT-VALUE}).")
    private int partitions = 2_000;

    @Option(
            names = "--seconds",
            paramLabel = "SECONDS",
            description = "How long to scrape, after a warm-up as long (${DEFAULT-VALUE}).")
    private int seconds = 20;

    @Option(
            names = "--metrics-reporter",
            paramLabel = "DIRECTORY",
            description = "Directory with the jars of Strimzi's metrics-reporter 0.2, to measure it too.")
    private Path metricsReporter;

    @Option(
            names = "--jmx-agent",
            paramLabel = "FILE",
            description = "The JMX exporter's agent, for rules (${DEFAULT-VALUE}).")
    private Path jmxAgent = Path.of("exporter/target/jmx_prometheus_javaagent.jar");

    @Parameters(
            paramLabel = "NAME=FILE",
            arity = "0..*",
            description = "Rules of the JMX exporter, to measure its agent with beside ours.")
    private Map<String, Path> rules = new LinkedHashMap<>();

    ScrapeCommand(Path root, Consumer<String> progress) {
        this.root = root;
        this.progress = progress;
    }

    @Override
    public String call() throws IOException, InterruptedException {
        Path ours = root.resolve("exporter/target/phasewise-exporter.jar");
        Path agent = root.resolve(jmxAgent);
        OptionCheck check = new OptionCheck()
                .within("--partitions", partitions, LEAST_PARTITIONS, 100_000)
                .within("--seconds", seconds, 1, 3_600)
                .holds(partitions % LEAST_PARTITIONS == 0, "--partitions: " + partitions + "; allowed: multiples of 20")
                .holds(
                        metricsReporter == null || Files.isDirectory(metricsReporter),
                        "--metrics-reporter: no directory " + metricsReporter);
        rules.forEach((name, file) -> check.holds(Files.isReadable(file), name + ": cannot read " + file));
        for (Path jar : List.of(ours, agent)) {
            check.holds(Files.isReadable(jar), "no " + jar + "; get it with: ./mvnw -pl exporter -am package");
        }
        check.done();
        Map<String, Exporter> exporters = new LinkedHashMap<>();
        exporters.put("phasewise", Exporter.agent(ours, Optional.empty()));
        if (metricsReporter != null) {
            exporters.put("metrics-reporter", Exporter.metricsReporter(metricsReporter));
        }
        rules.forEach((name, file) -> exporters.put(name, Exporter.agent(agent, Optional.of(file))));
        return partitions + " partitions%n%n".formatted() + table(exporters);
    }

    private Table table(Map<String, Exporter> exporters) throws IOException, InterruptedException {
        Table table = new Table("exporter", "CPU ms", "ratio", "wall ms", "bytes", "series", "scrapes");
        try (Scratch scratch = Scratch.create()) {
            ScrapedBroker broker = new ScrapedBroker(root, scratch.directory(), partitions);
            progress.accept("filling a broker with " + partitions + " partitions");
            broker.fill();
            double ours = Double.NaN;
            for (Map.Entry<String, Exporter> each : exporters.entrySet()) {
                ScrapedBroker.Cost cost = broker.measure(each.getValue(), Duration.ofSeconds(seconds));
                progress.accept(each.getKey() + ": %.1f ms of CPU".formatted(cost.cpuMillis()));
                ours = Double.isNaN(ours) ? cost.cpuMillis() : ours; // The first is ours.
                table.row(
                        each.getKey(),
                        "%.1f".formatted(cost.cpuMillis()),
                        "%.1f".formatted(cost.cpuMillis() / ours),
                        "%.1f".formatted(cost.wallMillis()),
                        Long.toString(cost.bytes()),
                        Long.toString(cost.series()),
                        Integer.toString(cost.scrapes()));
            }
        }
        return table;
    }
}
