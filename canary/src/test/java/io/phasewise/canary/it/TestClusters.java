/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import io.phasewise.lab.kafka.KafkaCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.UnaryOperator;

/** Three brokers for a test; to start and stop them is the test's. */
final class TestClusters {
    private TestClusters() {}

    static KafkaCluster three(Path directory) {
        return three(directory, builder -> builder);
    }

    /**
     * @param more what else they are to be
     */
    static KafkaCluster three(Path directory, UnaryOperator<KafkaCluster.Builder> more) {
        Path root = Path.of(System.getProperty("phasewise.root"));
        return more.apply(
                        KafkaCluster.builder(root, directory.resolve("kafka"))
                                .shortLived()
                                .brokers(3)
                                .stopGrace(Duration.ZERO))
                .build();
    }
}
