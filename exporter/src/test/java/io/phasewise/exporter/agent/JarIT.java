/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;

/** What the jar may and may not bring onto a broker's class path. */
class JarIT {

    private static final Path JAR = AgentProcess.JAR;

    @Test
    void everythingInItIsUnderThePackageOfTheExporter() throws IOException {
        try (JarFile jar = new JarFile(JAR.toFile())) {
            String own = "io/phasewise/exporter/.*";
            String about = "META-INF/(MANIFEST.MF|LICENSE|NOTICE|licenses/.*)";
            assertThat(jar.stream().filter(entry -> !entry.isDirectory()).map(ZipEntry::getName))
                    .allMatch(name -> name.matches(own + "|" + about));
        }
    }

    /** That it is an agent and a program is shown by each test that starts it. */
    @Test
    void itMayChangeClassesThatAreLoadedAlready() throws IOException {
        try (JarFile jar = new JarFile(JAR.toFile())) {
            assertThat(jar.getManifest().getMainAttributes().getValue("Can-Retransform-Classes"))
                    .isEqualTo("true");
        }
    }

    @Test
    void itIsSmallerThanEightMebibytes() throws IOException {
        assertThat(Files.size(JAR)).isLessThan(8L << 20);
    }
}
