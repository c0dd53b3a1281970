/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.measure;

import io.phasewise.lab.measure.Scrape;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Reads pages of the processes under test, with a bound. */
public final class HttpPages {
    private static final Duration BOUND = Duration.ofSeconds(20);

    private final HttpClient client = HttpClient.newBuilder()
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
                HttpRequest.newBuilder(URI.create(url)).timeout(BOUND).build(), HttpResponse.BodyHandlers.ofString());
    }

    /**
     * The series of a /metrics page, with when it came and how long it took.
     *
     * @throws IOException when there is no answer, or another one than such a page: series that are
     *     not on a page count as zero, and an error would look like a process at rest
     */
    public TimedScrape scrape(String url) throws IOException, InterruptedException {
        long start = System.nanoTime();
        HttpResponse<String> page = get(url);
        long took = System.nanoTime() - start;
        return new TimedScrape(series(page, url), start + took / 2, took / 1e6);
    }

    private static Scrape series(HttpResponse<String> page, String url) throws IOException {
        if (page.statusCode() != 200) {
            throw new IOException(url + " answered with status " + page.statusCode());
        }
        try {
            Scrape scrape = Scrape.of(page.body());
            if (!scrape.values().isEmpty()) {
                return scrape;
            }
        } catch (NumberFormatException otherText) {
            throw new IOException(url + " answered with status 200 and no metrics", otherText);
        }
        throw new IOException(url + " answered with status 200 and no metrics");
    }
}
