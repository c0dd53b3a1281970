/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phasewise.experiments.load.Load;
import io.phasewise.experiments.load.LoadTopic;
import io.phasewise.experiments.plan.UsageException;
import io.phasewise.lab.kafka.KafkaCluster;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Somebody else's cluster, with what it holds and what it refuses. */
class TargetIT {
    @Test
    void aClusterWithTopicsOfTheLabIsRefusedAndOneWithOthersIsNot(@TempDir Path directory)
            throws Exception {
        Path root = Path.of(System.getProperty("phasewise.root"));
        try (KafkaCluster cluster =
                KafkaCluster.builder(root, directory)
                        .shortLived()
                        .brokers(1)
                        .stopGrace(Duration.ZERO)
                        .build()) {
            cluster.start();
            cluster.createTopic("orders", 1, 1, Map.of());
            try (Target target = Target.foreign(cluster.clientProperties())) {
                assertThat(target.own()).isFalse();
            }

            cluster.createTopic("phasewise-lab-acks-all", 1, 1, Map.of());

            assertThatThrownBy(() -> Target.foreign(cluster.clientProperties()))
                    .isInstanceOf(UsageException.class)
                    .hasMessageContaining("was killed: phasewise-lab-acks-all");
            Load load = new Load(1, 10, 100, 12, Map.of());
            assertThatThrownBy(
                            () ->
                                    LoadTopic.create(
                                            load, "phasewise-lab-load", cluster.clientProperties()))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageMatching(
                            "cannot create topic phasewise-lab-load with 12 partitions, replication"
                                    + " factor 3: .*only 1 broker.*[^.]; a load needs 3"
                                    + " brokers or more, and the right to create, .*");
        }
    }
}
