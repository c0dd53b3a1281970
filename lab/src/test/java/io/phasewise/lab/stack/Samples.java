/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import io.phasewise.lab.process.ProcessIdentity;
import java.nio.file.Path;
import java.time.Instant;

/** Components for tests, of processes that exist and of processes that do not. */
final class Samples {

    static final Instant SINCE = Instant.parse("2026-01-02T03:04:05Z");

    private Samples() {}

    static RunningComponent running(String name, ProcessIdentity identity) {
        Component component =
                Components.of(new StackPorts(0, 0)).stream()
                        .filter(candidate -> candidate.name().equals(name))
                        .findFirst()
                        .orElseThrow();
        return new RunningComponent(component, identity, Path.of("/logs", name + ".log"), SINCE);
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
