/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What is remembered of a stack between two runs of the launcher; keeping it on disk is left to
 * {@link StateDirectory}.
 *
 * @param portOffset of the last start, remembered so that no other command needs to be told
 * @param controllers that are no brokers
 * @param stopping whether somebody is stopping the stack, so that a watcher takes the ends of
 *     processes for what they are
 * @param components in the order in which they are shown
 */
public record StackState(
        int portOffset, int controllers, boolean stopping, List<RunningComponent> components) {

    public StackState {
        components = List.copyOf(components);
    }

    static StackState empty(int portOffset, int controllers) {
        return new StackState(portOffset, controllers, false, List.of());
    }

    /** The component of that name. */
    public Optional<RunningComponent> find(String name) {
        return components.stream().filter(running -> running.name().equals(name)).findFirst();
    }

    /** Those whose process is there. */
    public List<RunningComponent> alive() {
        return components.stream().filter(RunningComponent::alive).toList();
    }

    /** The same with this component added, or in the place of the one of its name. */
    StackState with(RunningComponent running) {
        List<RunningComponent> all = new ArrayList<>(components);
        all.removeIf(other -> other.name().equals(running.name()));
        all.add(running);
        all.sort(Comparator.comparingInt(other -> Components.names().indexOf(other.name())));
        return new StackState(portOffset, controllers, stopping, all);
    }

    StackState without(String name) {
        return new StackState(
                portOffset,
                controllers,
                stopping,
                components.stream().filter(running -> !running.name().equals(name)).toList());
    }

    StackState withStopping(boolean stopping) {
        return new StackState(portOffset, controllers, stopping, components);
    }
}
