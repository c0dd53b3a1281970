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

    /** The series of a /metrics page. */
    public Scrape scrape(String url) throws IOException, InterruptedException {
        return Scrape.of(get(url).body());
    }

    /** The same with when it came and how long it took. */
    public TimedScrape timedScrape(String url) throws IOException, InterruptedException {
        long start = System.nanoTime();
        String page = get(url).body();
        long took = System.nanoTime() - start;
        return new TimedScrape(Scrape.of(page), start + took / 2, took / 1e6);
    }
}
