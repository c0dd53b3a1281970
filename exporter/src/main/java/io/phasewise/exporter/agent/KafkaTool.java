/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.agent;

import java.util.List;
import java.util.Optional;

/**
 * Recognizes Kafka's command-line tools, which are not to be measured. They load the agent where
 * KAFKA_OPTS is set for the whole host, and must not take the exporter's port of a broker that is
 * down.
 */
final class KafkaTool {

    private static final List<String> PACKAGES =
            List.of("kafka.admin.", "kafka.tools.", "org.apache.kafka.shell.", "org.apache.kafka.tools.");

    /** Formats a container's storage with "setup"; with "start" it becomes the broker. */
    private static final String CONTAINER = "kafka.docker.KafkaDockerWrapper";

    /** Not a tool: it runs all the time, and may be measured. */
    private static final String MIRROR_MAKER_1 = "kafka.tools.MirrorMaker";

    private KafkaTool() {}

    /**
     * The tool's main class.
     *
     * @param command {@code sun.java.command}: main class and its arguments; may be null
     * @return empty for a broker, an application, and whatever else is no tool of Kafka's
     */
    static Optional<String> in(String command) {
        String[] words = (command == null ? "" : command.trim()).split("\\s+");
        String main = words[0];
        boolean tool = main.equals(CONTAINER)
                ? words.length > 1 && words[1].equals("setup")
                : !main.equals(MIRROR_MAKER_1) && PACKAGES.stream().anyMatch(main::startsWith);
        return tool ? Optional.of(main) : Optional.empty();
    }
}
