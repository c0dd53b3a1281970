/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.cli;

import io.phasewise.bench.run.CanaryReading;
import io.phasewise.bench.run.Cluster;
import io.phasewise.bench.run.Jvm;
import io.phasewise.bench.run.Load;
import io.phasewise.bench.run.Machine;
import io.phasewise.bench.run.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which collector disturbs the canary least. */
@Command(
        name = "gc",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Pauses, hiccups, memory and latency by garbage collector.")
final class GcCommand implements Callable<Integer> {
    private static final int MOST_TO_ONE_PARTITION = 1_000;

    private final Path root;

    @Spec private CommandSpec spec;

    @Option(
            names = "--jdk",
            paramLabel = "DIRECTORY",
            split = ",",
            description = "The canary's JDKs; the one that runs this unless said.")
    private List<Path> jdks = List.of(Path.of(System.getProperty("java.home")));

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "Probes a second over three partitions (${DEFAULT-VALUE}).")
    private double rate = 60;

    @Option(
            names = "--heap",
            paramLabel = "MIB",
            description = "Size of the heap (${DEFAULT-VALUE}).")
    private int heap = 128;

    @Option(
            names = "--warm-up",
            paramLabel = "SECONDS",
            description = "Before each measurement (${DEFAULT-VALUE}).")
    private int warmUp = 15;

    @Option(
            names = "--seconds",
            paramLabel = "SECONDS",
            description = "Measured for each collector (${DEFAULT-VALUE}).")
    private int seconds = 25;

    GcCommand(Path root) {
        this.root = root;
    }

    private static Map<String, List<String>> collectors() {
        Map<String, List<String>> all = new LinkedHashMap<>();
        all.put("G1, 5 ms goal", List.of("-XX:+UseG1GC", "-XX:MaxGCPauseMillis=5"));
        all.put("ZGC", List.of("-XX:+UseZGC"));
        all.put("Serial", List.of("-XX:+UseSerialGC"));
        all.put("Parallel", List.of("-XX:+UseParallelGC"));
        return all;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        for (Path jdk : jdks) {
            if (!Files.isExecutable(jdk.resolve("bin/java"))) {
                throw new ParameterException(
                        spec.commandLine(), "--jdk: no Java in " + jdk.resolve("bin"));
            }
        }
        Table table =
                new Table(
                        "JDK",
                        "collector",
                        "pauses",
                        "p99 ms",
                        "max ms",
                        "share of time",
                        "hiccup p99.9 ms",
                        "end to end p50 ms",
                        "p99 ms",
                        "CPU",
                        "RSS MiB");
        try (Cluster cluster = OnCluster.start(root, "")) {
            for (Path jdk : jdks) {
                for (Map.Entry<String, List<String>> collector : collectors().entrySet()) {
                    row(table, cluster, jdk, collector.getKey(), collector.getValue());
                }
            }
        }
        spec.commandLine()
                .getOut()
                .printf(
                        "%s%n%n%.0f probes a second, heap of %d MiB; %d s after %d s of warming"
                                + " up.%n%n%s",
                        Machine.describe(), rate, heap, seconds, warmUp, table);
        return 0;
    }

    private void row(Table table, Cluster cluster, Path jdk, String name, List<String> collector)
            throws IOException, InterruptedException {
        OnCluster.say("%s on %s", name, jdk.getFileName());
        List<String> options = new ArrayList<>(collector);
        options.add("-Xms" + heap + "m");
        options.add("-Xmx" + heap + "m");
        double toOne = rate / cluster.size();
        int entries = (int) Math.ceil(toOne / MOST_TO_ONE_PARTITION);
        CanaryReading reading =
                new OnCluster(root, cluster)
                        .canary(
                                Jvm.ofDefaults().of(jdk).with(options),
                                Load.ofDefaults().at(entries, toOne / entries),
                                Duration.ofSeconds(warmUp),
                                Duration.ofSeconds(seconds));
        var hiccup = reading.histogram("kafka_canary_hiccup_seconds");
        table.row(
                version(jdk),
                name,
                Integer.toString(reading.pauses().milliseconds().size()),
                number("%.2f", reading.pauses().quantile(0.99)),
                number("%.2f", reading.pauses().max()),
                number("%.3f %%", reading.pauses().total() / reading.seconds() / 10),
                number("%.2f", hiccup.quantile(0.999) * 1e3),
                number("%.2f", reading.endToEnd().quantile(0.5) * 1e3),
                number("%.2f", reading.endToEnd().quantile(0.99) * 1e3),
                number("%.0f %%", 100 * reading.cpuSeconds() / reading.seconds()),
                number("%.0f", reading.residentBytes() / (double) (1 << 20)));
    }

    private static String number(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }

    private static String version(Path jdk) throws IOException {
        return Files.readAllLines(jdk.resolve("release")).stream()
                .filter(line -> line.startsWith("JAVA_VERSION="))
                .map(line -> line.replaceAll("[^0-9.]", ""))
                .findFirst()
                .orElse(jdk.getFileName().toString());
    }
}
