/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.lab.junit.BrokerLogs;
import io.phasewise.lab.junit.ScrapeFlood;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Over a hundred clients ask the agent in a broker with a small heap for metrics at once, most of
 * which never read the answer: the broker serves its clients, and a Prometheus with another address
 * gets its page.
 */
@Tag("long")
class ScrapeFloodIT {
    private static final String TOPIC = "flooded";
    private static final int PARTITIONS = 200;
    private static final int SILENT = 100;
    private static final int READING = 40;

    /** Prometheus's default. */
    private static final Duration SCRAPE_TIMEOUT = Duration.ofSeconds(10);

    /** For 200 requests that take some milliseconds each; a broker that waits for scrapes takes a page's time for one. */
    private static final Duration PRODUCING = Duration.ofSeconds(20);

    @Test
    void theBrokerServesItsClientsAndAScrapeFromAnotherAddressGetsThrough(@TempDir Path directory) throws Exception {
        BrokerAgents agents = BrokerAgents.own(1);
        ExportingCluster.alone(
                directory.resolve("cluster"), agents, description -> description.heapMebibytes(192), cluster -> {
                    cluster.kafka().createTopic(TOPIC, PARTITIONS, 1, Map.of());
                    cluster.traffic().produce(TOPIC, PARTITIONS, PARTITIONS);
                    int port = agents.ownPort(1);
                    long pid = cluster.kafka().broker(1).pid();
                    try (ScrapeFlood flood = new ScrapeFlood(port, SILENT, READING)) {
                        for (int scrape = 0; scrape < 6; scrape++) {
                            assertThat(ScrapeFlood.scrape("127.0.0.2", port, SCRAPE_TIMEOUT))
                                    .startsWith("HTTP/1.1 200 OK")
                                    .contains("kafka_server_replicamanager_leadercount")
                                    .endsWith("# EOF\n");
                            flood.again(SILENT);
                        }
                        long from = System.nanoTime();
                        cluster.traffic().produce(TOPIC, PARTITIONS, PARTITIONS);
                        assertThat(Duration.ofNanos(System.nanoTime() - from)).isLessThan(PRODUCING);
                    }
                    assertThat(cluster.kafka().broker(1).pid()).isEqualTo(pid);
                    cluster.traffic().produceOne(TOPIC);
                    assertThat(BrokerLogs.tails(cluster.kafka(), 5_000)).doesNotContain("OutOfMemoryError");
                });
    }
}
