/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The same day on two servers: one has each sample once, the other four times, of two jobs that a
 * pair of Prometheus servers scraped. The reports are the same.
 */
class ScrapedTwiceIT {

    private static final Instant END = Instant.now().truncatedTo(ChronoUnit.DAYS);
    private static final Instant START = END.minus(Duration.ofDays(1));

    @TempDir
    private static Path homeOfOne;

    @TempDir
    private static Path homeOfTwo;

    @AutoClose
    private static TestPrometheus once;

    @AutoClose
    private static TestPrometheus twice;

    @BeforeAll
    static void fillBoth() throws Exception {
        once = TestPrometheus.start(homeOfOne).awaitReady();
        twice = TestPrometheus.start(homeOfTwo).awaitReady();
        HttpClient http = HttpClient.newHttpClient();
        new KnownCluster(START, 1, true).write(new RemoteWrite(http, once.url(), Map.of()));
        RemoteWrite out = RemoteWrite.twice(http, twice.url());
        new KnownCluster(START, 1, true).write(out);
        // A canary that only a job of another name scrapes.
        for (int minute = 0; minute < 60; minute++) {
            out.at(END.minus(Duration.ofMinutes(60 - minute)));
            String canary = "cluster=elsewhere,profile=default,leader=1,job=kafka-canaries,instance=b:9470";
            out.add(
                    "kafka_canary_end_to_end_latency_seconds",
                    canary,
                    new TreeMap<>(Map.of(-400, 60L * minute)),
                    minute);
            out.add("kafka_canary_probes_total", canary + ",outcome=delivered", 60 * minute);
        }
        out.flush();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--cluster=" + KnownCluster.NAME,
                "--cluster=" + KnownCluster.CLASSIC,
                "--cluster=" + KnownCluster.RECORDED,
                "--fleet=(?:orders|classic|fast|recorded|bare|dark-.*)"
            })
    void theReportIsTheSame(String what, @TempDir Path out) throws Exception {
        JsonNode first = review(once, what, out.resolve("once"));
        JsonNode second = review(twice, what, out.resolve("twice"));
        assertAlike("", first, second);
    }

    @Test
    void aCanaryThatAnotherJobScrapesIsNamedWithThatJob(@TempDir Path out) throws Exception {
        Launched.report(out, twice.url(), "--cluster=elsewhere", START, END)
                .assertRefused(
                        "the series of profile 'default' of cluster 'elsewhere' are of the jobs kafka-canaries, kubernetes-pods",
                        "allowed: job kafka-canary");
    }

    private static JsonNode review(TestPrometheus server, String what, Path out) throws Exception {
        Files.createDirectory(out);
        JsonNode review = Launched.report(out, server.url(), what, START, END).review();
        ((ObjectNode) review).remove(List.of("made", "source", "server"));
        return review;
    }

    /** Sums of other numbers of series may differ in the last digits. */
    private static void assertAlike(String path, JsonNode one, JsonNode other) {
        assertThat(other.getNodeType()).as(path).isEqualTo(one.getNodeType());
        if (one.isNumber()) {
            double value = one.asDouble();
            assertThat(other.asDouble()).as(path).isCloseTo(value, within(1e-9 * Math.abs(value)));
        } else if (one.isObject()) {
            assertThat(other.fieldNames()).as(path).toIterable().containsExactlyElementsOf(one::fieldNames);
            one.fieldNames().forEachRemaining(name -> assertAlike(path + "/" + name, one.get(name), other.get(name)));
        } else if (one.isArray()) {
            assertThat(other).as(path).hasSameSizeAs(one);
            for (int i = 0; i < one.size(); i++) {
                assertAlike(path + "/" + i, one.get(i), other.get(i));
            }
        } else {
            assertThat(other).as(path).isEqualTo(one);
        }
    }
}
