/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.agent;

import io.phasewise.lab.measure.Scrape;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A running broker whose agent is switched by its configuration file, and what its request handlers
 * and network threads use of the processor (Linux).
 *
 * @param id its node id
 * @param pid of its process
 * @param file the agent's configuration
 * @param metrics where the agent is scraped
 */
record SwitchedBroker(int id, long pid, Path file, URI metrics) {
    /** Handlers and network threads, as far as the kernel keeps a thread's name. */
    private static final String THREADS = "data-plane-kafk";

    /** What is on. */
    enum State {
        ALL("{}"),
        NO_MARKS("marks: {enabled: false}"),
        NOTHING("{marks: {enabled: false}, timing: {enabled: false}}");

        private final String configuration;

        State(String configuration) {
            this.configuration = configuration;
        }

        /** Says so in a file; the agent follows at the next scrape, a second later at most. */
        void write(Path file) throws IOException {
            Files.createDirectories(file.getParent());
            Path fresh = file.resolveSibling(file.getFileName() + ".new");
            Files.writeString(fresh, configuration + "\n");
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    /**
     * What has been so far.
     *
     * @param cpuAt when the processor time was read, nanoseconds of the monotonic clock
     * @param cpuNanos processor time of the threads
     * @param at when the page was asked for
     * @param page the agent's
     */
    record Reading(long cpuAt, long cpuNanos, long at, Scrape page) {

        /** Requests handled, of all kinds, as Kafka counts them: fetches in two ways. */
        private double requests() {
            String requests = "kafka_network_requestmetrics_requests_total";
            return page.sum(requests)
                    - page.sum(requests, Scrape.label("request", "FetchConsumer"))
                    - page.sum(requests, Scrape.label("request", "FetchFollower"));
        }

        private double followerFetches() {
            return page.sum(
                    "kafka_network_requestmetrics_requests_total",
                    Scrape.label("request", "FetchFollower"));
        }

        /** What there was since an earlier reading. */
        Period since(Reading before) {
            double requests = requests() - before.requests();
            double perNano = requests / (at - before.at);
            return new Period(
                    1e9 * perNano,
                    (cpuNanos - before.cpuNanos) / (double) (cpuAt - before.cpuAt) / perNano,
                    page.grown(before.page, "kafka_log_append_seconds_count") / requests,
                    (followerFetches() - before.followerFetches()) / requests,
                    1e9 * page.grown(before.page, "kafka_exporter_hook_seconds_total") / requests);
        }
    }

    /**
     * What one broker did in one period.
     *
     * @param cpuNanos processor time of the threads, for each request, as all that follow
     * @param appends of which the agent was told
     * @param followerFetches requests that were followers' fetches
     * @param hookNanos that the agent counts of its own
     */
    record Period(
            double requestsPerSecond,
            double cpuNanos,
            double appends,
            double followerFetches,
            double hookNanos) {}

    /** Reads the counters; the agent looks at its file by that. */
    Reading read() throws IOException {
        long cpuAt = System.nanoTime();
        long cpu = cpuNanos();
        long at = System.nanoTime();
        try (InputStream page = metrics.toURL().openStream()) {
            String text = new String(page.readAllBytes(), StandardCharsets.UTF_8);
            return new Reading(cpuAt, cpu, at, Scrape.of(text));
        }
    }

    private long cpuNanos() throws IOException {
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
