/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.phasewise.canary.Canary;
import io.phasewise.canary.config.CanaryConfig;
import io.phasewise.canary.config.ConfigLoader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A canary whose cluster cannot be reached, and whose threads meet faults. */
class UnreachableClusterTest {
    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final String CONFIG = """
            canary:
              http: {port: 0}
              clusters:
                gone:
                  bootstrap-servers: 127.0.0.1:1
                  admin: {default.api.timeout.ms: 500, request.timeout.ms: 500}
            """;

    /** A clock that fails each thread whose name begins so, once. */
    private static LongSupplier faultyFor(String... prefixes) {
        Set<String> faulty = ConcurrentHashMap.newKeySet();
        faulty.addAll(List.of(prefixes));
        return () -> {
            String thread = Thread.currentThread().getName();
            if (faulty.removeIf(thread::startsWith)) {
                throw new IllegalStateException("a fault in " + thread);
            }
            return System.nanoTime();
        };
    }

    @Test
    void keeperTickerAndHiccupMeterSurviveAFaultAndCountIt() throws Exception {
        try (Canary canary = canary(CONFIG, faultyFor("cluster-", "tick-", "hiccups"))) {
            canary.start();
            for (String thread : Set.of("keeper", "ticker", "hiccups")) {
                String series = "kafka_canary_errors_total{client=\""
                        + thread
                        + "\",cluster=\"gone\",error=\"IllegalStateException\",profile=\"default\"} 1.0";
                await().alias(thread).atMost(BOUND).until(() -> scrape(canary).contains(series));
            }
            assertThat(scrape(canary))
                    .as("silence can be told from nothing configured")
                    .contains("kafka_canary_slo_target_seconds{cluster=\"gone\",profile=\"default\"} 0.05")
                    .doesNotContain("kafka_canary_probes_scheduled_total{");
            await().alias("the keeper looks again")
                    .atMost(BOUND)
                    .until(() ->
                            !canary.status().clusters().get(0).at().problems().isEmpty());
        }
    }

    @Test
    void aHostThatDnsDoesNotKnowIsNamedUnderBootstrapServers() throws Exception {
        try (Canary canary = canary(CONFIG.replace("127.0.0.1:1", "kafka.invalid:9092"), System::nanoTime)) {
            canary.start();
            await().atMost(BOUND)
                    .untilAsserted(() -> assertThat(
                                    canary.status().clusters().get(0).at().problems())
                            .singleElement()
                            .matches(problem -> problem.key().equals("bootstrap-servers")
                                    && problem.message()
                                            .contains("kafka.invalid:9092: the host is not known here (DNS")));
        }
    }

    @Test
    void profilesShareTheKeeperTheAdminClientAndThePings() throws Exception {
        String two = CONFIG + "      profiles: {bulk: {probe: {rate: 5}}}\n";
        try (Canary canary = canary(two, System::nanoTime)) {
            canary.start();
            for (String profile : List.of("default", "bulk")) {
                String series = "client=\"admin\".*profile=\"" + profile + "\"";
                await().alias(profile)
                        .atMost(BOUND)
                        .until(() ->
                                Pattern.compile(series).matcher(scrape(canary)).find());
            }
            assertThat(threads("cluster-gone")).containsExactly("cluster-gone");
            assertThat(threads("ping-gone")).containsExactly("ping-gone");
            assertThat(threads("tick-gone")).containsExactly("tick-gone", "tick-gone@bulk");
            assertThat(threads("kafka-admin-client-thread | phasewise-canary-gone"))
                    .containsExactly("kafka-admin-client-thread | phasewise-canary-gone-admin");
        }
    }

    @Test
    void aStateFileThatCannotBeUsedIsCountedAndStopsNothing(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("state");
        Files.writeString(file, "garbage");
        try (Canary canary = canary(withStateFile(file), System::nanoTime)) {
            canary.start();
            String series =
                    "kafka_canary_errors_total{client=\"state-file\",cluster=\"gone\",error=\"IOException\",profile="
                            + "\"default\"} 1.0";
            await().atMost(BOUND).until(() -> get(canary, "/metrics").contains(series));
            assertThat(get(canary, "/suspects")).startsWith("{\"version\":1,\"clusters\":[{\"cluster\":\"gone\"");
        }
        assertThat(file).as("nothing was learned").hasContent("garbage");
    }

    @Test
    void whatWasLearnedIsKeptAlsoByACanaryThatReachesNobody(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("state");
        String minute =
                "{\"cluster\":\"gone\",\"profile\":\"default\",\"marked\":true,\"leader\":%d,\"at\":%d,\"waits\":[]}";
        long now = Instant.now().getEpochSecond();
        String recent = minute.formatted(1, now - 60);
        String old = minute.formatted(2, now - 2 * 86_400);
        Files.write(file, List.of("{\"version\":1}", old, recent, "{\"minutes\":2}"));
        try (Canary canary = canary(withStateFile(file), System::nanoTime)) {
            canary.start();
            await().alias("the file is read")
                    .atMost(BOUND)
                    .until(() -> Thread.getAllStackTraces().entrySet().stream()
                            .anyMatch(each -> each.getKey().getName().equals("state-file")
                                    && Arrays.stream(each.getValue())
                                            .anyMatch(frame ->
                                                    frame.getMethodName().equals("pause"))));
        }
        assertThat(Files.readAllLines(file)).containsExactly("{\"version\":1}", recent, "{\"minutes\":1}");
    }

    private static String withStateFile(Path file) {
        return CONFIG.replace("canary:\n", "canary:\n  state-file: '" + file + "'\n");
    }

    private static List<String> threads(String prefix) {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith(prefix))
                .sorted()
                .toList();
    }

    private static Canary canary(String yaml, LongSupplier clock) throws Exception {
        CanaryConfig config = new ConfigLoader(Map.of()).load(yaml, "test").config();
        return new Canary(config, "test", clock);
    }

    private static String scrape(Canary canary) throws Exception {
        return get(canary, "/metrics");
    }

    private static String get(Canary canary, String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + canary.port() + path);
        HttpRequest request = HttpRequest.newBuilder(uri).build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
    }
}
