/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.kafka;

import io.phasewise.lab.file.Sha256;
import io.phasewise.lab.process.ManagedProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The classes that a broker loads at its start, parsed and verified once and then shared by all
 * brokers (class data sharing): a start takes little more than half the processor time. Lies beside
 * the jars it was made of, and is no longer used when they or the JDK change. Brokers start without
 * it just as well.
 */
public final class ClassArchive {

    /** Writing the archive is the last thing the broker does. */
    private static final Duration WRITING_BOUND = Duration.ofMinutes(2);

    private static final int KEY_CHARACTERS = 12;

    private final Path file;

    /**
     * The archive for these jars and this JDK, whether it is there or not.
     *
     * @throws UncheckedIOException when a jar cannot be looked at
     */
    ClassArchive(List<Path> classPath, Path javaHome) {
        this.file =
                classPath
                        .get(0)
                        .resolveSibling("../classes-" + key(classPath, javaHome) + ".jsa")
                        .normalize();
    }

    /** What makes a broker use it; empty when it was not made. */
    Optional<String> jvmOption() {
        return Files.isReadable(file)
                ? Optional.of("-XX:SharedArchiveFile=" + file)
                : Optional.empty();
    }

    /**
     * Makes the archive by running a broker for a moment; does nothing when there is one. Takes
     * some ten seconds.
     *
     * @param root the repository's root
     * @param javaHome the JDK that brokers will run on
     * @param workDirectory for the broker's files; empty or absent
     * @throws io.phasewise.lab.process.AwaitException when the broker does not start
     * @throws UncheckedIOException when files cannot be written
     * @throws InterruptedException when interrupted; nothing is left running
     */
    public static void make(Path root, KafkaVersion version, Path javaHome, Path workDirectory)
            throws InterruptedException {
        ClassArchive archive = new ClassArchive(version.classPath(root), javaHome);
        if (archive.jvmOption().isPresent()) {
            return;
        }
        // Others may make it at the same time: each writes a file of its own, and the last one
        // stays.
        Path making =
                archive.file.resolveSibling(
                        archive.file.getFileName() + ".new-" + ProcessHandle.current().pid());
        try (KafkaCluster cluster =
                KafkaCluster.builder(root, workDirectory)
                        .brokers(1)
                        .version(version)
                        .javaHome(javaHome)
                        .jvmOption("-XX:ArchiveClassesAtExit=" + making)
                        .stopGrace(WRITING_BOUND)
                        .build()) {
            cluster.start();
            // With it come the classes of logs and replicas.
            cluster.createTopic("classes", 1, 1, Map.of());
            if (cluster.stop().get(1) == ManagedProcess.Ending.STOPPED && Files.exists(making)) {
                Files.move(making, archive.file, StandardCopyOption.ATOMIC_MOVE);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot keep " + archive.file, e);
        } finally {
            making.toFile().delete();
        }
    }

    /**
     * Another JDK, or another jar under the same name, must not meet an archive that was made of
     * the first.
     */
    private static String key(List<Path> classPath, Path javaHome) {
        try {
            Path release = javaHome.resolve("release");
            StringBuilder all =
                    new StringBuilder(Files.isReadable(release) ? Files.readString(release) : "");
            for (Path jar : classPath) {
                all.append(
                        "%s %d %s%n"
                                .formatted(jar, Files.size(jar), Files.getLastModifiedTime(jar)));
            }
            return Sha256.of(all.toString()).substring(0, KEY_CHARACTERS);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot look at the broker's class path", e);
        }
    }
}
