/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static io.phasewise.canary.it.RunningCanary.client;
import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.lab.kafka.ClusterBuilder;
import io.phasewise.lab.kafka.KafkaCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * A broker that has dropped all its clients takes six seconds to let one in again, as when a storm
 * of clients asks for TLS and SASL at once: the producer, the consumer and the pings of the canary
 * wait for it, and begin few connections. The admin client does not wait that long: see limits.md.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SlowHandshakeIT {
    /** Four answers are waited for until a client is let in, each for this time and back. */
    private static final Duration ONE_WAY = Duration.ofMillis(750);

    /** Each of 2 s, 4 s and 8 s, to the address that is configured and to that of the broker. */
    private static final int ATTEMPTS = 6;

    /** That measure; the pings are asked for by what they find. */
    private static final List<String> CLIENTS = List.of("producer", "consumer");

    private KafkaCluster kafka;
    private RunningCanary canary;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        kafka = TestClusters.secured(directory, Map.of(), "", ClusterBuilder::behindLinks);
        kafka.start();
        canary = RunningCanary.jar(
                directory,
                "clusters: {slow: {bootstrap-servers: '%s', client: %s, topic: {replication-factor: 1}}}"
                        .formatted(kafka.bootstrap(), client(kafka.clientProperties())),
                "-Xmx128m");
    }

    @AfterAll
    void stop() throws Exception {
        TestClusters.close(canary, kafka);
    }

    @Test
    void allThatMeasureAreLetInAgainAndBeginFewConnections() {
        Scrape before = canary.await("probes come back", scrape -> scrape.probes("delivered") > 0 && reachable(scrape));
        kafka.clientLink(1).toServer().delay(ONE_WAY);
        kafka.clientLink(1).toClient().delay(ONE_WAY);
        kafka.clientLink(1).sever();
        canary.await("the broker is not reached", scrape -> !reachable(scrape));

        Scrape after = canary.await(
                "probes come back again",
                scrape -> scrape.probes("delivered") > before.probes("delivered") + 5 && reachable(scrape));

        for (String client : CLIENTS) {
            assertThat(connections(after, client) - connections(before, client))
                    .as(client)
                    .isBetween(1.0, (double) ATTEMPTS);
        }
    }

    private static boolean reachable(Scrape scrape) {
        return scrape.sum("kafka_canary_broker_reachable", "broker=1") == 1;
    }

    private static double connections(Scrape scrape, String client) {
        return scrape.sum("kafka_" + client + "_connection_creation_total");
    }
}
