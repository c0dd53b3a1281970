/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import io.phasewise.common.file.JarResource;
import io.phasewise.lab.process.ManagedProcess;
import io.phasewise.lab.process.ProcessSpec;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

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
        Path jars = Path.of(System.getProperty("phasewise.root"), "lab/mirror-maker/target/lib");
        if (!Files.isDirectory(jars)) {
            throw new IllegalStateException(
                    "no MirrorMaker in %s; get it with: ./mvnw -pl lab/mirror-maker package".formatted(jars));
        }
        Path configuration = directory.resolve("mirror-maker.properties");
        String properties = JarResource.text(MirrorMaker.class, "mirror-maker.properties");
        Files.writeString(configuration, properties.formatted(source, target));
        URL logging = MirrorMaker.class.getResource("mirror-maker-log4j2.properties");
        spec = new ProcessSpec(
                "mirror-maker",
                RunningCanary.java(
                        "-Xmx160m",
                        "-Dlog4j2.configurationFile=" + logging,
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
