/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.agent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A running broker whose agent is switched by its configuration file, and what its request handlers
 * and network threads use of the processor (Linux).
 */
final class SwitchedBroker {
    /** Handlers and network threads, as far as the kernel keeps a thread's name. */
    private static final String THREADS = "data-plane-kafk";

    private static final Pattern REQUESTS =
            Pattern.compile(
                    "(?m)^kafka_network_requestmetrics_requests_total\\{.*?"
                            + "request=\"(?!FetchConsumer|FetchFollower)[^\"]*\".*?} (\\S+)");
    private static final Pattern FETCHES =
            Pattern.compile(
                    "(?m)^kafka_network_requestmetrics_requests_total\\{.*?"
                            + "request=\"FetchFollower\".*?} (\\S+)");
    private static final Pattern APPENDS =
            Pattern.compile("(?m)^kafka_log_append_seconds_count\\{.*?} (\\S+)");

    private static final Pattern HOOKS =
            Pattern.compile("(?m)^kafka_exporter_hook_seconds_total\\{.*?} (\\S+)");

    private final Path file;
    private final URI metrics;
    private final HttpClient http = HttpClient.newHttpClient();

    /** What is on. */
    enum State {
        ALL("{}"),
        NO_MARKS("marks: {enabled: false}"),
        NOTHING("{marks: {enabled: false}, timing: {enabled: false}}");

        private final String configuration;

        State(String configuration) {
            this.configuration = configuration;
        }
    }

    /**
     * What has been so far.
     *
     * @param nanos when, of the monotonic clock
     * @param requests handled, of all kinds
     * @param followerFetches of these, followers' fetches
     * @param appends of which the agent was told
     * @param hookSeconds that the agent counts of its own
     * @param cpuNanos processor time of the threads, read at {@code cpuAt}
     */
    record Reading(
            long nanos,
            double requests,
            double followerFetches,
            double appends,
            double hookSeconds,
            long cpuNanos,
            long cpuAt) {

        /** Processor time for each request since an earlier reading, nanoseconds. */
        double cpuNanosPerRequest(Reading before) {
            return (cpuNanos - before.cpuNanos)
                    / (double) (cpuAt - before.cpuAt)
                    / requestsPerNano(before);
        }

        double requestsPerNano(Reading before) {
            return (requests - before.requests) / (nanos - before.nanos);
        }
    }

    /**
     * @param file the agent's configuration
     * @param port where the agent is scraped
     */
    SwitchedBroker(Path file, int port) {
        this.file = file;
        this.metrics = URI.create("http://127.0.0.1:" + port + "/metrics");
    }

    /** Says what is to be on; the agent follows at the next scrape, a second later at most. */
    void write(State state) {
        try {
            Files.createDirectories(file.getParent());
            Path fresh = file.resolveSibling(file.getFileName() + ".new");
            Files.writeString(fresh, state.configuration + "\n");
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
    }

    /** Reads the counters of a broker's process. */
    Reading read(long pid) throws InterruptedException {
        try {
            long cpuAt = System.nanoTime();
            long cpu = cpuNanos(pid);
            long now = System.nanoTime();
            String text =
                    http.send(HttpRequest.newBuilder(metrics).build(), BodyHandlers.ofString())
                            .body();
            return new Reading(
                    now,
                    sum(REQUESTS, text),
                    sum(FETCHES, text),
                    sum(APPENDS, text),
                    sum(HOOKS, text),
                    cpu,
                    cpuAt);
        } catch (IOException e) {
            throw new UncheckedIOException("no answer from " + metrics, e);
        }
    }

    private static double sum(Pattern series, String text) {
        return series.matcher(text)
                .results()
                .map((MatchResult each) -> each.group(1))
                .mapToDouble(Double::parseDouble)
                .sum();
    }

    private static long cpuNanos(long pid) throws IOException {
        long sum = 0;
        Path tasks = Path.of("/proc", Long.toString(pid), "task");
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
            for (Path thread : threads) {
                try {
                    if (Files.readString(thread.resolve("comm")).strip().equals(THREADS)) {
                        String spent = Files.readString(thread.resolve("schedstat"));
                        sum += Long.parseLong(spent.substring(0, spent.indexOf(' ')));
                    }
                } catch (NoSuchFileException ended) {
                    continue; // another kind of thread: these stay
                }
            }
        }
        return sum;
    }
}
