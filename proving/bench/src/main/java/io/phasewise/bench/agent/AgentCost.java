/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.agent;

import io.phasewise.bench.measure.MetricsPage;
import io.phasewise.lab.kafka.ClusterBuilder;
import io.phasewise.lab.kafka.KafkaBroker;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.measure.Scrape;
import io.phasewise.lab.measure.Table;
import io.phasewise.lab.net.PortLease;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What the agent costs three brokers under load: the share that its hooks have in the processor
 * time of request handlers and network threads.
 *
 * @param root of the repository; the agent must be built
 * @param directory for the brokers' files
 * @param partitions of the topic; one in ten has load
 * @param progress takes a line for each step
 */
public record AgentCost(Path root, Path directory, int partitions, Consumer<String> progress) {
    private static final int BROKERS = 3;
    private static final int HEAP_MEBIBYTES = 512;
    private static final int BURSTS = 1_000;
    private static final int PROBES = 20 * BROKERS;
    private static final String REQUESTS = "kafka_network_requestmetrics_requests_total";

    /**
     * Samples these threads with all hooks on.
     *
     * @param length how long to sample, after a warm-up of the same length
     * @throws IOException when a broker, the load or the profiler fails; nothing is left running
     */
    public Table sample(Duration length) throws InterruptedException, IOException {
        try (PortLease ports = PortLease.take(BROKERS);
                KafkaCluster cluster = cluster(ports)) {
            cluster.start();
            int loaded = Math.max(BROKERS, partitions / 10);
            cluster.createTopic("load", loaded, BROKERS, Map.of());
            cluster.createTopic("idle", partitions - loaded, BROKERS, Map.of());
            cluster.createTopic("phasewise-canary", BROKERS, BROKERS, Map.of());
            String to = cluster.bootstrap();
            try (SteadyLoad load = new SteadyLoad(to, "load", "load", loaded, 10, 100);
                    SteadyLoad probes =
                            new SteadyLoad(to, "phasewise-canary-bench", "phasewise-canary", BROKERS, 1, 1_024)) {
                load.start(BURSTS);
                probes.start(PROBES);
                Thread.sleep(length.toMillis());
                progress.accept("warm; sampling for " + length.toSeconds() + " s");
                Table table = sample(cluster.brokers(), ports, length);
                long failed = load.failures() + probes.failures();
                if (failed > 0) {
                    throw new IOException(failed + " records could not be sent");
                }
                return table;
            }
        }
    }

    private KafkaCluster cluster(PortLease ports) {
        Path jar = root.resolve("exporter/target/phasewise-exporter.jar");
        ClusterBuilder builder =
                KafkaCluster.builder(root, directory).brokers(BROKERS).heapMebibytes(HEAP_MEBIBYTES);
        Profiler.JVM_OPTIONS.forEach(builder::jvmOption);
        return builder.jvmOption(id -> "-javaagent:" + jar + "=" + address(ports, id))
                .build();
    }

    private static String address(PortLease ports, int broker) {
        return "127.0.0.1:" + ports.port(broker - 1);
    }

    private Table sample(List<KafkaBroker> brokers, PortLease ports, Duration length)
            throws IOException, InterruptedException {
        Profiler profiler = new Profiler(directory);
        List<Scrape> before = new ArrayList<>();
        for (KafkaBroker broker : brokers) {
            profiler.start(broker.pid());
            before.add(scrape(ports, broker));
        }
        Thread.sleep(length.toMillis());
        HookSamples samples = new HookSamples(0, Map.of());
        double requests = 0;
        for (int i = 0; i < brokers.size(); i++) {
            Scrape now = scrape(ports, brokers.get(i));
            samples = samples.plus(profiler.stop(brokers.get(i).pid()));
            requests += requests(now, before.get(i));
        }
        return samples.table(requests);
    }

    private static Scrape scrape(PortLease ports, KafkaBroker broker) throws IOException {
        String address = "http://" + address(ports, broker.id());
        return Scrape.of(new String(MetricsPage.fetch(address, "text/plain"), StandardCharsets.UTF_8));
    }

    /** Requests handled since an earlier page. Kafka counts fetches under two names. */
    private static double requests(Scrape now, Scrape before) {
        return now.grown(before, REQUESTS)
                - now.grown(before, REQUESTS, Scrape.label("request", "FetchConsumer"))
                - now.grown(before, REQUESTS, Scrape.label("request", "FetchFollower"));
    }
}
