/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What a launcher finds: which components of the remembered state still run, and which ended
 * without anybody stopping them.
 *
 * @param alive recognised as ours by pid and start time
 * @param gone ended, or their pid belongs to another process by now
 */
public record StateReview(List<RunningComponent> alive, List<RunningComponent> gone) {

    public static StateReview of(StackState state) {
        List<RunningComponent> alive = new ArrayList<>();
        List<RunningComponent> gone = new ArrayList<>();
        for (RunningComponent running : state.components()) {
            (running.alive() ? alive : gone).add(running);
        }
        return new StateReview(List.copyOf(alive), List.copyOf(gone));
    }

    /** One line about what ended unasked; empty when nothing did. */
    public Optional<String> remark() {
        if (gone.isEmpty()) {
            return Optional.empty();
        }
        if (alive.isEmpty()) {
            return Optional.of(
                    "The last run ended without `down`: none of its "
                            + gone.size()
                            + " processes is left; its state is cleaned.");
        }
        return Optional.of(
                "Ended without `down` since the last run: "
                        + gone.stream()
                                .map(r -> r.name() + " (pid " + r.identity().pid() + ")")
                                .collect(Collectors.joining(", "))
                        + ".");
    }
}
