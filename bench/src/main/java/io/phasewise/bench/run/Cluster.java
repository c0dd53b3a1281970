/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.run;

import io.phasewise.lab.kafka.ClassArchive;
import io.phasewise.lab.kafka.KafkaBroker;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.kafka.KafkaVersion;
import io.phasewise.lab.measure.Scratch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

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
     * @param cpus where they may run, as taskset names them; empty for anywhere
     * @throws IOException when files cannot be written
     * @throws InterruptedException when interrupted; nothing is left running
     */
    public static Cluster start(Path root, String cpus) throws IOException, InterruptedException {
        Scratch scratch = Scratch.create();
        Path directory = scratch.directory();
        boolean up = false;
        KafkaCluster brokers = null;
        try {
            Path javaHome = Path.of(System.getProperty("java.home"));
            ClassArchive.make(root, KafkaVersion.V4_4, javaHome, directory.resolve("archive"));
            brokers =
                    KafkaCluster.builder(root, directory.resolve("kafka"))
                            .brokers(SIZE)
                            .heapMebibytes(HEAP_MEBIBYTES)
                            .build();
            brokers.start();
            if (!cpus.isEmpty()) {
                for (KafkaBroker broker : brokers.brokers()) {
                    pin(broker.pid(), cpus);
                }
            }
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

    private static void pin(long pid, String cpus) throws IOException, InterruptedException {
        List<String> command = List.of("taskset", "-a", "-c", "-p", cpus, Long.toString(pid));
        int status =
                new ProcessBuilder(command)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor();
        if (status != 0) {
            throw new IOException("cannot keep process " + pid + " on processor " + cpus);
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

    /** Processor time of all brokers so far, seconds. */
    public double cpuSeconds() {
        return brokers.brokers().stream()
                .mapToDouble(broker -> Usage.of(broker.pid()).cpuSeconds())
                .sum();
    }

    @Override
    public void close() {
        brokers.close();
        scratch.close();
    }
}
