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
 * Where the parts of the stack lie in the repository; building them is left to the shell script and
 * to Maven.
 *
 * @param root of the repository
 */
public record Installation(Path root) {

    /** Takes a relative root, too. */
    public Installation {
        root = root.toAbsolutePath().normalize();
    }

    /** This program's. */
    public Path labJar() {
        return root.resolve("lab/target/phasewise-lab.jar");
    }

    /** The canary's. */
    public Path canaryJar() {
        return root.resolve("canary/target/phasewise-canary.jar");
    }

    /** The exporter's, for brokers. */
    public Path brokerAgent() {
        return root.resolve("exporter/target/phasewise-exporter.jar");
    }

    /**
     * Refuses to go on without one of them.
     *
     * @throws MissingException names what is not built, and how to build it
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
