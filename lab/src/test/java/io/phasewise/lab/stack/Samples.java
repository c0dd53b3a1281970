/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import io.phasewise.common.progress.Screen;
import io.phasewise.common.progress.Terminal;
import io.phasewise.lab.process.ProcessIdentity;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;

/** Components for tests, of processes that exist and of processes that do not. */
public final class Samples {

    /** When a process began that has ended since. */
    static final Instant SINCE = Instant.parse("2026-01-02T03:04:05Z");

    private Samples() {}

    static RunningComponent running(String name, ProcessIdentity identity) {
        return running(new StackPorts(0, 0), name, identity);
    }

    static RunningComponent running(StackPorts ports, String name, ProcessIdentity identity) {
        Component component = ports.components().stream()
                .filter(candidate -> candidate.name().equals(name))
                .findFirst()
                .orElseThrow();
        return new RunningComponent(component, identity, Path.of("/logs", name + ".log"));
    }

    /** Of a command in a directory, whose output is written there as it is where nobody watches. */
    public static Context context(Path directory, Map<String, String> environment, OutputStream written) {
        return new Context(
                Optional.of(directory.resolve("root")),
                directory,
                environment,
                new Screen(new PrintStream(written, true, StandardCharsets.UTF_8), Terminal.plain()),
                Context.httpClient(),
                InstantSource.system(),
                System::nanoTime,
                ZoneOffset.UTC);
    }

    /** This very JVM. */
    static ProcessIdentity alive() {
        return ProcessIdentity.of(ProcessHandle.current().pid()).orElseThrow();
    }

    /** The pid of this JVM as if it had belonged to another process before. */
    static ProcessIdentity reused() {
        return new ProcessIdentity(ProcessHandle.current().pid(), Instant.EPOCH);
    }

    /** A pid that Linux gives to nobody. */
    static ProcessIdentity gone() {
        return new ProcessIdentity((1L << 22) + 1, SINCE);
    }
}
