/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import io.phasewise.common.cli.MissingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The paths of the stack's parts in the repository. The shell script and Maven build them.
 *
 * @param root of the repository
 */
public record Installation(Path root) {

    /** Makes the root absolute. */
    public Installation {
        root = root.toAbsolutePath().normalize();
    }

    /** The jar of this program. */
    public Path labJar() {
        return root.resolve("lab/target/phasewise-lab.jar");
    }

    /** The jar of the canary. */
    public Path canaryJar() {
        return root.resolve("canary/target/phasewise-canary.jar");
    }

    /** The jar of the exporter, the agent of brokers. */
    public Path brokerAgent() {
        return root.resolve("exporter/target/phasewise-exporter.jar");
    }

    /**
     * Checks that all of them are built.
     *
     * @throws MissingException when one is not; the message says how to build it
     */
    public void requireBuilt() {
        List<String> absent = List.of(labJar(), canaryJar(), brokerAgent()).stream()
                .filter(file -> !Files.isRegularFile(file))
                .map(Path::toString)
                .toList();
        if (!absent.isEmpty()) {
            throw new MissingException(
                    "not built: " + String.join(", ", absent),
                    "start through ./phasewise, which builds what is missing");
        }
    }
}
