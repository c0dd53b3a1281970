/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import io.phasewise.lab.process.ManagedProcess;
import io.phasewise.lab.process.ProcessIdentity;
import java.nio.file.Path;

/**
 * A component that was started: its process and its log. It may have ended since.
 *
 * @param log the file that its output goes to
 */
public record RunningComponent(Component component, ProcessIdentity identity, Path log) {

    public String name() {
        return component.name();
    }

    /** Whether that very process still runs, not another one with its pid. */
    public boolean alive() {
        return identity.isAlive();
    }

    /** The process, attached to, whoever started it. */
    public ManagedProcess process() {
        return ManagedProcess.attach(name(), identity, log);
    }

    /** For instance {@code broker-1 (pid 4711)}. */
    @Override
    public String toString() {
        return name() + " (pid " + identity.pid() + ")";
    }
}
