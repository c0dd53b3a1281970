/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.download;

import io.phasewise.common.client.BoundedClient;
import io.phasewise.common.client.BoundedClient.Limits;
import io.phasewise.common.client.StreamedAnswer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/**
 * Fetches files whose SHA-256 is known. A transfer that breaks off or stalls goes on where it
 * stopped, also in a later run. What a server says is trusted in nothing: only the whole file with
 * the right SHA-256 is handed over.
 */
public final class Downloader {

    private static final int BUFFER = 1 << 16;
    private static final int FRUITLESS = 3;
    private static final int OK = 200;
    private static final int PARTIAL = 206;
    private static final int NOTHING_LEFT = 416;
    private static final int TOO_MANY = 429;
    private static final int SERVER_ERRORS = 500;

    private final BoundedClient client;
    private final Bounds bounds;

    /**
     * How long a file may take, and how large it may be.
     *
     * @param whole from the first request to the last byte, all attempts together
     * @param silence how long nothing may come before the next attempt is made
     * @param pause between two attempts
     * @param bytes of the file
     */
    public record Bounds(Duration whole, Duration silence, Duration pause, long bytes) {
        /** For a release of 0.1 to 0.3 GB: compiling it takes about as long as this allows. */
        public static final Bounds RELEASE =
                new Bounds(Duration.ofMinutes(10), Duration.ofSeconds(10), Duration.ofSeconds(1), 512L << 20);
    }

    /** Is told how far it is, after each buffer, on another thread. */
    @FunctionalInterface
    public interface Listener {
        /**
         * @param have bytes that are there
         * @param of bytes that there will be; -1 when the server does not say
         */
        void progressed(long have, long of);
    }

    /** A server's answer that another attempt would get again. */
    private static final class RefusedException extends IOException {
        private static final long serialVersionUID = 1;

        RefusedException(String message) {
            super(message);
        }
    }

    /**
     * @param http follows redirects, and has a time-out for connections
     */
    public Downloader(HttpClient http, Bounds bounds) {
        this.client = new BoundedClient(http);
        this.bounds = bounds;
    }

    /**
     * Fetches a file, or the rest of it.
     *
     * @param sha256 of the whole, 64 hexadecimal digits in lower case
     * @param into may hold the beginning, from an earlier run; keeps what came when this fails, and
     *     is removed when its content is wrong
     * @throws ConnectException when there is no way to the server: after one attempt where nothing
     *     came yet
     * @throws HttpTimeoutException the same, when it does not answer
     * @throws IOException when it is not to be had, takes too long, is too large, or is not what it
     *     should be
     * @throws InterruptedException when interrupted
     */
    public void fetch(URI from, String sha256, Path into, Listener listener) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + bounds.whole.toNanos();
        boolean resumed = size(into) > 0;
        transfer(from, into, deadline, listener);
        String found = sha256(into);
        if (!found.equals(sha256) && resumed) {
            // What was there may have been of another file.
            Files.delete(into);
            transfer(from, into, deadline, listener);
            found = sha256(into);
        }
        if (!found.equals(sha256)) {
            Files.delete(into);
            throw new IOException("the SHA-256 of %s is %s, and should be %s".formatted(from, found, sha256));
        }
    }

    private void transfer(URI from, Path into, long deadline, Listener listener)
            throws IOException, InterruptedException {
        boolean began = false;
        int fruitless = 0;
        while (true) {
            long before = size(into);
            try {
                attempt(from, into, deadline, listener);
                return;
            } catch (RefusedException refused) {
                throw refused;
            } catch (IOException e) {
                began |= size(into) > before;
                fruitless = size(into) > before ? 0 : fruitless + 1;
                boolean noWay = e instanceof ConnectException || e instanceof HttpTimeoutException;
                if (noWay && !began || fruitless == FRUITLESS || left(deadline).compareTo(bounds.pause) <= 0) {
                    throw e;
                }
            }
            TimeUnit.NANOSECONDS.sleep(bounds.pause.toNanos());
        }
    }

    private void attempt(URI from, Path into, long deadline, Listener listener)
            throws IOException, InterruptedException {
        long have = size(into);
        HttpRequest.Builder request = HttpRequest.newBuilder(from);
        if (have > 0) {
            request.header("Range", "bytes=" + have + "-");
        }
        Limits limits = Limits.of(left(deadline), bounds.bytes).silence(bounds.silence);
        try (StreamedAnswer answer = client.stream(request, limits)) {
            int status = answer.status();
            if (status == NOTHING_LEFT && have > 0) {
                return;
            }
            if (status == TOO_MANY || status >= SERVER_ERRORS) {
                throw new IOException(from + " answered " + status);
            }
            if (status != OK && status != PARTIAL) {
                throw new RefusedException(from + " answered " + status);
            }
            long begin = status == PARTIAL ? have : 0;
            long of = answer.header("Content-Length").map(Long::parseLong).orElse(-1L - begin) + begin;
            if (of > bounds.bytes) {
                throw tooLarge(from, of + " bytes");
            }
            Copy copy = new Copy(answer.body(), into, begin, there -> {
                if (there > bounds.bytes) {
                    throw tooLarge(from, "more");
                }
                listener.progressed(there, of);
            });
            copy.await(answer);
        }
    }

    private RefusedException tooLarge(URI from, String what) {
        return new RefusedException("%s has %s; allowed are %d".formatted(from, what, bounds.bytes));
    }

    /**
     * Appends a body to a file on a thread of its own: Java's client forgets an interrupt that comes
     * while its stream is read.
     */
    private static final class Copy {
        private final FutureTask<Void> task;
        private final Thread thread;

        /** Takes how many bytes the file has. */
        private interface Check {
            void has(long bytes) throws IOException;
        }

        Copy(InputStream body, Path into, long begin, Check check) {
            task = new FutureTask<>(() -> {
                copy(body, into, begin, check);
                return null;
            });
            thread = new Thread(task, "download");
            thread.setDaemon(true);
            thread.start();
        }

        void await(StreamedAnswer answer) throws IOException, InterruptedException {
            try {
                task.get();
            } catch (ExecutionException e) {
                throw e.getCause() instanceof IOException failed ? failed : new IOException(e.getCause());
            } catch (InterruptedException e) {
                answer.close();
                thread.join();
                throw e;
            }
        }

        private static void copy(InputStream body, Path into, long begin, Check check) throws IOException {
            StandardOpenOption how = begin > 0 ? StandardOpenOption.APPEND : StandardOpenOption.TRUNCATE_EXISTING;
            long have = begin;
            try (OutputStream out = Files.newOutputStream(into, StandardOpenOption.CREATE, how)) {
                byte[] buffer = new byte[BUFFER];
                for (int read = body.read(buffer); read >= 0; read = body.read(buffer)) {
                    out.write(buffer, 0, read);
                    have += read;
                    check.has(have);
                }
            }
        }
    }

    private static Duration left(long deadline) {
        return Duration.ofNanos(Math.max(1, deadline - System.nanoTime()));
    }

    private static long size(Path file) throws IOException {
        return Files.exists(file) ? Files.size(file) : 0;
    }

    private static String sha256(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            byte[] buffer = new byte[BUFFER];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                digest.update(buffer, 0, read);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}
