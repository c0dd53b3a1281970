/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The state while it is being changed by several threads: each change is on disk before anything
 * else happens, so that a launcher killed at any instant leaves no child unrecorded.
 */
final class StateKeeper {

    private final StateDirectory directory;
    private final List<RunningComponent> startedHere = new ArrayList<>();
    private StackState state;

    StateKeeper(StateDirectory directory, StackState state) {
        this.directory = directory;
        this.state = state;
    }

    synchronized StackState state() {
        return state;
    }

    /** Records a child that this launcher has just started. */
    synchronized void started(RunningComponent running) throws LaunchException {
        startedHere.add(running);
        change(before -> before.with(running));
    }

    /** What this launcher has started itself, in that order. */
    synchronized List<RunningComponent> startedHere() {
        return List.copyOf(startedHere);
    }

    synchronized void change(UnaryOperator<StackState> change) throws LaunchException {
        state = change.apply(state);
        directory.write(state);
    }
}
