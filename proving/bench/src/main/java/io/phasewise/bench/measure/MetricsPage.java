/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.measure;

import io.phasewise.common.client.BoundedClient;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Fetches pages of metrics. */
public final class MetricsPage {
    private static final BoundedClient.Limits PAGES = BoundedClient.Limits.of(Duration.ofMinutes(2), 1L << 30);
    private static final BoundedClient CLIENT = new BoundedClient(
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build());

    private MetricsPage() {}

    /**
     * Fetches a page.
     *
     * @param address of the server, without the path /metrics
     * @param accept the content type that is asked for
     * @throws IOException when there is no such page
     */
    public static byte[] fetch(String address, String accept) throws IOException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(address + "/metrics")).header("Accept", accept);
        try {
            HttpResponse<byte[]> page = CLIENT.send(request, PAGES);
            if (page.statusCode() != 200) {
                throw new IOException(address + " answers " + page.statusCode());
            }
            return page.body();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException();
        }
    }
}
