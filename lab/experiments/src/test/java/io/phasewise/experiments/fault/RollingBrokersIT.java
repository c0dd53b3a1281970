/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.lab.kafka.KafkaBroker;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.process.Await;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a roll leaves behind. */
class RollingBrokersIT {
    @Test
    void theNextTurnBeginsWithAllReplicasInSync(@TempDir Path directory) throws Exception {
        Path root = Path.of(System.getProperty("phasewise.root"));
        try (KafkaCluster cluster =
                KafkaCluster.builder(root, directory)
                        .shortLived()
                        .stopGrace(Duration.ZERO)
                        .build()) {
            cluster.start();
            cluster.createTopic("orders", 6, 3, Map.of());
            KafkaBroker rolled = cluster.broker(2);
            long before = rolled.pid();

            try (Fault.Broken fault = new RollingBrokers(List.of(2)).begin(cluster)) {
                assertThat(fault).isNotNull();
                Await.that("broker 2 comes again", Duration.ofSeconds(60))
                        .until(
                                () ->
                                        rolled.pid() == before
                                                ? Optional.of("it is the one that was there")
                                                : Optional.empty());
            }

            assertThat(
                            cluster.admin()
                                    .describeTopics(List.of("orders"))
                                    .allTopicNames()
                                    .get(20, TimeUnit.SECONDS)
                                    .get("orders")
                                    .partitions())
                    .allSatisfy(partition -> assertThat(partition.isr()).hasSize(3));
        }
    }
}
