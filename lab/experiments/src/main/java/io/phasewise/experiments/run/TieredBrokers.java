/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.run;

import io.phasewise.experiments.plan.MissingException;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.kafka.KafkaVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Brokers whose remote storage is a directory of this machine, by the storage manager that Kafka
 * tests itself with; which topics use it is theirs to say. Of Kafka 4.1: of 4.4 that manager is not
 * published.
 *
 * @param jar of the storage manager
 * @param directory for what is remote
 */
record TieredBrokers(Path jar, Path directory) {
    static final KafkaVersion VERSION = KafkaVersion.V4_1;

    /**
     * With the jar that the build of {@code lab/kafka-4.1} fetched.
     *
     * @param root the repository's
     * @param directory created when absent
     * @throws MissingException when the jar is not there
     * @throws IOException when the directory cannot be made
     */
    static TieredBrokers of(Path root, Path directory) throws IOException {
        Path jars = root.resolve("lab/kafka-4.1/target/tiered");
        List<Path> found = List.of();
        if (Files.isDirectory(jars)) {
            try (Stream<Path> files = Files.list(jars)) {
                found = files.filter(file -> file.toString().endsWith(".jar")).toList();
            }
        }
        if (found.size() != 1) {
            throw new MissingException(
                    "no storage manager in "
                            + jars
                            + "; get it with: ./mvnw -pl lab/kafka-4.1 package");
        }
        Files.createDirectories(directory);
        return new TieredBrokers(found.get(0), directory);
    }

    KafkaCluster.Builder added(KafkaCluster.Builder builder) {
        builder.plugin(jar);
        Map.of(
                        "remote.log.storage.system.enable",
                        "true",
                        "remote.log.storage.manager.class.name",
                        "org.apache.kafka.server.log.remote.storage.LocalTieredStorage",
                        "rsm.config.dir",
                        directory.toString(),
                        "remote.log.metadata.manager.listener.name",
                        "CLIENT",
                        "rlmm.config.remote.log.metadata.topic.num.partitions",
                        "6",
                        "rlmm.config.remote.log.metadata.topic.replication.factor",
                        "3",
                        // Kafka's 30 s would leave short runs without anything to copy.
                        "remote.log.manager.task.interval.ms",
                        "1000")
                .forEach(builder::brokerProperty);
        return builder;
    }

    /** Bytes that are remote by now. */
    long bytes() {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile).mapToLong(TieredBrokers::size).sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException deletedSince) {
            return 0;
        }
    }
}
