/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.progress;

import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

/** Shows how far each of several steps has come; safe for use by several threads. */
public interface Progress extends AutoCloseable {

    /**
     * Says where a step stands now.
     *
     * @param step one of the names given at the start
     * @param detail a few words for people, may be empty
     */
    void update(String step, StepState state, String detail);

    /** Shows the last state of each step and stops drawing. */
    @Override
    void close();

    /**
     * Begins to show steps, the way the screen allows: in place on a terminal, one line per change
     * elsewhere.
     *
     * @param steps the steps' names in the order to show them
     * @param nanoClock a monotonic clock, in nanoseconds
     */
    static Progress open(Screen screen, List<String> steps, LongSupplier nanoClock) {
        return screen.terminal().interactive()
                ? InPlaceProgress.start(screen, steps, nanoClock, Duration.ofMillis(120))
                : new LineProgress(screen, nanoClock);
    }
}
