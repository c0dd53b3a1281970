/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.lab.kafka.KafkaCluster;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The only broker of a cluster restarts. Kafka's clients lose every broker that they know, and
 * forget all topics; their probes wait for a leader, and each comes back late.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LoneBrokerIT {
    private KafkaCluster kafka;
    private RunningCanary canary;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        kafka = TestClusters.own(directory, 1, "", more -> more);
        kafka.start();
        String config = "clusters: {it: {bootstrap-servers: \"%s\", topic: {replication-factor: 1},"
                + " loss-horizon: 10m, probe: {rate: 40, lanes: 8, max-in-flight: 20000}}}";
        canary = RunningCanary.jar(directory, config.formatted(kafka.bootstrap()), "-Xmx128m");
    }

    @AfterAll
    void stop() throws Exception {
        TestClusters.close(canary, kafka);
    }

    @Test
    void noProbeFailsBecauseNoLeaderIsKnown() throws Exception {
        canary.awaitReady();
        kafka.broker(1).kill();
        double before = canary.scrape().sum("kafka_canary_probes_scheduled_total");
        canary.await(
                "many probes wait",
                now -> now.sum("kafka_canary_probes_scheduled_total") - before > 100 && now.inFlight() > 100);
        kafka.broker(1).start();
        canary.awaitReady();
        Scrape after = canary.await("all that waited are back", now -> now.inFlight() < 40);

        assertThat(after.probes("send_failed")).as(canary.problems("it")).isZero();
        assertThat(after.probes("late")).isGreaterThan(50);
        assertThat(after.conserved("leader=1")).isTrue();
    }
}
