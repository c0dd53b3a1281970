/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.measure;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Reads pages of the processes under test, with a bound. */
public final class HttpPages {
    private static final Duration BOUND = Duration.ofSeconds(20);

    private final HttpClient client =
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(Duration.ofSeconds(5))
                    .build();

    /**
     * The answer, whatever its status.
     *
     * @throws IOException when there is none
     */
    public HttpResponse<String> get(String url) throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create(url)).timeout(BOUND).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /** How long a page takes, as far as its last byte, milliseconds. */
    public double millis(String url) throws IOException, InterruptedException {
        long start = System.nanoTime();
        get(url);
        return (System.nanoTime() - start) / 1e6;
    }

    /** The series of a /metrics page. */
    public Scrape scrape(String url) throws IOException, InterruptedException {
        return Scrape.of(get(url).body());
    }
}
