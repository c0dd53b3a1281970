/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.peer;

import io.phasewise.bench.measure.NativeHistogram;
import io.phasewise.lab.measure.StandaloneCanary;
import io.phasewise.lab.stack.CanaryJvm;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLConnection;
import java.nio.file.Path;
import java.util.Map;

/**
 * The canary's jar as a process of its own, as users run it, and what it measured so far.
 *
 * @param canary is closed with this
 */
public record MeasuredCanary(StandaloneCanary canary) implements AutoCloseable {
    private static final String PROTOBUF =
            "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;"
                    + "encoding=delimited";

    /**
     * Starts it and waits until a probe went all the way round for every broker.
     *
     * @param root the repository's
     * @param directory for its files
     * @param cluster its configuration below the cluster
     * @throws InterruptedException when interrupted; nothing is left running
     */
    public static MeasuredCanary start(Path root, Path directory, Map<String, Object> cluster)
            throws IOException, InterruptedException {
        Map<String, Object> canary =
                Map.of("http", Map.of("port", 0), "clusters", Map.of("bench", cluster));
        return new MeasuredCanary(
                StandaloneCanary.start(
                        root.resolve("canary/target/phasewise-canary.jar"),
                        directory,
                        Map.of("canary", canary),
                        CanaryJvm.options()));
    }

    /** All end-to-end latencies so far, seconds; what came in between is the difference of two. */
    public NativeHistogram endToEnd() throws IOException {
        URLConnection page = URI.create(canary.url() + "/metrics").toURL().openConnection();
        page.setRequestProperty("Accept", PROTOBUF);
        try (InputStream body = page.getInputStream()) {
            return NativeHistogram.read(
                    body.readAllBytes(), "kafka_canary_end_to_end_latency_seconds");
        }
    }

    @Override
    public void close() {
        canary.close();
    }
}
