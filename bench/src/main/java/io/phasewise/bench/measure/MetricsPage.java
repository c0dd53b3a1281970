/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.measure;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLConnection;

/** Fetches pages of metrics. */
public final class MetricsPage {
    private static final int READ_BOUND_MILLIS = 120_000;

    private MetricsPage() {}

    /**
     * Fetches one.
     *
     * @param address of the server; the page is /metrics
     * @param accept the content type that is asked for
     * @throws IOException when it does not come
     */
    public static byte[] fetch(String address, String accept) throws IOException {
        URLConnection page = URI.create(address + "/metrics").toURL().openConnection();
        page.setReadTimeout(READ_BOUND_MILLIS);
        page.setRequestProperty("Accept", accept);
        try (InputStream body = page.getInputStream()) {
            return body.readAllBytes();
        }
    }
}
