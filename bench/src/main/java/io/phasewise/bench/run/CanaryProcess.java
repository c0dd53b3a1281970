/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.run;

import io.phasewise.lab.measure.StandaloneCanary;
import io.phasewise.lab.stack.CanaryJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;

/** The canary's jar as a process of its own, as users run it, asked for what it exports. */
public final class CanaryProcess implements AutoCloseable {
    private static final String PROTOBUF =
            "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;"
                    + "encoding=delimited";
    private static final int LINES_SHOWN = 10;

    private final HttpClient client = HttpClient.newHttpClient();
    private final StandaloneCanary canary;

    private CanaryProcess(StandaloneCanary canary) {
        this.canary = canary;
    }

    /**
     * Starts it and waits until a probe went all the way round for every broker.
     *
     * @param jar the canary's
     * @param directory for its files; one for each run
     * @param load what it sends
     * @param bootstrap where to
     * @throws IOException when it cannot be started
     * @throws InterruptedException when interrupted; nothing is left running
     */
    public static CanaryProcess start(Path jar, Path directory, Load load, String bootstrap)
            throws IOException, InterruptedException {
        return new CanaryProcess(
                StandaloneCanary.start(
                        jar, directory, load.configuration(bootstrap), CanaryJvm.options()));
    }

    /**
     * All end-to-end latencies so far, seconds; what came in between is the difference of two.
     *
     * @throws UncheckedIOException when the canary does not answer
     */
    public NativeHistogram endToEnd() throws InterruptedException {
        return scrape().histogram("kafka_canary_end_to_end_latency_seconds");
    }

    private Scrape scrape() throws InterruptedException {
        try {
            return Scrape.of(get("/metrics", PROTOBUF).body());
        } catch (IOException e) {
            String what =
                    canary.process().isAlive()
                            ? "the canary's /metrics does not answer: " + e
                            : "the canary has ended";
            throw new UncheckedIOException(
                    what + "\n" + String.join("\n", canary.process().logExcerpt(LINES_SHOWN)), e);
        }
    }

    private HttpResponse<byte[]> get(String path, String accept)
            throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create(canary.url() + path))
                        .timeout(Duration.ofSeconds(20))
                        .header("Accept", accept)
                        .build(),
                HttpResponse.BodyHandlers.ofByteArray());
    }

    @Override
    public void close() {
        canary.close();
    }
}
