/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.cli;

import io.phasewise.lab.measure.Table;
import io.phasewise.lab.series.FleetSize;
import io.phasewise.lab.series.SeriesCensus;
import io.phasewise.lab.series.SeriesCensus.Count;
import io.phasewise.lab.series.SeriesKind;
import io.phasewise.lab.server.PrometheusClient;
import io.phasewise.lab.server.PrometheusClient.Target;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** How many series a running stack has, against the budget; what a fleet would have by it. */
@Command(
        name = "series",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Series and samples a second of a running stack, and what a fleet would have.",
        footer =
                "%nExit status 1 where there are more series than the budget has"
                        + " (docs/scale.md).")
final class SeriesCommand implements Callable<Integer> {
    private static final int FAMILIES = 10;
    private static final Duration BOUND = Duration.ofSeconds(10);
    private static final String PROTOBUF =
            "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;"
                    + "encoding=delimited";

    @Spec private CommandSpec spec;

    @Option(
            names = "--prometheus",
            paramLabel = "URL",
            description = "That scrapes the stack (${DEFAULT-VALUE}).")
    private URI prometheus = URI.create("http://127.0.0.1:9090");

    @Option(
            names = "--scrape-interval",
            paramLabel = "SECONDS",
            description = "Of canaries and brokers (${DEFAULT-VALUE}).")
    private int scrapeInterval = 5;

    @Option(
            names = "--plan",
            description = "Ask no Prometheus: print what fleets would have by the budget.")
    private boolean plan;

    @Override
    public Integer call() throws IOException, InterruptedException {
        new OptionCheck(spec).atLeast("--scrape-interval", scrapeInterval, 1).done();
        PrintWriter out = spec.commandLine().getOut();
        if (plan) {
            out.print(FleetSize.table());
            out.flush();
            return 0;
        }
        HttpClient http = HttpClient.newBuilder().connectTimeout(BOUND).build();
        PrometheusClient client = new PrometheusClient(prometheus, http);
        SeriesCensus census = SeriesCensus.of(client, Duration.ofSeconds(scrapeInterval));
        out.printf(
                "%s histograms.%n%n%s%n", census.isClassic() ? "Classic" : "Native", kinds(census));
        out.printf(
                "Of the brokers:%n%n%s%n",
                families(census, List.of(SeriesKind.BROKER, SeriesKind.TOPIC, SeriesKind.CLIENT)));
        out.printf(
                "Of the canaries:%n%n%s%n",
                families(
                        census,
                        List.of(
                                SeriesKind.CANARY,
                                SeriesKind.PROFILE,
                                SeriesKind.LEADER,
                                SeriesKind.MIRRORED_LEADER)));
        out.printf(
                "Recorded:%n%n%s%n",
                families(
                        census,
                        Stream.of(SeriesKind.values()).filter(SeriesKind::isRecorded).toList()));
        out.printf("A scrape:%n%n%s", scrapes(client, http));
        List<String> over = census.overBudget();
        over.forEach(spec.commandLine().getErr()::println);
        return over.isEmpty() ? 0 : 1;
    }

    private static Table kinds(SeriesCensus census) {
        Table table =
                new Table(
                        "for each",
                        "there are",
                        "series",
                        "series of one",
                        "budget",
                        "samples/s of one");
        for (SeriesKind kind : SeriesKind.values()) {
            Count count = census.count(kind);
            table.row(
                    kind.title(),
                    Integer.toString(count.units()),
                    Integer.toString(count.series()),
                    decimal(count.each()),
                    decimal(census.budget(kind)),
                    decimal(count.perSecondOfEach()));
        }
        return table;
    }

    private static Table families(SeriesCensus census, List<SeriesKind> kinds) {
        Map<String, Integer> all = census.families(kinds);
        int sum = all.values().stream().mapToInt(Integer::intValue).sum();
        Table table = new Table("metric", "series", "share");
        all.entrySet().stream()
                .sorted(
                        Map.Entry.<String, Integer>comparingByValue()
                                .reversed()
                                .thenComparing(Map.Entry.comparingByKey()))
                .limit(FAMILIES)
                .forEach(
                        family ->
                                table.row(
                                        family.getKey(),
                                        Integer.toString(family.getValue()),
                                        decimal(100.0 * family.getValue() / sum) + " %"));
        table.row("all " + all.size(), Integer.toString(sum), "100.0 %");
        return table;
    }

    /** What each canary and broker answers, in the form that Prometheus asks for and as text. */
    private static Table scrapes(PrometheusClient client, HttpClient http)
            throws IOException, InterruptedException {
        Table table = new Table("target", "protobuf", "compressed", "text", "text, compressed");
        List<Target> targets =
                client.targets().stream()
                        .filter(target -> target.labels().get("job").startsWith("kafka-"))
                        .sorted(Comparator.comparing(Target::scrapeUrl))
                        .toList();
        for (Target target : targets) {
            Size protobuf = size(http, target, PROTOBUF);
            Size text = size(http, target, "text/plain;version=0.0.4");
            table.row(
                    target.labels().get("job") + " " + target.labels().get("instance"),
                    Integer.toString(protobuf.plain()),
                    Integer.toString(protobuf.compressed()),
                    Integer.toString(text.plain()),
                    Integer.toString(text.compressed()));
        }
        return table;
    }

    /** Bytes of an answer. */
    private record Size(int plain, int compressed) {}

    private static Size size(HttpClient http, Target target, String accept)
            throws IOException, InterruptedException {
        byte[] answer =
                http.send(
                                HttpRequest.newBuilder(URI.create(target.scrapeUrl()))
                                        .timeout(BOUND)
                                        .header("Accept", accept)
                                        .header("Accept-Encoding", "gzip")
                                        .build(),
                                HttpResponse.BodyHandlers.ofByteArray())
                        .body();
        try (GZIPInputStream plain = new GZIPInputStream(new ByteArrayInputStream(answer))) {
            return new Size(plain.readAllBytes().length, answer.length);
        }
    }

    private static String decimal(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
