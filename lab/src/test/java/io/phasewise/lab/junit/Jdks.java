/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.junit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds the JDKs of this machine, so that brokers and canaries can be run on others than the tests. */
public final class Jdks {

    /** Where Linux distributions put them. */
    private static final Path USUAL_PLACE = Path.of("/usr/lib/jvm");

    private Jdks() {}

    /**
     * A JDK of a feature release: that of this JVM, that of {@code JAVA_HOME_<feature>}, or one in
     * /usr/lib/jvm.
     */
    public static Optional<Path> find(int feature) {
        List<Path> homes = new ArrayList<>();
        homes.add(Path.of(System.getProperty("java.home")));
        Optional.ofNullable(System.getenv("JAVA_HOME_" + feature)).map(Path::of).ifPresent(homes::add);
        if (Files.isDirectory(USUAL_PLACE)) {
            try (DirectoryStream<Path> all = Files.newDirectoryStream(USUAL_PLACE)) {
                all.forEach(homes::add);
            } catch (IOException e) {
                throw new UncheckedIOException("cannot list " + USUAL_PLACE, e);
            }
        }
        return homes.stream().filter(home -> is(home, feature)).findFirst();
    }

    private static boolean is(Path home, int feature) {
        Path release = home.resolve("release");
        String version = "(?s).*JAVA_VERSION=\"" + feature + "[.\"].*";
        try {
            return Files.isExecutable(home.resolve("bin/java"))
                    && Files.isReadable(release)
                    && Files.readString(release).matches(version);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + release, e);
        }
    }
}
