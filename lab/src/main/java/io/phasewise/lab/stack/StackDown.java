/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import io.phasewise.common.progress.Progress;
import io.phasewise.common.progress.Screen;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Ends a whole stack, whoever started it, and forgets it; the data stays until it is purged. */
public final class StackDown {

    // Brokers asked to go at the same time lose their quorum on the way; then they would wait for
    // it for minutes.
    static final Duration GRACE = Duration.ofSeconds(12);

    private final StateDirectory directory;
    private final Screen screen;
    private final LongSupplier nanoClock;

    public StackDown(StateDirectory directory, Screen screen, LongSupplier nanoClock) {
        this.directory = directory;
        this.screen = screen;
        this.nanoClock = nanoClock;
    }

    /**
     * Ends what runs; nothing running is no error.
     *
     * @param patience how long to wait for another launcher that is at it
     * @return how many processes were there to be ended
     * @throws LaunchException when another launcher is at it, or a process cannot be ended
     */
    public int down(Duration patience) throws LaunchException, InterruptedException {
        if (!directory.isOurs()) {
            return 0;
        }
        try (StateDirectory.Lock lock = directory.lock(patience)) {
            Optional<StackState> state = directory.read();
            return state.isPresent() ? down(state.get()) : 0;
        }
    }

    private int down(StackState state) throws LaunchException, InterruptedException {
        StateReview review = StateReview.of(state);
        review.remark().ifPresent(screen::print);
        if (!review.alive().isEmpty()) {
            directory.write(state.withStopping(true));
            List<String> names = review.alive().stream().map(RunningComponent::name).toList();
            List<String> failures;
            try (Progress progress = Progress.open(screen, names, nanoClock)) {
                failures = new StackStopper(GRACE).stop(review.alive(), progress);
            }
            if (!failures.isEmpty()) {
                directory.write(
                        new StackState(
                                state.portOffset(),
                                state.controllers(),
                                false,
                                StateReview.of(state).alive()));
                throw LaunchException.failed("could not be ended: " + String.join("; ", failures));
            }
        }
        directory.write(StackState.empty(state.portOffset(), state.controllers()));
        return review.alive().size();
    }
}
