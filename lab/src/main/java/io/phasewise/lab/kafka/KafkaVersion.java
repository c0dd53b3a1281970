/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.kafka;

import io.phasewise.common.cli.MissingException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A release line of Kafka that the lab can run: where its class path is, and which logging library
 * is on it. The Maven module of the same name decides which patch release it is.
 */
public enum KafkaVersion {
    /** The first that takes what clients push (KIP-714). */
    V3_7("3.7"),
    /** The last line that runs on Java 11 and the last with ZooKeeper code. */
    V3_9("3.9"),
    /** The first without ZooKeeper; Java 17. */
    V4_0("4.0"),
    /** Its class for requests is still the Scala one. */
    V4_1("4.1"),
    /** As 4.1. */
    V4_2("4.2"),
    /** As 4.1. */
    V4_3("4.3"),
    /** The current line. */
    V4_4("4.4");

    private final String line;

    KafkaVersion(String line) {
        this.line = line;
    }

    /** Whether it is of Kafka 3: logs through reload4j, and later ones through Log4j 2. */
    public boolean isBefore4() {
        return compareTo(V4_0) < 0;
    }

    /** The name of the configuration file of its logging library. */
    String loggingFile() {
        return isBefore4() ? "log4j.properties" : "log4j2.properties";
    }

    /** The JVM option that names this file, for a node with that directory. */
    String loggingOption(Path home) {
        String key = isBefore4() ? "log4j.configuration" : "log4j2.configurationFile";
        return "-D" + key + "=file:" + home.resolve(loggingFile());
    }

    /**
     * The jars of a broker of this line, in a fixed order.
     *
     * @param root the repository's root
     * @throws MissingException when they are not there
     */
    public List<Path> classPath(Path root) {
        Path directory = root.resolve("lab/kafka-" + line + "/target/lib");
        List<Path> jars = List.of();
        if (Files.isDirectory(directory)) {
            try (Stream<Path> files = Files.list(directory)) {
                jars = files.filter(file -> file.toString().endsWith(".jar"))
                        .sorted()
                        .toList();
            } catch (IOException e) {
                throw new UncheckedIOException("cannot list " + directory, e);
            }
        }
        if (jars.isEmpty()) {
            throw new MissingException(
                    "no Kafka %s in %s".formatted(line, directory),
                    "get it with: ./mvnw -pl lab/kafka-%s package".formatted(line));
        }
        return jars;
    }

    /** The release line, for instance {@code 4.4}. */
    @Override
    public String toString() {
        return line;
    }
}
