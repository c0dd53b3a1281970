/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;

/** What the jar may and may not bring onto a broker's class path. */
class JarIT {

    private static final Path JAR =
            Path.of(System.getProperty("phasewise.root"), "exporter/target/phasewise-exporter.jar");

    @Test
    void everythingInItIsUnderThePackageOfTheExporter() throws IOException {
        try (JarFile jar = new JarFile(JAR.toFile())) {
            List<String> foreign =
                    jar.stream()
                            .filter(entry -> !entry.isDirectory())
                            .map(ZipEntry::getName)
                            .filter(name -> !name.startsWith("io/phasewise/exporter/"))
                            .toList();

            assertThat(foreign)
                    .allMatch(
                            name ->
                                    name.matches(
                                            "META-INF/(MANIFEST.MF|LICENSE|NOTICE|licenses/.*)"));
        }
    }

    @Test
    void itIsAnAgentAndAProgram() throws IOException {
        try (JarFile jar = new JarFile(JAR.toFile())) {
            assertThat(jar.getManifest().getMainAttributes().getValue("Premain-Class"))
                    .isEqualTo(Agent.class.getName());
            assertThat(jar.getManifest().getMainAttributes().getValue("Main-Class"))
                    .isEqualTo(Main.class.getName());
            assertThat(jar.getManifest().getMainAttributes().getValue("Can-Retransform-Classes"))
                    .isEqualTo("true");
        }
    }

    @Test
    void itIsSmallerThanEightMebibytes() throws IOException {
        assertThat(Files.size(JAR)).isLessThan(8L << 20);
    }
}
