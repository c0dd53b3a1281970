/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import io.phasewise.lab.process.ProcessIdentity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Notices which components end and which come back, each once. {@link StackWatch} looks and prints.
 */
final class Transitions {

    /**
     * A component that ended or came back.
     *
     * @param running the component with the process that ended or came back
     */
    record Transition(RunningComponent running, boolean back) {}

    private final Predicate<RunningComponent> alive;
    private final Map<String, ProcessIdentity> ended = new HashMap<>();

    Transitions(Predicate<RunningComponent> alive) {
        this.alive = alive;
    }

    /** What changed since the last look. */
    List<Transition> look(StackState state) {
        List<Transition> changes = new ArrayList<>();
        for (RunningComponent running : state.components()) {
            ProcessIdentity known = ended.get(running.name());
            if (alive.test(running)) {
                if (known != null) {
                    ended.remove(running.name());
                    changes.add(new Transition(running, true));
                }
            } else if (!running.identity().equals(known)) {
                ended.put(running.name(), running.identity());
                changes.add(new Transition(running, false));
            }
        }
        return changes;
    }
}
