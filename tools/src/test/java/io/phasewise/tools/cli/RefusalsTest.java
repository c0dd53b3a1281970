/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.report.source.FakePrometheus;
import io.phasewise.report.source.FakePrometheus.Answer;
import io.phasewise.report.source.FakePrometheus.Asked;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What a server lacks ends in exit code 2, that it cannot be read in 1, both in a sentence, and
 * leave the report of last month as it was.
 */
class RefusalsTest {

    @TempDir
    private Path out;

    @TempDir
    private Path home;

    private final CommandRun run = new CommandRun();
    private final Map<String, String> labels = new TreeMap<>(Map.of(
            "cluster", "orders",
            "profile", "default",
            "leader", "1",
            "phase", "commit",
            "site", "",
            "without", "",
            "job", "kafka-canary",
            "__name__", "there"));

    @AutoClose
    private FakePrometheus fake;

    private int answers = Integer.MAX_VALUE;
    private int asked;
    private Answer fault;
    private String shown;

    @BeforeEach
    void serve() throws IOException {
        fake = new FakePrometheus(this::answer);
        for (String name : List.of("report.html", "report.md", "report.json")) {
            Files.writeString(out.resolve(name), "last month");
        }
    }

    @ParameterizedTest(name = "{0} {1}: {2}")
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
                    profile=default | | no probe of cluster 'orders' ended between 2026-11-14T12:00:00Z and 2026-11-21T12:00:00Z
                    cluster=payments | | no cluster 'orders' between 2026-11-14T12:00:00Z and 2026-11-21T12:00:00Z; there is: payments
                    cluster= | | the server has no data of any canary
                    __name__= | | no latency histograms of cluster 'orders', neither native nor classic
                    other= job=kubernetes-pods,pods | | the series of profile 'default' of cluster 'orders' are of the jobs kubernetes-pods, pods; allowed: job kafka-canary, which
                    other= job= | | the series of profile 'default' of cluster 'orders' have no label 'job'; allowed: job kafka-canary
                    site=fra-1,muc-2 | | cluster 'orders' is measured from several sites: fra-1, muc-2; one percentile of several sites would mean nothing; allowed: --site with one of them
                    site=fra-1 without=there | | several sites: fra-1, '' (no site);
                    site=fra-1,muc-2 | --site=ber-1 | no site 'ber-1' of profile 'default' of cluster 'orders' in the window; there is: fra-1, muc-2
                    site= | --site=fra-1 | its canaries name none
                    site=fra-1 | | no probe of cluster 'orders' ended
                    site=fra-1 without=there | --site= | no probe of cluster 'orders' ended
                    site=fra-1,muc-2 without=there | --site=muc-2 | no probe of cluster 'orders' ended
                    site= without=there | --site= | no probe of cluster 'orders' ended
                    __name__= recorded=there | --from=2026-11-21T11:00 --to=2026-11-21T11:30 | only latencies recorded over five minutes, too coarse for a window shorter than an hour; allowed: an hour or more
                    """)
    void whatTheServerLacksIsRefused(String there, String options, String why) throws Exception {
        for (String label : there.split(" ")) {
            labels.put(label.split("=", 2)[0], label.split("=", 2)[1]);
        }
        assertRefused(options == null ? List.of() : List.of(options.split(" ")), why);
        assertThat(run.pauses).isEmpty();
    }

    @Test
    void theTokenOfAFileIsShown() throws Exception {
        Path token = Files.writeString(home.resolve("token"), "open-sesame\n");
        run(List.of("--bearer-token-file=" + token));
        assertThat(shown).isEqualTo("Bearer open-sesame");
    }

    @Test
    void aServerThatGoesAwayHalfWayAndStaysAway() throws Exception {
        answers = 9;
        assertEnded(1, List.of(), "stopped answering");
        assertThat(run.pauses)
                .containsExactly(
                        Duration.ofSeconds(1), Duration.ofSeconds(3), Duration.ofSeconds(9), Duration.ofSeconds(27));
        assertThat(asked).as("five times, two questions at a time").isBetween(9 + 5, 9 + 2 * 5);
    }

    /** As Ctrl-C does. */
    @Test
    void whoInterruptsItIsToldSo() throws Exception {
        Thread.currentThread().interrupt();

        assertThat(run(List.of())).isEqualTo(1);
        assertThat(run.said())
                .isEqualTo("phasewise report: interrupted; no report was written" + System.lineSeparator());
    }

    @Test
    void aHostThatDnsDoesNotKnowIsNamed() throws Exception {
        assertEnded(
                1,
                List.of("--prometheus=http://prometheus.invalid:9090"),
                "http://prometheus.invalid:9090 does not answer: the host is not known here (DNS, /etc/hosts)");
    }

    @Test
    void aServerThatIsNotThereIsNoBadUsage() throws Exception {
        assertEnded(1, List.of("--prometheus=http://127.0.0.1:1"), "http://127.0.0.1:1 does not answer: no connection");
    }

    /** The stack of a first hour: all that there is came after the last full hour. */
    @ParameterizedTest(name = "{0} since, {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
                    local | local | since then there is: local. A window of a day or more ends at the last full hour: try --from now-1h
                    local | prod  | and at no time any of cluster 'prod'; there is: local
                    ""    | old   | at other times there is: old. Was the canary down?
                    """)
    void aWindowWithoutDataSaysWhereThereIsSome(String since, String cluster, String why) throws Exception {
        labels.put("cluster", "");
        labels.put("since", since);
        labels.put("ever", since.isEmpty() ? "old" : since);

        assertRefused(List.of("--cluster=" + cluster), why);
        run.forget();
        assertRefused(List.of("--fleet=" + cluster), why);
    }

    @Test
    void aPatternThatIsNoneIsBadUsage() throws Exception {
        fault = new Answer(
                400,
                "{\"status\":\"error\",\"errorType\":\"bad_data\",\"error\":\"invalid parameter \\\"match[]\\\":"
                        + " 1:20: parse error: error parsing regexp: missing closing ): `^(?s:()$`\"}");

        assertRefused(List.of("--fleet=("), "--fleet: '(' is not a regular expression: " + fake.url());
    }

    private void assertRefused(List<String> options, String part) throws IOException {
        assertEnded(2, options, part);
    }

    private void assertEnded(int status, List<String> options, String part) throws IOException {
        assertThat(run(options)).as(run.said()).isEqualTo(status);
        assertThat(run.said()).contains(part).contains("No report was written").doesNotContain("Exception");
        try (Stream<Path> files = Files.list(out)) {
            assertThat(files).hasSize(3).allSatisfy(f -> assertThat(f).hasContent("last month"));
        }
    }

    private int run(List<String> more) {
        List<String> arguments = new ArrayList<>(List.of("--out=" + out));
        if (more.stream().noneMatch(each -> each.startsWith("--prometheus"))) {
            arguments.add("--prometheus=" + fake.url());
        }
        if (more.stream().noneMatch(each -> each.matches("--(cluster|fleet).*"))) {
            arguments.add("--cluster=orders");
        }
        arguments.addAll(more);
        return run.of(arguments);
    }

    /** The labels that there are, and not a single value. */
    private Answer answer(Asked question) {
        shown = question.authorization();
        if (fault != null) {
            return fault;
        }
        if (++asked > answers) {
            return null;
        }
        if (!question.path().startsWith("/api/v1/label/")) {
            return Answer.matrix();
        }
        String label = question.path().split("/")[4];
        String selector = question.form().getOrDefault("match[]", "");
        if (label.equals("__name__")) {
            boolean recorded = labels.containsKey("recorded") && selector.contains("rate5m");
            boolean other = labels.containsKey("other")
                    && (selector.contains("job=") || selector.contains("{__name__=\"kafka_canary:"));
            boolean without = selector.contains("site=\"\"}");
            label = other ? "other" : recorded ? "recorded" : without ? "without" : label;
        }
        Instant end = Instant.ofEpochSecond(Long.parseLong(question.form().getOrDefault("end", "0")));
        if (label.equals("cluster") && labels.containsKey("since") && end.equals(CommandRun.NOW)) {
            label = question.form().get("start").equals("0") ? "ever" : "since";
        }
        String value = labels.get(label);
        return Answer.of(value.isEmpty() ? "[]" : "[\"" + value.replace(",", "\",\"") + "\"]");
    }
}
