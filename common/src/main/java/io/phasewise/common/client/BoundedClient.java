/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Sends requests with Java's client, and bounds the whole of each answer in time and size. The time
 * limit of Java's own requests ends with the headers. Without this class a server that stops in the
 * middle of a body would be waited for without end, and a body of any size would be read into
 * memory. Thread-safe.
 */
public final class BoundedClient {

    private static final Duration SECOND_LIMIT = Duration.ofMillis(500);

    private final HttpClient http;

    /** @param http sends the requests; its trusted authorities and its own certificate are fixed */
    public BoundedClient(HttpClient http) {
        this.http = http;
    }

    /**
     * Asks, and waits for the whole answer.
     *
     * @param request its own time limit is replaced
     * @throws HttpTimeoutException when the answer is not complete in time
     * @throws IOException when there is none, or it is too large
     */
    public HttpResponse<byte[]> send(HttpRequest.Builder request, Limits limits)
            throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<byte[]>> answer = sendAsync(request, limits);
        try {
            return answer.get();
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        } catch (InterruptedException e) {
            answer.cancel(true);
            throw e;
        }
    }

    /**
     * Asks, and does not wait.
     *
     * @param request its own time limit is replaced
     * @return fails with an {@link IOException} when there is no answer, when it is too large, and,
     *     as {@link HttpTimeoutException}, when it is not complete in time; whoever cancels it
     *     closes the connection
     */
    public CompletableFuture<HttpResponse<byte[]>> sendAsync(HttpRequest.Builder request, Limits limits) {
        BoundedBody body = new BoundedBody(limits);
        CompletableFuture<HttpResponse<byte[]>> answer = new CompletableFuture<>();
        CompletableFuture<Void> timer =
                new CompletableFuture<Void>().completeOnTimeout(null, limits.time.toNanos(), TimeUnit.NANOSECONDS);
        timer.thenRun(() -> answer.completeExceptionally(limits.late()));
        // The request's own limit frees what waits for headers. It ends after ours, so that every
        // answer that is too slow fails in the same way.
        CompletableFuture<HttpResponse<byte[]>> sent =
                http.sendAsync(request.timeout(limits.time.plus(SECOND_LIMIT)).build(), headers -> body);
        sent.whenComplete((response, failure) -> {
            if (failure == null) {
                answer.complete(response);
            } else {
                answer.completeExceptionally(failure instanceof CompletionException ? failure.getCause() : failure);
            }
        });
        answer.whenComplete((response, failure) -> {
            timer.cancel(false);
            if (failure != null) {
                body.cancel();
                sent.cancel(true);
            }
        });
        return answer;
    }

    /**
     * Asks for an answer that is read as it arrives, decompressed where it comes as gzip. The limits'
     * silence is kept here only.
     *
     * @param request its own time limit is replaced
     * @return to be closed; the size limit is that of what is read, after it was decompressed
     * @throws HttpTimeoutException when there are no headers in time
     * @throws IOException when there is no answer
     */
    public StreamedAnswer stream(HttpRequest.Builder request, Limits limits) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + limits.time.toNanos();
        Duration headers = limits.silence.compareTo(limits.time) < 0 ? limits.silence : limits.time;
        HttpResponse<InputStream> response =
                http.send(request.timeout(headers).build(), HttpResponse.BodyHandlers.ofInputStream());
        return StreamedAnswer.of(response, limits, Duration.ofNanos(deadline - System.nanoTime()));
    }

    private static IOException failure(Throwable cause) {
        if (cause instanceof HttpTimeoutException) {
            return copy((HttpTimeoutException) cause);
        }
        return cause instanceof IOException ? (IOException) cause : new IOException(cause.toString(), cause);
    }

    /** A new exception, with the stack trace of the caller. */
    private static HttpTimeoutException copy(HttpTimeoutException cause) {
        HttpTimeoutException copy = new HttpTimeoutException(cause.getMessage());
        copy.initCause(cause);
        return copy;
    }

    /** How long one answer may take, from the request to its last byte, and how large it may be. */
    public static final class Limits {

        final Duration time;
        final long bytes;
        final byte[] beginning;
        final Duration silence;

        private Limits(Duration time, long bytes, byte[] beginning, Duration silence) {
            this.time = time;
            this.bytes = bytes;
            this.beginning = beginning;
            this.silence = silence;
        }

        /**
         * @param time from the request to the last byte
         * @param bytes of the body as it is sent, at least 0
         */
        public static Limits of(Duration time, long bytes) {
            return new Limits(time, bytes, new byte[0], time);
        }

        /**
         * The same limits, and an answer that does not begin with these bytes is broken off at
         * once.
         */
        public Limits beginning(byte[] those) {
            return new Limits(time, bytes, those.clone(), silence);
        }

        /**
         * The same limits, and an answer that is read as it arrives is broken off when nothing of
         * it comes for this long.
         */
        public Limits silence(Duration longest) {
            return new Limits(time, bytes, beginning, longest);
        }

        /** From the request to the last byte. */
        public Duration time() {
            return time;
        }

        HttpTimeoutException late() {
            return new HttpTimeoutException("the answer was not complete within " + time.toMillis() + " ms");
        }

        HttpTimeoutException silent() {
            return new HttpTimeoutException("nothing of the answer came for " + silence.toMillis() + " ms");
        }

        IOException tooLarge() {
            return new IOException("the answer is larger than the " + bytes + " bytes that are allowed");
        }
    }
}
