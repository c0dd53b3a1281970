/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.phasewise.lab.measure.Scrape;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;

/** What a running canary serves, for tests; running it is left to others. */
final class CanaryPages {
    static {
        // Ten times a second, as by default, polling took half a processor from every test.
        Awaitility.setDefaultPollInterval(Duration.ofMillis(400));
    }

    private final HttpClient client = HttpClient.newHttpClient();
    private final ObjectMapper json = new ObjectMapper();
    private final String base;

    /**
     * @param base the canary's address, without a slash at the end
     */
    CanaryPages(String base) {
        this.base = base;
    }

    String url() {
        return base + "/";
    }

    JsonNode status() {
        try {
            return json.readTree(get("/status", "application/json").body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    JsonNode cluster(String name) {
        for (JsonNode cluster : status().get("clusters")) {
            if (cluster.get("name").asText().equals(name)) {
                return cluster;
            }
        }
        throw new IllegalStateException("no cluster " + name);
    }

    boolean ready() {
        return get("/-/ready", "*/*").statusCode() == 200;
    }

    String readiness() {
        return new String(get("/-/ready", "*/*").body(), StandardCharsets.UTF_8);
    }

    Scrape scrape() {
        return Scrape.of(
                new String(
                        get("/metrics", "application/openmetrics-text; version=1.0.0").body(),
                        StandardCharsets.UTF_8));
    }

    /**
     * A scrape in which so many more probes are back through each leader.
     *
     * @param of labels that tell whose, each for itself; see {@link PhaseSums#between}
     */
    Scrape awaitProbes(Scrape since, int each, List<String> of, int... leaders) {
        await(each + " probes through each broker: " + of)
                .atMost(Duration.ofSeconds(60))
                .until(
                        () -> {
                            Scrape now = scrape();
                            return of.stream()
                                    .allMatch(
                                            one ->
                                                    PhaseSums.recorded(
                                                            since, now, one, each, leaders));
                        });
        return scrape();
    }

    /** Probes delivered while that broker led. */
    static double delivered(Scrape scrape, int leader) {
        return scrape.sum("kafka_canary_probes_total", "outcome=\"delivered\"", leader(leader));
    }

    /** Whether every scheduled probe is accounted for exactly once. */
    static boolean conserved(Scrape scrape, int leader) {
        return scrape.sum("kafka_canary_probes_scheduled_total", leader(leader))
                == scrape.sum("kafka_canary_probes_total", leader(leader))
                        + scrape.sum("kafka_canary_probes_in_flight", leader(leader));
    }

    static String leader(int id) {
        return Scrape.label("leader", id);
    }

    byte[] scrapeProtobuf() {
        return get(
                        "/metrics",
                        "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited")
                .body();
    }

    private HttpResponse<byte[]> get(String path, String accept) {
        try {
            return client.send(
                    HttpRequest.newBuilder(URI.create(base + path))
                            .timeout(Duration.ofSeconds(30))
                            .header("Accept", accept)
                            .build(),
                    HttpResponse.BodyHandlers.ofByteArray());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
