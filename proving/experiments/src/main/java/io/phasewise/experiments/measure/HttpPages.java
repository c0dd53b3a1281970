/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.measure;

import io.phasewise.common.client.BoundedClient;
import io.phasewise.lab.measure.Scrape;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Reads pages of the processes under test, with a bound. */
public final class HttpPages {
    private static final BoundedClient.Limits ANSWERS = BoundedClient.Limits.of(Duration.ofSeconds(20), 256L << 20);

    private final BoundedClient client = new BoundedClient(HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build());

    /**
     * An answer.
     *
     * @param status HTTP status
     */
    public record Page(int status, String text) {}

    /**
     * The answer, whatever its status.
     *
     * @throws IOException when there is none
     */
    public Page get(String url) throws IOException, InterruptedException {
        HttpResponse<byte[]> answer = client.send(HttpRequest.newBuilder(URI.create(url)), ANSWERS);
        return new Page(answer.statusCode(), new String(answer.body(), StandardCharsets.UTF_8));
    }

    /**
     * The series of a /metrics page, with the moment at which it came and how long it took.
     *
     * @throws IOException when there is no answer, or it is no such page. Missing series count
     *     as zero, so an error page must not look like an idle process
     */
    public TimedScrape scrape(String url) throws IOException, InterruptedException {
        long start = System.nanoTime();
        Page page = get(url);
        long took = System.nanoTime() - start;
        return new TimedScrape(series(page, url), start + took / 2, took / 1e6);
    }

    private static Scrape series(Page page, String url) throws IOException {
        if (page.status() != 200) {
            throw new IOException(url + " answered with status " + page.status());
        }
        try {
            Scrape scrape = Scrape.of(page.text());
            if (!scrape.values().isEmpty()) {
                return scrape;
            }
        } catch (NumberFormatException otherText) {
            throw new IOException(url + " answered with status 200 and no metrics", otherText);
        }
        throw new IOException(url + " answered with status 200 and no metrics");
    }
}
