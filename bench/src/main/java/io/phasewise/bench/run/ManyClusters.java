/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.run;

import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.measure.Scratch;
import io.phasewise.lab.measure.StandaloneCanary;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * A few brokers, each a cluster of its own, that a canary is given under many names, each with a
 * topic of its own: every client, connection and thread of the canary is as real as with as many
 * clusters. What the brokers would cost is not told by it, and clusters that share a broker are
 * slow together.
 */
public final class ManyClusters implements AutoCloseable {
    private static final Duration ANSWER_BOUND = Duration.ofSeconds(60);

    private final HttpClient client = HttpClient.newHttpClient();
    private final Path jar;
    private final Scratch scratch;
    private final List<KafkaCluster> brokers;

    private ManyClusters(Path jar, Scratch scratch, List<KafkaCluster> brokers) {
        this.jar = jar;
        this.scratch = scratch;
        this.brokers = brokers;
    }

    /**
     * What a canary with so many clusters needs.
     *
     * @param clusters how many
     * @param delivered probes a second
     * @param liveHeapBytes after a full collection
     * @param residentBytes memory of the process
     * @param lanes producers that carry probes
     * @param threads of all kinds
     * @param sockets open ones
     * @param files open ones, sockets included
     * @param cpu processors in use
     * @param series that Prometheus stores with native histograms
     * @param lines series without them
     * @param scrapeBytes of an answer with native histograms, uncompressed
     * @param scrapeSeconds until its last byte
     * @param startSeconds until a probe of every cluster was all the way round
     * @param kinds threads and processors by what they are for
     */
    public record Cost(
            int clusters,
            double delivered,
            double liveHeapBytes,
            double residentBytes,
            double lanes,
            double threads,
            double sockets,
            double files,
            double cpu,
            double series,
            double lines,
            double scrapeBytes,
            double scrapeSeconds,
            double startSeconds,
            Map<ThreadUsage.Kind, ThreadUsage.Share> kinds) {}

    /**
     * Starts the brokers.
     *
     * @param root the repository's root
     * @param count of them
     * @throws IOException when files cannot be written
     * @throws InterruptedException when interrupted; nothing is left running
     */
    public static ManyClusters start(Path root, int count)
            throws IOException, InterruptedException {
        Scratch scratch = Scratch.create();
        ManyClusters clusters =
                new ManyClusters(
                        root.resolve("canary/target/phasewise-canary.jar"),
                        scratch,
                        new ArrayList<>());
        boolean up = false;
        try {
            for (int i = 0; i < count; i++) {
                KafkaCluster broker =
                        KafkaCluster.builder(root, scratch.directory().resolve("kafka-" + i))
                                .brokers(1)
                                .build();
                clusters.brokers.add(broker);
                broker.start();
            }
            up = true;
            return clusters;
        } finally {
            if (!up) {
                clusters.close();
            }
        }
    }

    /**
     * Measures one canary from start to end.
     *
     * @param jvm its options; the heap has to suffice for all clusters
     * @param count of clusters
     * @param rate probes a second to each
     * @param lanes of each at most; empty for as many as the canary has unless told otherwise
     * @param bound until all of them have to be measured
     * @param warmUp before the measurement
     * @param length of the measurement
     * @throws IOException when it cannot be started or read
     * @throws InterruptedException when interrupted; the canary is not left running
     */
    public Cost measure(
            Jvm jvm,
            int count,
            double rate,
            OptionalInt lanes,
            Duration bound,
            Duration warmUp,
            Duration length)
            throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory(scratch.directory(), "canary");
        long began = System.nanoTime();
        try (StandaloneCanary canary =
                StandaloneCanary.start(
                        jar,
                        directory,
                        configuration(count, rate, lanes),
                        arguments -> jvm.command(directory.resolve("pauses.log"), arguments),
                        bound)) {
            double started = (System.nanoTime() - began) / 1e9;
            long pid = canary.process().pid();
            Thread.sleep(warmUp.toMillis());
            Scrape before = Scrape.of(get(canary, CanaryProcess.PROTOBUF));
            Usage usedBefore = Usage.of(pid);
            ThreadUsage threadsBefore = ThreadUsage.of(pid);
            long from = System.nanoTime();
            Thread.sleep(length.toMillis());
            Usage used = Usage.of(pid);
            double seconds = (System.nanoTime() - from) / 1e9;
            ThreadUsage threads = ThreadUsage.of(pid);
            long scrapeFrom = System.nanoTime();
            byte[] answer = get(canary, CanaryProcess.PROTOBUF);
            double scrape = (System.nanoTime() - scrapeFrom) / 1e9;
            Scrape after = Scrape.of(answer);
            long lines =
                    new String(get(canary, "text/plain"), StandardCharsets.UTF_8)
                            .lines()
                            .filter(line -> !line.startsWith("#"))
                            .count();
            collect(jvm, pid);
            Scrape collected = Scrape.of(get(canary, CanaryProcess.PROTOBUF));
            return new Cost(
                    count,
                    (delivered(after) - delivered(before)) / seconds,
                    collected.value("jvm_memory_used_bytes", Map.of("area", "heap")),
                    used.residentBytes(),
                    after.value("kafka_canary_lanes", Map.of()),
                    used.threads(),
                    Usage.sockets(pid),
                    Usage.files(pid),
                    (used.cpuSeconds() - usedBefore.cpuSeconds()) / seconds,
                    after.series(),
                    lines,
                    answer.length,
                    scrape,
                    started,
                    threads.since(threadsBefore, seconds));
        }
    }

    private Map<String, Object> configuration(int count, double rate, OptionalInt lanes) {
        Map<String, Object> probe = new TreeMap<>(Map.of("rate", rate));
        lanes.ifPresent(most -> probe.put("lanes", most));
        Map<String, Object> clusters = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            String name = String.format(Locale.ROOT, "cluster-%04d", i);
            clusters.put(
                    name,
                    Map.of(
                            "bootstrap-servers",
                            brokers.get(i % brokers.size()).bootstrap(),
                            "topic",
                            Map.of("name", "probes-" + name, "replication-factor", 1),
                            "probe",
                            probe));
        }
        return Map.of("canary", Map.of("http", Map.of("port", 0), "clusters", clusters));
    }

    private static double delivered(Scrape scrape) {
        return scrape.value("kafka_canary_probes_total", Map.of("outcome", "delivered"));
    }

    private byte[] get(StandaloneCanary canary, String accept)
            throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(canary.url() + "/metrics"))
                        .timeout(ANSWER_BOUND)
                        .header("Accept", accept)
                        .build();
        long asked = System.nanoTime();
        try {
            return client.send(request, HttpResponse.BodyHandlers.ofByteArray()).body();
        } catch (IOException e) {
            throw new IOException(
                    String.format(
                            Locale.ROOT,
                            "no answer of the canary's /metrics after %.0f s (it breaks one off"
                                    + " after 30): too many series for this machine. %s",
                            (System.nanoTime() - asked) / 1e9,
                            e.getMessage()),
                    e);
        }
    }

    /** Leaves only what lives. */
    private static void collect(Jvm jvm, long pid) throws IOException, InterruptedException {
        int status =
                new ProcessBuilder(
                                jvm.home().resolve("bin/jcmd").toString(),
                                Long.toString(pid),
                                "GC.run")
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor();
        if (status != 0) {
            throw new IOException("cannot make process " + pid + " collect its garbage");
        }
    }

    @Override
    public void close() {
        brokers.forEach(KafkaCluster::close);
        scratch.close();
    }
}
