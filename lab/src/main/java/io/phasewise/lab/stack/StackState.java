/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What the launcher remembers of a stack from run to run. {@link StateDirectory} keeps it on disk.
 *
 * @param ports of the last start, so that other commands need no option
 * @param stopping whether a launcher is stopping the stack, so that a watcher expects processes
 *     to end
 * @param components in the order in which they are shown
 */
public record StackState(StackPorts ports, boolean stopping, List<RunningComponent> components) {

    public StackState {
        components = List.copyOf(components);
    }

    /** A stack of which nothing runs. */
    static StackState empty(StackPorts ports) {
        return new StackState(ports, false, List.of());
    }

    /** The component of that name. */
    public Optional<RunningComponent> find(String name) {
        return components.stream()
                .filter(running -> running.name().equals(name))
                .findFirst();
    }

    /** The components whose process runs. */
    public List<RunningComponent> alive() {
        return components.stream().filter(RunningComponent::alive).toList();
    }

    /** The same state with this component; it replaces the one of its name. */
    StackState with(RunningComponent running) {
        List<RunningComponent> all = new ArrayList<>(components);
        all.removeIf(other -> other.name().equals(running.name()));
        all.add(running);
        all.sort(Comparator.comparingInt(other -> StackPorts.names().indexOf(other.name())));
        return of(all);
    }

    /** The same state with these components only, in that order. */
    StackState of(List<RunningComponent> some) {
        return new StackState(ports, stopping, some);
    }

    StackState withStopping(boolean now) {
        return new StackState(ports, now, components);
    }

    /**
     * One line about components that ended although nobody stopped them; empty when there are none.
     *
     * @param alive components that still run; the pid of any other may belong to another
     *     process now
     */
    Optional<String> remark(List<RunningComponent> alive) {
        List<RunningComponent> gone = new ArrayList<>(components);
        gone.removeAll(alive);
        if (gone.isEmpty()) {
            return Optional.empty();
        }
        if (alive.isEmpty()) {
            return Optional.of(
                    "The last run ended without `down`: none of its %d processes is left; its state is cleaned."
                            .formatted(gone.size()));
        }
        String names = gone.stream().map(RunningComponent::toString).collect(Collectors.joining(", "));
        return Optional.of("Ended without `down` since the last run: " + names + ".");
    }
}
