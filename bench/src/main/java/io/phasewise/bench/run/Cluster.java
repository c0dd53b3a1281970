/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.run;

import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.measure.Scratch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Three real brokers for one benchmark, in a directory that goes with them; how they are started is
 * left to the lab.
 */
public final class Cluster implements AutoCloseable {
    /** How many brokers. */
    public static final int SIZE = 3;

    /** Enough that the brokers' own collections are rare and short. */
    private static final int HEAP_MEBIBYTES = 512;

    private final Scratch scratch;
    private final KafkaCluster brokers;

    private Cluster(Scratch scratch, KafkaCluster brokers) {
        this.scratch = scratch;
        this.brokers = brokers;
    }

    /**
     * Starts the brokers.
     *
     * @param root the repository's root
     * @throws IOException when files cannot be written
     * @throws InterruptedException when interrupted; nothing is left running
     */
    public static Cluster start(Path root) throws IOException, InterruptedException {
        Scratch scratch = Scratch.create();
        Path directory = scratch.directory();
        boolean up = false;
        KafkaCluster brokers = null;
        try {
            brokers =
                    KafkaCluster.builder(root, directory.resolve("kafka"))
                            .brokers(SIZE)
                            .heapMebibytes(HEAP_MEBIBYTES)
                            .build();
            brokers.start();
            up = true;
            return new Cluster(scratch, brokers);
        } finally {
            if (!up) {
                if (brokers != null) {
                    brokers.close();
                }
                scratch.close();
            }
        }
    }

    /** How many. */
    public int size() {
        return brokers.brokers().size();
    }

    /** Addresses for clients. */
    public String bootstrap() {
        return brokers.bootstrap();
    }

    /** The brokers themselves. */
    public KafkaCluster kafka() {
        return brokers;
    }

    /** A fresh directory for somebody's files. */
    public Path scratch(String name) throws IOException {
        return Files.createTempDirectory(scratch.directory(), name);
    }

    @Override
    public void close() {
        brokers.close();
        scratch.close();
    }
}
