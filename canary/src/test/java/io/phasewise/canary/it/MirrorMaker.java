/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import io.phasewise.lab.process.ManagedProcess;
import io.phasewise.lab.process.ProcessSpec;
import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A real MirrorMaker 2 that copies the canary's topics from one cluster to another, as a process;
 * what it is to show is the test's.
 */
final class MirrorMaker implements AutoCloseable {
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
        Path configuration = directory.resolve("mirror-maker.properties");
        Map<String, String> properties = new TreeMap<>();
        properties.put("clusters", "a, b");
        properties.put("a.bootstrap.servers", source);
        properties.put("b.bootstrap.servers", target);
        properties.put("a->b.enabled", "true");
        properties.put("a->b.topics", "phasewise-canary.*");
        properties.put("refresh.topics.interval.seconds", "1");
        // The canary is what this is about, and this machine is small.
        for (String unused : List.of("emit.heartbeats", "emit.checkpoints", "sync.topic.acls")) {
            properties.put(unused + ".enabled", "false");
        }
        for (String topic :
                List.of(
                        "replication.factor",
                        "offset-syncs.topic.replication.factor",
                        "offset.storage.replication.factor",
                        "status.storage.replication.factor",
                        "config.storage.replication.factor")) {
            properties.put(topic, "1");
        }
        // One that was killed is not waited for.
        properties.put("b.session.timeout.ms", "6000");
        properties.put("b.heartbeat.interval.ms", "1000");
        properties.put("b.scheduled.rebalance.max.delay.ms", "0");
        properties.put("offset.storage.partitions", "1");
        properties.put("status.storage.partitions", "1");
        properties.put("tasks.max", "1");
        properties.put("plugin.discovery", "service_load");
        Files.write(
                configuration,
                properties.entrySet().stream()
                        .map(e -> e.getKey() + " = " + e.getValue())
                        .toList());
        Path logging = directory.resolve("log4j2.properties");
        Files.write(
                logging,
                List.of(
                        "appender.stdout.type = Console",
                        "appender.stdout.name = stdout",
                        "appender.stdout.layout.type = PatternLayout",
                        "appender.stdout.layout.pattern = %d %-5p %c{1}: %m%n",
                        "logger.config.name = org.apache.kafka.common.config.AbstractConfig",
                        "logger.config.level = warn",
                        "rootLogger.level = info",
                        "rootLogger.appenderRef.stdout.ref = stdout"));
        spec =
                new ProcessSpec(
                        "mirror-maker",
                        CanaryProcess.command(
                                "-Xmx160m",
                                "-XX:+UseSerialGC",
                                "-Dlog4j2.configurationFile=file:" + logging,
                                "-cp",
                                classPath(),
                                "org.apache.kafka.connect.mirror.MirrorMaker",
                                configuration.toString(),
                                "--clusters",
                                "b"),
                        Map.of(),
                        directory,
                        directory.resolve("mirror-maker.log"));
    }

    private static String classPath() throws IOException {
        Path directory =
                Path.of(System.getProperty("phasewise.root"), "lab/mirror-maker/target/lib");
        if (!Files.isDirectory(directory)) {
            throw new IllegalStateException(
                    "no MirrorMaker in "
                            + directory
                            + "; get it with: ./mvnw -pl lab/mirror-maker package");
        }
        List<Path> jars = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*.jar")) {
            files.forEach(jars::add);
        }
        return jars.stream()
                .sorted()
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** Returns when the process runs; when it mirrors, others have to find out. */
    void start() throws IOException {
        process = ManagedProcess.start(spec);
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process != null && process.isAlive();
    }

    /** Ends it at once, as a crash would. */
    void kill() throws InterruptedException {
        process.kill();
    }

    /** The last lines of its log. */
    String tail() {
        return process == null ? "" : String.join("\n", process.tail(40));
    }

    @Override
    public void close() {
        if (process != null) {
            process.close();
        }
    }
}
