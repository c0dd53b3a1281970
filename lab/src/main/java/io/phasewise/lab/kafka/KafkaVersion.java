/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.kafka;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A release line of Kafka that brokers can be run of: where its class path lies and which logging
 * library is on it. Which patch release that is, the Maven module of the same name decides.
 */
public enum KafkaVersion {
    /**
     * The last line that runs on Java 11 and the last with ZooKeeper code; logs through reload4j.
     */
    V3_9("3.9", Logging.LOG4J1),
    /** Its requests are still those of the Scala code; logs through Log4j 2. */
    V4_1("4.1", Logging.LOG4J2),
    /** The current line; logs through Log4j 2. */
    V4_4("4.4", Logging.LOG4J2);

    /** The logging library of a line's brokers. */
    enum Logging {
        LOG4J1("log4j.properties", "-Dlog4j.configuration=file:"),
        LOG4J2("log4j2.properties", "-Dlog4j2.configurationFile=file:");

        private final String fileName;
        private final String option;

        Logging(String fileName, String option) {
            this.fileName = fileName;
            this.option = option;
        }

        String fileName() {
            return fileName;
        }

        String jvmOption(Path file) {
            return option + file;
        }
    }

    private final String line;
    private final Logging logging;

    KafkaVersion(String line, Logging logging) {
        this.line = line;
        this.logging = logging;
    }

    /**
     * Reads a release line.
     *
     * @param line for instance {@code 4.4}
     * @throws IllegalArgumentException when brokers of that line cannot be run, naming those that
     *     can
     */
    public static KafkaVersion parse(String line) {
        return Arrays.stream(values())
                .filter(version -> version.line.equals(line))
                .findFirst()
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        "no brokers of Kafka %s; there are: %s"
                                                .formatted(
                                                        line,
                                                        Arrays.stream(values())
                                                                .map(KafkaVersion::toString)
                                                                .collect(
                                                                        Collectors.joining(
                                                                                ", ")))));
    }

    Logging logging() {
        return logging;
    }

    /**
     * The jars of a broker of this line, in a fixed order.
     *
     * @param root the repository's root
     * @throws IllegalStateException when they are not there; the message says how to get them
     */
    public List<Path> classPath(Path root) {
        Path directory = root.resolve("lab/kafka-" + line + "/target/lib");
        List<Path> jars = List.of();
        if (Files.isDirectory(directory)) {
            try (Stream<Path> files = Files.list(directory)) {
                jars = files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
            } catch (IOException e) {
                throw new UncheckedIOException("cannot list " + directory, e);
            }
        }
        if (jars.isEmpty()) {
            throw new IllegalStateException(
                    "no Kafka %s in %s; get it with: ./mvnw -pl lab/kafka-%1$s package"
                            .formatted(line, directory));
        }
        return jars;
    }

    /** The release line, for instance {@code 4.4}. */
    @Override
    public String toString() {
        return line;
    }
}
