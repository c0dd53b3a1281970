/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.cli;

import io.phasewise.bench.fleet.Fleet;
import io.phasewise.bench.measure.MedianInterval;
import io.phasewise.common.cli.OptionCheck;
import io.phasewise.lab.measure.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Scrapes a canary that has many clusters, as Prometheus does; several builds of the canary in turn. */
@Command(
        name = "fleet",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "How long a scrape of a canary with many clusters takes.",
        footer = "%nA few brokers stand for all clusters: each is one of them, by a name and a topic of its own.")
final class FleetCommand implements Callable<String> {
    private final Path root;
    private final Consumer<String> progress;

    @Option(
            names = "--counts",
            paramLabel = "N",
            split = ",",
            description = "How many clusters the canary has; several numbers are measured in turn (100,200).")
    private List<Integer> counts = List.of(100, 200);

    @Option(
            names = "--brokers",
            paramLabel = "N",
            description = "Brokers that stand for the clusters (${DEFAULT-VALUE}).")
    private int brokers = 5;

    @Option(names = "--rate", paramLabel = "N", description = "Probes a second to each cluster (${DEFAULT-VALUE}).")
    private double rate = 0.5;

    @Option(
            names = "--warm-up",
            paramLabel = "SECONDS",
            description = "From the first probe of every cluster to the first scrape that counts (${DEFAULT-VALUE}).")
    private int warmUp = 60;

    @Option(
            names = "--every",
            paramLabel = "SECONDS",
            description = "From the start of one scrape to that of the next (${DEFAULT-VALUE}).")
    private int every = 5;

    @Option(
            names = "--scrapes",
            paramLabel = "N",
            description = "Scrapes of each canary that count (${DEFAULT-VALUE}).")
    private int scrapes = 12;

    @Option(names = "--rounds", paramLabel = "N", description = "How often all of it is measured (${DEFAULT-VALUE}).")
    private int rounds = 1;

    @Option(
            names = "--heap-each",
            paramLabel = "MIB",
            description = "Heap of the canary for each cluster, beside 128 (${DEFAULT-VALUE}).")
    private int heapEach = 12;

    @Option(
            names = "--jvm",
            paramLabel = "OPTION",
            split = ",",
            description = "Further options of the canary's JVM (-XX:+UseZGC).")
    private List<String> jvm = List.of("-XX:+UseZGC");

    @Option(
            names = "--canary",
            paramLabel = "NAME=FILE",
            description = "Measure this canary's jar, under this name; can be repeated. Default: the jar built here.")
    private Map<String, Path> jars = new LinkedHashMap<>();

    FleetCommand(Path root, Consumer<String> progress) {
        this.root = root;
        this.progress = progress;
    }

    @Override
    public String call() throws IOException, InterruptedException {
        if (jars.isEmpty()) {
            jars.put("built", root.resolve("canary/target/phasewise-canary.jar"));
        }
        OptionCheck check = new OptionCheck()
                .within("--brokers", brokers, 1, 20)
                .holds(rate >= 0.1 && rate <= 100, "--rate: " + rate + "; allowed: 0.1 to 100")
                .within("--warm-up", warmUp, 0, 3_600)
                .within("--every", every, 1, 60)
                .within("--scrapes", scrapes, 1, 1_000)
                .within("--rounds", rounds, 1, 20)
                .within("--heap-each", heapEach, 4, 100);
        counts.forEach(count -> check.within("--counts", count, 1, 500));
        jars.forEach((name, jar) -> check.holds(Files.isReadable(jar), name + ": cannot read " + jar));
        check.done();
        Fleet.Plan plan =
                new Fleet.Plan(rate, Duration.ofSeconds(warmUp), Duration.ofSeconds(every), scrapes, heapEach, jvm);
        Map<String, List<Double>> millis = new LinkedHashMap<>();
        Map<String, Long> bytes = new LinkedHashMap<>();
        progress.accept("starting " + brokers + " brokers");
        try (Fleet fleet = new Fleet(root, brokers)) {
            for (int round = 1; round <= rounds; round++) {
                for (int count : counts) {
                    for (Map.Entry<String, Path> jar : jars.entrySet()) {
                        Fleet.Scrapes found = fleet.scrape(jar.getValue(), count, plan);
                        String row = jar.getKey() + " " + count;
                        millis.computeIfAbsent(row, each -> new ArrayList<>()).addAll(found.millis());
                        bytes.put(row, found.bytes());
                        progress.accept("[%d/%d] %s clusters: %s ms"
                                .formatted(round, rounds, row, MedianInterval.of(found.millis())));
                    }
                }
            }
        }
        return table(millis, bytes).toString();
    }

    private Table table(Map<String, List<Double>> millis, Map<String, Long> bytes) {
        Table table = new Table("canary", "clusters", "KiB", "scrape ms", "95 % interval", "longest", "one more, ms");
        for (String name : jars.keySet()) {
            for (int i = 0; i < counts.size(); i++) {
                List<Double> each = millis.get(name + " " + counts.get(i));
                MedianInterval median = MedianInterval.of(each);
                String oneMore = "";
                if (i > 0) {
                    MedianInterval before = MedianInterval.of(millis.get(name + " " + counts.get(i - 1)));
                    oneMore =
                            "%.2f".formatted((median.median() - before.median()) / (counts.get(i) - counts.get(i - 1)));
                }
                table.row(
                        name,
                        Integer.toString(counts.get(i)),
                        Long.toString(bytes.get(name + " " + counts.get(i)) >> 10),
                        "%.0f".formatted(median.median()),
                        "%.0f to %.0f".formatted(median.low(), median.high()),
                        "%.0f".formatted(each.stream().mapToDouble(v -> v).max().orElseThrow()),
                        oneMore);
            }
        }
        return table;
    }
}
