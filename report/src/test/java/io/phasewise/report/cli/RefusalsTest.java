/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.phasewise.common.progress.Screen;
import io.phasewise.common.progress.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * What a server lacks, or that it goes away, ends in exit code 2 and a sentence, and leaves the
 * report of last month as it was.
 */
class RefusalsTest {

    @TempDir private Path out;

    private final StringWriter err = new StringWriter();
    private final List<Duration> pauses = new ArrayList<>();
    private final Map<String, String> labels =
            new TreeMap<>(
                    Map.of(
                            "cluster", "orders",
                            "profile", "default",
                            "leader", "1",
                            "phase", "commit",
                            "site", "",
                            "without", "",
                            "__name__", "there"));
    private HttpServer http;
    private int answers = Integer.MAX_VALUE;
    private int asked;

    @BeforeEach
    void serve() throws IOException {
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.createContext("/", this::answer);
        http.start();
        for (String name : List.of("report.html", "report.md", "report.json")) {
            Files.writeString(out.resolve(name), "last month");
        }
    }

    @AfterEach
    void stop() {
        http.stop(0);
    }

    @Test
    void anotherCluster() throws Exception {
        labels.put("cluster", "payments");
        assertRefused("no cluster 'orders' between", "there is: payments");
    }

    @Test
    void noCanaryAtAll() throws Exception {
        labels.put("cluster", "");
        assertRefused("the server has no data of any canary");
    }

    @Test
    void noHistograms() throws Exception {
        labels.put("__name__", "");
        assertRefused("no latency histograms of cluster 'orders', neither native nor classic");
    }

    @Test
    void severalSitesAndNoneChosen() throws Exception {
        labels.put("site", "fra-1,muc-2");
        assertRefused(
                "profile 'default' of cluster 'orders' is measured from several sites: fra-1,"
                        + " muc-2;",
                "allowed: --site with one of them");
    }

    @Test
    void oneSiteAndACanaryThatNamesNone() throws Exception {
        labels.put("site", "fra-1");
        labels.put("without", "there");
        assertRefused("several sites: fra-1, '' (no site);");
    }

    @Test
    void aSiteThatIsNotThere() throws Exception {
        labels.put("site", "fra-1,muc-2");
        assertRefused(
                List.of("--site=ber-1"),
                "no site 'ber-1' of profile 'default' of cluster 'orders' in the window; there is:"
                        + " fra-1, muc-2");
    }

    @Test
    void aSiteWhereNoneIsNamed() throws Exception {
        assertRefused(List.of("--site=fra-1"), "no site 'fra-1'", "its canaries name none");
    }

    @Test
    void oneSiteOrAChosenOneOrNoSiteIsNoReason() throws Exception {
        String further = "no probe of cluster 'orders' ended";
        labels.put("site", "fra-1");
        assertRefused(further);
        labels.put("without", "there");
        assertRefused(List.of("--site="), further);
        labels.put("site", "fra-1,muc-2");
        assertRefused(List.of("--site=muc-2"), further);
        labels.put("site", "");
        assertRefused(List.of("--site="), further);
    }

    @Test
    void anEmptyWindow() throws Exception {
        assertRefused(
                "no probe of cluster 'orders' ended between 2026-11-14T12:00:00Z and"
                        + " 2026-11-21T12:00:00Z");
        assertThat(pauses).isEmpty();
    }

    @Test
    void minutesOfWhatIsOnlyRecordedOverFive() throws Exception {
        labels.put("__name__", "");
        labels.put("recorded", "there");
        assertRefused(
                List.of("--from=2026-11-21T11:00", "--to=2026-11-21T11:30"),
                "only latencies recorded over five minutes",
                "allowed: an hour or more");
    }

    @Test
    void aServerThatGoesAwayHalfWayAndStaysAway() throws Exception {
        answers = 9;
        assertRefused("stopped answering");
        assertThat(pauses)
                .containsExactly(
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(3),
                        Duration.ofSeconds(9),
                        Duration.ofSeconds(27));
        assertThat(asked).as("five times, two questions at a time").isBetween(9 + 5, 9 + 2 * 5);
    }

    private void assertRefused(String... parts) throws IOException {
        assertRefused(List.of(), parts);
    }

    private void assertRefused(List<String> options, String... parts) throws IOException {
        assertThat(run(options)).as(err.toString()).isEqualTo(2);
        assertThat(err.toString())
                .contains(parts)
                .contains("No report was written")
                .doesNotContain("Exception");
        try (Stream<Path> files = Files.list(out)) {
            assertThat(files).hasSize(3).allSatisfy(f -> assertThat(f).hasContent("last month"));
        }
    }

    private int run(List<String> more) {
        ByteArrayOutputStream screen = new ByteArrayOutputStream();
        ReportCommand command =
                new ReportCommand(
                        new Screen(new PrintStream(screen), Terminal.plain()),
                        InstantSource.fixed(Instant.parse("2026-11-21T12:00:00Z")),
                        () -> 0,
                        pauses::add);
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "--prometheus=http://127.0.0.1:" + http.getAddress().getPort(),
                                "--cluster=orders",
                                "--out=" + out));
        arguments.addAll(more);
        return new CommandLine(command)
                .setOut(new PrintWriter(screen, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments.toArray(String[]::new));
    }

    /** The labels that there are, and not a single value. */
    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            if (++asked > answers) {
                return;
            }
            String path = exchange.getRequestURI().getPath();
            String data = "{\"resultType\":\"matrix\",\"result\":[]}";
            if (path.startsWith("/api/v1/label/")) {
                String label = path.split("/")[4];
                boolean recorded =
                        label.equals("__name__")
                                && labels.containsKey("recorded")
                                && exchange.getRequestURI().getQuery().contains("rate5m");
                boolean without =
                        label.equals("__name__")
                                && exchange.getRequestURI().getQuery().contains("site=\"\"}");
                String value = labels.get(recorded ? "recorded" : without ? "without" : label);
                data = value.isEmpty() ? "[]" : "[\"" + value.replace(",", "\",\"") + "\"]";
            }
            byte[] body =
                    ("{\"status\":\"success\",\"data\":" + data + "}")
                            .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }
}
