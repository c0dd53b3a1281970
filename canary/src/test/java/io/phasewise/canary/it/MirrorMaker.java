/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import io.phasewise.lab.process.ManagedProcess;
import io.phasewise.lab.process.ProcessSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * A real MirrorMaker 2 that copies the canary's topics from one cluster to another, as a process;
 * what it is to show is the test's.
 */
final class MirrorMaker implements AutoCloseable {
    /**
     * Of the cluster a to the cluster b. The canary is what this is about, and this machine is
     * small; one that was killed is not waited for.
     */
    private static final String PROPERTIES =
            """
            clusters = a, b
            a.bootstrap.servers = %s
            b.bootstrap.servers = %s
            a->b.enabled = true
            a->b.topics = phasewise-canary.*
            refresh.topics.interval.seconds = 1
            emit.heartbeats.enabled = false
            emit.checkpoints.enabled = false
            sync.topic.acls.enabled = false
            replication.factor = 1
            offset-syncs.topic.replication.factor = 1
            offset.storage.replication.factor = 1
            status.storage.replication.factor = 1
            config.storage.replication.factor = 1
            b.session.timeout.ms = 6000
            b.heartbeat.interval.ms = 1000
            b.scheduled.rebalance.max.delay.ms = 0
            offset.storage.partitions = 1
            status.storage.partitions = 1
            tasks.max = 1
            plugin.discovery = service_load
            """;

    private static final String LOGGING =
            """
            appender.stdout.type = Console
            appender.stdout.name = stdout
            appender.stdout.layout.type = PatternLayout
            appender.stdout.layout.pattern = %d %-5p %c{1}: %m%n
            logger.config.name = org.apache.kafka.common.config.AbstractConfig
            logger.config.level = warn
            rootLogger.level = info
            rootLogger.appenderRef.stdout.ref = stdout
            """;

    private final ProcessSpec spec;
    private ManagedProcess process;

    /**
     * Writes its configuration; starts nothing.
     *
     * @param directory for its files
     * @param source bootstrap servers of the cluster with the alias {@code a}
     * @param target those of {@code b}
     */
    MirrorMaker(Path directory, String source, String target) throws IOException {
        Path jars = Path.of(System.getProperty("phasewise.root"), "lab/mirror-maker/target/lib");
        if (!Files.isDirectory(jars)) {
            throw new IllegalStateException(
                    "no MirrorMaker in %s; get it with: ./mvnw -pl lab/mirror-maker package"
                            .formatted(jars));
        }
        Path configuration = directory.resolve("mirror-maker.properties");
        Files.writeString(configuration, PROPERTIES.formatted(source, target));
        Path logging = Files.writeString(directory.resolve("log4j2.properties"), LOGGING);
        spec =
                new ProcessSpec(
                        "mirror-maker",
                        RunningCanary.java(
                                "-Xmx160m",
                                "-Dlog4j2.configurationFile=file:" + logging,
                                "-cp",
                                jars + "/*",
                                "org.apache.kafka.connect.mirror.MirrorMaker",
                                configuration.toString(),
                                "--clusters",
                                "b"),
                        Map.of(),
                        directory,
                        directory.resolve("mirror-maker.log"));
    }

    /** Returns when the process runs; when it mirrors, others have to find out. */
    void start() throws IOException {
        process = ManagedProcess.start(spec);
    }

    boolean isAlive() {
        return process != null && process.isAlive();
    }

    /** To stop, resume or kill. */
    ManagedProcess process() {
        return process;
    }

    @Override
    public void close() {
        if (process != null) {
            process.close();
        }
    }
}
