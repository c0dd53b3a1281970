/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.cli;

import io.phasewise.bench.run.Jvm;
import io.phasewise.bench.run.ManyClusters;
import io.phasewise.bench.run.ManyClusters.Cost;
import io.phasewise.lab.measure.Machine;
import io.phasewise.lab.measure.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What one more cluster costs a canary. */
@Command(
        name = "clusters",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Memory, threads, sockets and processor time of a canary by its clusters.",
        footer =
                "%nEach cluster is one of a few brokers under a name and a topic of its own."
                        + " Larger counts need memory: 16 MiB of heap are given for each.")
final class ClustersCommand implements Callable<Integer> {
    private static final int HEAP_BASE_MEBIBYTES = 128;
    private static final int HEAP_EACH_MEBIBYTES = 16;

    private final Path root;

    @Spec private CommandSpec spec;

    @Option(
            names = "--counts",
            paramLabel = "N",
            split = ",",
            description = "Of clusters, each a canary of its own, rising (1,50,100,200).")
    private List<Integer> counts = List.of(1, 50, 100, 200);

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "Probes a second to each cluster (${DEFAULT-VALUE}).")
    private double rate = 2;

    @Option(
            names = "--brokers",
            paramLabel = "N",
            description = "That stand for the clusters (${DEFAULT-VALUE}).")
    private int brokers = 4;

    @Option(
            names = "--lanes",
            paramLabel = "N",
            description =
                    "Of each cluster at most; without it as the canary has it, which on a machine"
                            + " with too much to do is a multiple of what a quiet one needs.")
    private Integer lanes;

    @Option(
            names = "--bound",
            paramLabel = "SECONDS",
            description = "Until all clusters have to be measured (${DEFAULT-VALUE}).")
    private int bound = 300;

    @Option(
            names = "--warm-up",
            paramLabel = "SECONDS",
            description = "Before each measurement (${DEFAULT-VALUE}).")
    private int warmUp = 40;

    @Option(
            names = "--seconds",
            paramLabel = "SECONDS",
            description = "Measured for each count (${DEFAULT-VALUE}).")
    private int seconds = 30;

    ClustersCommand(Path root) {
        this.root = root;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        OptionCheck check =
                new OptionCheck(spec)
                        .within("--rate", rate, 0.1, 1_000)
                        .within("--brokers", brokers, 1, 50)
                        .within("--lanes", lanes == null ? 1 : lanes, 1, 256)
                        .atLeast("--bound", bound, 1)
                        .atLeast("--warm-up", warmUp, 0)
                        .atLeast("--seconds", seconds, 1);
        int last = 0;
        for (int count : counts) {
            check.atLeast("--counts", count, last + 1);
            last = count;
        }
        check.done();
        List<Cost> costs = new ArrayList<>();
        OnCluster.say("starting %d brokers", brokers);
        try (ManyClusters clusters = ManyClusters.start(root, brokers)) {
            for (int count : counts) {
                OnCluster.say("[%d/%d] %d clusters", costs.size() + 1, counts.size(), count);
                Cost cost =
                        clusters.measure(
                                Jvm.ofDefaults()
                                        .heap(HEAP_BASE_MEBIBYTES + HEAP_EACH_MEBIBYTES * count),
                                count,
                                rate,
                                lanes == null ? OptionalInt.empty() : OptionalInt.of(lanes),
                                Duration.ofSeconds(bound),
                                Duration.ofSeconds(warmUp),
                                Duration.ofSeconds(seconds));
                costs.add(cost);
                OnCluster.say(
                        "      %.0f probes/s, %.2f of a processor", cost.delivered(), cost.cpu());
            }
        }
        spec.commandLine()
                .getOut()
                .printf(
                        "%s%n%n%s probes a second to each cluster; %d s after %d s of warming"
                                + " up.%n%n%s%n%s",
                        Machine.describe(),
                        rate,
                        seconds,
                        warmUp,
                        table(costs),
                        kinds(costs.get(costs.size() - 1)));
        return 0;
    }

    /** What is measured, with its column. */
    private record Column(String name, ToDoubleFunction<Cost> of) {}

    private static final List<Column> COLUMNS =
            List.of(
                    new Column("probes/s", Cost::delivered),
                    new Column("live heap MiB", cost -> cost.liveHeapBytes() / (1 << 20)),
                    new Column("resident MiB", cost -> cost.residentBytes() / (1 << 20)),
                    new Column("lanes", Cost::lanes),
                    new Column("threads", Cost::threads),
                    new Column("sockets", Cost::sockets),
                    new Column("open files", Cost::files),
                    new Column("CPU ms/s", cost -> 1e3 * cost.cpu()),
                    new Column("series", Cost::series),
                    new Column("series, classic", Cost::lines),
                    new Column("scrape KiB", cost -> cost.scrapeBytes() / (1 << 10)),
                    new Column("scrape ms", cost -> 1e3 * cost.scrapeSeconds()),
                    new Column("start s", Cost::startSeconds));

    private static Table table(List<Cost> costs) {
        List<String> header = new ArrayList<>(List.of("clusters"));
        COLUMNS.forEach(column -> header.add(column.name()));
        Table table = new Table(header.toArray(String[]::new));
        for (Cost cost : costs) {
            row(
                    table,
                    Integer.toString(cost.clusters()),
                    column -> column.of().applyAsDouble(cost));
        }
        if (costs.size() > 1) {
            Cost first = costs.get(0);
            Cost last = costs.get(costs.size() - 1);
            row(
                    table,
                    "one more",
                    column ->
                            (column.of().applyAsDouble(last) - column.of().applyAsDouble(first))
                                    / (last.clusters() - first.clusters()));
        }
        return table;
    }

    /** Where threads and processor time of one canary are. */
    private static Table kinds(Cost cost) {
        Table table =
                new Table("threads of " + cost.clusters() + " clusters", "number", "CPU ms/s");
        cost.kinds()
                .forEach(
                        (kind, share) ->
                                table.row(
                                        kind.title(),
                                        Integer.toString(share.threads()),
                                        String.format(Locale.ROOT, "%.1f", 1e3 * share.cpu())));
        return table;
    }

    private static void row(Table table, String name, ToDoubleFunction<Column> value) {
        List<String> cells = new ArrayList<>(List.of(name));
        COLUMNS.forEach(
                column ->
                        cells.add(String.format(Locale.ROOT, "%.1f", value.applyAsDouble(column))));
        table.row(cells.toArray(String[]::new));
    }
}
