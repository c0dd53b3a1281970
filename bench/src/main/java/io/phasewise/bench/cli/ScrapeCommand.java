/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.cli;

import io.phasewise.bench.scrape.ScrapedBroker;
import io.phasewise.lab.measure.Machine;
import io.phasewise.lab.measure.Scratch;
import io.phasewise.lab.measure.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
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
final class ScrapeCommand implements Callable<Integer> {
    private static final int LEAST_PARTITIONS = 20;
    private static final String OURS = "phasewise";
    private static final String REPORTER = "metrics-reporter";

    private final Path root;

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

    ScrapeCommand(Path root) {
        this.root = root;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        OptionCheck check =
                new OptionCheck(spec)
                        .within("--partitions", partitions, LEAST_PARTITIONS, 100_000)
                        .atLeast("--scrapes", scrapes, 1)
                        .atLeast("--seconds", seconds, 1);
        if (partitions % LEAST_PARTITIONS != 0) {
            check.fault("--partitions: " + partitions + "; allowed: multiples of 20");
        }
        peers.forEach(
                (name, file) -> {
                    if (!Files.isReadable(file)) {
                        check.fault(name + ": cannot read " + file);
                    }
                });
        Path ours = root.resolve("exporter/target/phasewise-exporter.jar");
        Path stock = root.resolve("exporter/target/jmx_prometheus_javaagent.jar");
        Path bench = root.resolve("bench/target/phasewise-bench.jar");
        List<Path> collector =
                jars(root.resolve("bench/target/lib")).stream()
                        .filter(ScrapeCommand::isOfCollector)
                        .toList();
        for (Path jar : List.of(ours, stock)) {
            if (!Files.isReadable(jar)) {
                check.fault("no " + jar + "; get it with: ./mvnw -pl exporter -am package");
            }
        }
        List<Path> reporterJars = metricsReporter == null ? List.of() : jars(metricsReporter);
        if (metricsReporter != null && reporterJars.isEmpty()) {
            check.fault("--metrics-reporter: no jar in " + metricsReporter);
        }
        check.done();
        try (Scratch scratch = Scratch.create()) {
            ScrapedBroker broker = new ScrapedBroker(root, scratch.directory(), partitions);
            say("filling a broker with %d partitions", partitions);
            broker.fill();
            Map<String, ScrapedBroker.Cost> costs = new LinkedHashMap<>();
            Map<String, ScrapedBroker.Exporter> exporters = new LinkedHashMap<>();
            exporters.put(OURS, new ScrapedBroker.Agent(ours, Optional.empty()));
            if (!reporterJars.isEmpty()) {
                exporters.put(REPORTER, new ScrapedBroker.MetricsReporter(reporterJars));
            }
            peers.forEach(
                    (name, file) -> {
                        exporters.put(
                                name + ", stock agent",
                                new ScrapedBroker.Agent(stock, Optional.of(file)));
                        exporters.put(
                                name + ", our collector",
                                new ScrapedBroker.Collector(bench, collector, file));
                    });
            for (Map.Entry<String, ScrapedBroker.Exporter> each : exporters.entrySet()) {
                costs.put(each.getKey(), measure(broker, each.getKey(), each.getValue()));
            }
            spec.commandLine()
                    .getOut()
                    .printf(
                            "%s%n%n%d partitions%n%n%s",
                            Machine.describe(), partitions, table(costs));
        }
        return 0;
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

    private ScrapedBroker.Cost measure(
            ScrapedBroker broker, String name, ScrapedBroker.Exporter exporter)
            throws IOException, InterruptedException {
        ScrapedBroker.Cost cost = broker.measure(exporter, scrapes, Duration.ofSeconds(seconds));
        say("%s: %.1f ms of CPU", name, cost.cpuMillis());
        return cost;
    }

    private static Table table(Map<String, ScrapedBroker.Cost> costs) {
        Table table =
                new Table("exporter", "CPU ms", "ratio", "wall ms", "bytes", "series", "scrapes");
        double ours = costs.get(OURS).cpuMillis();
        costs.forEach(
                (name, cost) ->
                        table.row(
                                name,
                                number("%.1f", cost.cpuMillis()),
                                number("%.1f", cost.cpuMillis() / ours),
                                number("%.1f", cost.wallMillis()),
                                Long.toString(cost.bytes()),
                                Long.toString(cost.series()),
                                Integer.toString(cost.scrapes())));
        return table;
    }

    private static String number(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }

    private void say(String format, Object... arguments) {
        spec.commandLine().getErr().printf(format + "%n", arguments);
    }
}
