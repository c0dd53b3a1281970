/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.http;

import java.time.Duration;

/** What one endpoint may take of its process. */
public final class HttpLimits {

    final int threads;
    final Duration request;
    final Duration response;
    final int bodyBytes;

    /**
     * @param threads how many requests are answered at once, at least 1
     * @param request for a request to arrive as a whole, the handshake of TLS included
     * @param response for an answer to be taken as a whole
     * @param bodyBytes the largest body of a request that is taken
     */
    public HttpLimits(int threads, Duration request, Duration response, int bodyBytes) {
        this.threads = threads;
        this.request = request;
        this.response = response;
        this.bodyBytes = bodyBytes;
    }
}
