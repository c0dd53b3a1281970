/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Keeps the README's table of metrics the one that the brokers are held to. */
class ReadmeTest {

    private static final String BEGIN =
            "<!-- metrics: printed from own-metrics.csv and promised-metrics.csv -->\n";
    private static final String END = "<!-- end of metrics -->";

    @Test
    void itsTableIsTheOneThatBrokersAreHeldTo() throws IOException {
        hold(Path.of("README.md"), "metrics.md", table());
    }

    @Test
    void theTableOfClientsIsTheOneOfTheirMetrics() throws IOException {
        String due =
                OwnMetric.CLIENTS.stream()
                        .map(
                                metric ->
                                        "| `"
                                                + String.join(
                                                        " | ",
                                                        metric.name() + "`",
                                                        metric.type(),
                                                        Advice.unit(metric.name()),
                                                        metric.labels(),
                                                        metric.meaning())
                                                + " |\n")
                        .collect(
                                Collectors.joining(
                                        "",
                                        "| metric | type | unit | labels | meaning |\n"
                                                + "|---|---|---|---|---|\n",
                                        ""));
        hold(Path.of("../docs/how-to/client-telemetry.md"), "client-metrics.md", due);
    }

    private static void hold(Path document, String copy, String due) throws IOException {
        String text = Files.readString(document);
        int begin = text.indexOf(BEGIN) + BEGIN.length();
        Files.writeString(Files.createDirectories(Path.of("target")).resolve(copy), due);

        assertThat(text.substring(begin, text.indexOf(END)))
                .as("put target/%s there", copy)
                .isEqualTo(due);
    }

    private static String table() {
        return Stream.concat(
                        OwnMetric.ALL.stream().map(ReadmeTest::row),
                        PromisedMetric.ALL.stream().map(ReadmeTest::row))
                .collect(
                        Collectors.joining(
                                "\n",
                                "| metric | type | unit | labels | meaning | when high |\n"
                                        + "|---|---|---|---|---|---|\n",
                                "\n"));
    }

    private static String row(OwnMetric metric) {
        return row(metric.name(), metric.type(), metric.labels(), metric.meaning());
    }

    private static String row(PromisedMetric metric) {
        String note = metric.presence().note();
        return row(
                metric.name(),
                metric.type().toString(),
                String.join(", ", new TreeSet<>(metric.labels())),
                metric.meaning() + (note.isEmpty() ? "" : " (" + note + ")"));
    }

    private static String row(String name, String type, String labels, String meaning) {
        String plain = name.replace("<phase>", "");
        String action = name.contains("<phase>") ? "see which phase it is" : Advice.action(plain);
        return "| `"
                + name
                + "` | "
                + String.join(
                        " | ",
                        type,
                        name.contains("<phase>") && !name.endsWith("_count")
                                ? "ms"
                                : Advice.unit(name),
                        labels,
                        meaning,
                        action)
                + " |";
    }
}
