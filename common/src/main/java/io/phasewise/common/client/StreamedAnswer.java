/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.client;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;

/**
 * An answer that is read as it arrives. The reader gets an {@link IOException} when the answer
 * takes too long or is too large, also while it waits for the next byte. For one thread.
 */
public final class StreamedAnswer implements AutoCloseable {

    private static final int BUFFER = 1 << 16;

    private final int status;
    private final HttpHeaders headers;
    private final InputStream body;
    private final CompletableFuture<Void> end;

    private StreamedAnswer(int status, HttpHeaders headers, InputStream body, CompletableFuture<Void> end) {
        this.status = status;
        this.headers = headers;
        this.body = body;
        this.end = end;
    }

    static StreamedAnswer of(HttpResponse<InputStream> response, BoundedClient.Limits limits, Duration left)
            throws IOException {
        TimedStream timed = new TimedStream(response.body(), limits);
        CompletableFuture<Void> end = new CompletableFuture<Void>()
                .completeOnTimeout(null, Math.max(1, left.toNanos()), TimeUnit.NANOSECONDS);
        end.thenRun(() -> timed.expire(limits.late()));
        boolean compressed = response.headers()
                .firstValue("Content-Encoding")
                .filter("gzip"::equals)
                .isPresent();
        try {
            InputStream plain = compressed ? new GZIPInputStream(timed, BUFFER) : timed;
            InputStream body = new SizedStream(plain, limits);
            return new StreamedAnswer(response.statusCode(), response.headers(), body, end);
        } catch (IOException e) {
            end.cancel(false);
            timed.close();
            throw e;
        }
    }

    /** The status of HTTP. */
    public int status() {
        return status;
    }

    /** The first value of a header. */
    public Optional<String> header(String name) {
        return headers.firstValue(name);
    }

    /** The content. */
    public InputStream body() {
        return body;
    }

    /** Closes the connection where the answer has not been read to its end. */
    @Override
    public void close() throws IOException {
        end.cancel(false);
        body.close();
    }

    /** Reading one byte is checked in the same way as reading many. */
    private abstract static class CheckedStream extends FilterInputStream {
        CheckedStream(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public abstract int read(byte[] into, int offset, int length) throws IOException;
    }

    /** Another thread closes it when the time is over, which wakes the reader. */
    private static final class TimedStream extends CheckedStream {
        private final BoundedClient.Limits limits;
        private volatile HttpTimeoutException late;

        TimedStream(InputStream in, BoundedClient.Limits limits) {
            super(in);
            this.limits = limits;
        }

        void expire(HttpTimeoutException why) {
            late = why;
            try {
                in.close();
            } catch (IOException e) {
                // The reader is woken all the same.
            }
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            CompletableFuture<Void> silence = new CompletableFuture<Void>()
                    .completeOnTimeout(null, limits.silence.toNanos(), TimeUnit.NANOSECONDS);
            silence.thenRun(() -> expire(limits.silent()));
            int read = -1;
            try {
                read = in.read(into, offset, length);
            } catch (IOException e) {
                if (late == null) {
                    throw e;
                }
            } finally {
                silence.cancel(false);
            }
            if (late != null) {
                throw late;
            }
            return read;
        }
    }

    /** Counts what is read. */
    private static final class SizedStream extends CheckedStream {
        private final BoundedClient.Limits limits;
        private long left;

        SizedStream(InputStream in, BoundedClient.Limits limits) {
            super(in);
            this.limits = limits;
            left = limits.bytes;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            int read = in.read(into, offset, length);
            left -= Math.max(0, read);
            if (left < 0) {
                throw limits.tooLarge();
            }
            return read;
        }
    }
}
