/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import java.util.ArrayList;
import java.util.List;

/**
 * The state while it is being changed by several threads: each change is on disk before anything
 * else happens, so that a launcher killed at any instant leaves no child unrecorded.
 */
final class StateKeeper {

    private final StateDirectory directory;
    private final List<RunningComponent> startedHere = new ArrayList<>();
    private StackState state;

    /** Begins with that state, on disk too. */
    StateKeeper(StateDirectory directory, StackState state) throws LaunchException {
        this.directory = directory;
        set(state);
    }

    StateDirectory directory() {
        return directory;
    }

    synchronized StackState state() {
        return state;
    }

    /** Records a child that this launcher has just started. */
    synchronized void started(RunningComponent running) throws LaunchException {
        startedHere.add(running);
        set(state.with(running));
    }

    /** What this launcher has started itself, in that order. */
    synchronized List<RunningComponent> startedHere() {
        return List.copyOf(startedHere);
    }

    /** Forgets those that this launcher has started and that have ended since. */
    synchronized void forgetEnded() throws LaunchException {
        List<RunningComponent> left = new ArrayList<>(state.components());
        left.removeIf(running -> startedHere.contains(running) && !running.alive());
        set(state.of(left));
    }

    private void set(StackState changed) throws LaunchException {
        state = changed;
        directory.write(state);
    }
}
