/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import io.phasewise.lab.junit.SharedCluster;
import io.phasewise.lab.kafka.ClusterBuilder;
import io.phasewise.lab.kafka.KafkaCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.UnaryOperator;

/** Three brokers for a test: shared by those that leave them alone, or its own to break. */
public final class TestClusters {
    /** In the clear; each class that uses it has topics, groups and client ids of its own. */
    public static final SharedCluster SHARED = new SharedCluster(builder -> builder.brokers(3));

    private TestClusters() {}

    static KafkaCluster three(Path directory) {
        return three(directory, builder -> builder);
    }

    /**
     * Three brokers that are the test's to start, break and stop.
     *
     * @param more what else they are to be
     */
    static KafkaCluster three(Path directory, UnaryOperator<ClusterBuilder> more) {
        Path root = Path.of(System.getProperty("phasewise.root"));
        return more.apply(
                        KafkaCluster.builder(root, directory.resolve("kafka"))
                                .shortLived()
                                .brokers(3)
                                .stopGrace(Duration.ZERO))
                .build();
    }
}
