/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What is answered to a {@link Request}: computed as a whole before anything is sent, so that no
 * slow client can hold up what computes it.
 */
public final class Answer {

    private static final String TEXT = "text/plain; charset=utf-8";

    final int status;
    final Map<String, String> headers;
    final Body body;

    /** Length of the body in bytes, before it is compressed. */
    final int length;

    final boolean compressible;

    /** Writes what was computed; may be called several times, also at once. */
    interface Body {
        void writeTo(OutputStream out) throws IOException;
    }

    private Answer(int status, Map<String, String> headers, Body body, int length, boolean compressible) {
        this.status = status;
        this.headers = headers;
        this.body = body;
        this.length = length;
        this.compressible = compressible;
    }

    /** Plain text; its last line ends with a line break. */
    public static Answer text(int status, String text) {
        return of(status, TEXT, text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Any content.
     *
     * @param type as in {@code Content-Type}
     */
    public static Answer of(int status, String type, byte[] content) {
        return new Answer(
                status,
                Map.of("Content-Type", type),
                out -> Content.send(content, content.length, out),
                content.length,
                false);
    }

    /**
     * A large content, which must no longer be written to: compressed for clients that accept that,
     * and not copied.
     */
    public static Answer large(int status, String type, Content content) {
        return new Answer(status, Map.of("Content-Type", type), content::sendTo, content.size(), true);
    }

    /** The endpoint has more to do than it can: the client should ask again in a second. */
    static Answer busy(String why) {
        return text(503, why + "\n").with("Retry-After", "1");
    }

    /** The same with one more header, or another value of one. */
    public Answer with(String header, String value) {
        Map<String, String> all = new LinkedHashMap<>(headers);
        all.put(header, value);
        return new Answer(status, all, body, length, compressible);
    }
}
