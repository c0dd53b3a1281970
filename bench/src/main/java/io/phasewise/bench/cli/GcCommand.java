/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.cli;

import io.phasewise.bench.run.CanaryReading;
import io.phasewise.bench.run.Cluster;
import io.phasewise.bench.run.Jvm;
import io.phasewise.bench.run.Load;
import io.phasewise.bench.run.NativeHistogram;
import io.phasewise.bench.run.Pauses;
import io.phasewise.lab.measure.Machine;
import io.phasewise.lab.measure.Table;
import io.phasewise.lab.stack.CanaryJvm;
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
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
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
    private double rate = 1_000;

    @Option(
            names = "--heap",
            paramLabel = "MIB",
            description = "Size of the heap (${DEFAULT-VALUE}).")
    private int heap = 128;

    @Option(
            names = "--warm-up",
            paramLabel = "SECONDS",
            description = "Before each measurement (${DEFAULT-VALUE}).")
    private int warmUp = 12;

    @Option(
            names = "--seconds",
            paramLabel = "SECONDS",
            description = "Measured for each collector and round (${DEFAULT-VALUE}).")
    private int seconds = 20;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "Turns of each collector (${DEFAULT-VALUE}).")
    private int rounds = 1;

    GcCommand(Path root) {
        this.root = root;
    }

    /** A collector on a JDK, and what the canary did under it in each round. */
    private record Candidate(
            Path jdk,
            String version,
            String name,
            List<String> options,
            List<CanaryReading> readings) {
        /** All of a histogram's values. */
        NativeHistogram histogram(String metric) {
            return readings.stream()
                    .map(reading -> reading.histogram(metric))
                    .reduce(NativeHistogram.empty(), NativeHistogram::plus);
        }

        double sum(ToDoubleFunction<CanaryReading> what) {
            return readings.stream().mapToDouble(what).sum();
        }
    }

    private static List<Candidate> candidates(Path jdk) throws IOException {
        String version = version(jdk);
        Map<String, List<String>> all = new LinkedHashMap<>();
        all.put("G1", List.of("-XX:+UseG1GC"));
        all.put("G1, goal 5 ms", List.of("-XX:+UseG1GC", "-XX:MaxGCPauseMillis=5"));
        int release = Integer.parseInt(version.split("\\.")[0]);
        all.put(
                CanaryJvm.hasGenerations(release) ? "ZGC, generational" : "ZGC, one generation",
                CanaryJvm.zgc(release));
        all.put("Parallel", List.of("-XX:+UseParallelGC"));
        all.put("Serial", List.of("-XX:+UseSerialGC"));
        List<Candidate> candidates = new ArrayList<>();
        all.forEach(
                (name, options) ->
                        candidates.add(
                                new Candidate(jdk, version, name, options, new ArrayList<>())));
        return candidates;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        OptionCheck check =
                new OptionCheck(spec)
                        .within("--rate", rate, 1, 1e6)
                        .within("--heap", heap, 16, 65_536)
                        .atLeast("--warm-up", warmUp, 0)
                        .atLeast("--seconds", seconds, 1)
                        .atLeast("--rounds", rounds, 1);
        for (Path jdk : jdks) {
            if (!Files.isExecutable(jdk.resolve("bin/java"))) {
                check.fault("--jdk: no Java in " + jdk.resolve("bin"));
            }
        }
        check.done();
        List<Candidate> candidates = new ArrayList<>();
        for (Path jdk : jdks) {
            candidates.addAll(candidates(jdk));
        }
        try (Cluster cluster = OnCluster.start(root, "")) {
            for (int round = 1; round <= rounds; round++) {
                for (Candidate candidate : candidates) {
                    OnCluster.say(
                            "[%d/%d] JDK %s, %s",
                            round, rounds, candidate.version(), candidate.name());
                    candidate.readings().add(measure(cluster, candidate));
                }
            }
        }
        spec.commandLine()
                .getOut()
                .printf(
                        "%s%n%n%.0f probes a second, heap of %d MiB; %d round(s) of %d s after %d s"
                                + " of warming up.%n%n%s",
                        Machine.describe(), rate, heap, rounds, seconds, warmUp, table(candidates));
        return 0;
    }

    private CanaryReading measure(Cluster cluster, Candidate candidate)
            throws IOException, InterruptedException {
        List<String> options = new ArrayList<>(candidate.options());
        options.add("-Xms" + heap + "m");
        options.add("-Xmx" + heap + "m");
        double toOne = rate / cluster.size();
        int entries = (int) Math.ceil(toOne / MOST_TO_ONE_PARTITION);
        return new OnCluster(root, cluster)
                .canary(
                        Jvm.ofDefaults().of(candidate.jdk()).with(options),
                        Load.ofDefaults().at(entries, toOne / entries),
                        Duration.ofSeconds(warmUp),
                        Duration.ofSeconds(seconds));
    }

    private static Table table(List<Candidate> candidates) {
        Table table =
                new Table(
                        "JDK",
                        "collector",
                        "pauses",
                        "p50 ms",
                        "p99 ms",
                        "max ms",
                        "share of time",
                        "hiccup p99.9 ms",
                        "end to end p50 ms",
                        "p99 ms",
                        "CPU",
                        "RSS MiB");
        for (Candidate candidate : candidates) {
            Pauses pauses =
                    Pauses.together(
                            candidate.readings().stream().map(CanaryReading::pauses).toList());
            double seconds = candidate.sum(CanaryReading::seconds);
            NativeHistogram hiccup = candidate.histogram("kafka_canary_hiccup_seconds");
            NativeHistogram latency =
                    candidate.histogram("kafka_canary_end_to_end_latency_seconds");
            double resident =
                    candidate.readings().stream()
                            .mapToLong(CanaryReading::residentBytes)
                            .max()
                            .orElse(0);
            table.row(
                    candidate.version(),
                    candidate.name(),
                    Integer.toString(pauses.milliseconds().size()),
                    number("%.2f", pauses.quantile(0.5)),
                    number("%.2f", pauses.quantile(0.99)),
                    number("%.2f", pauses.max()),
                    number("%.3f %%", pauses.total() / seconds / 10),
                    number("%.2f", hiccup.quantile(0.999) * 1e3),
                    number("%.2f", latency.quantile(0.5) * 1e3),
                    number("%.2f", latency.quantile(0.99) * 1e3),
                    number("%.0f %%", 100 * candidate.sum(CanaryReading::cpuSeconds) / seconds),
                    number("%.0f", resident / (1 << 20)));
        }
        return table;
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
