/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.progress;

import java.util.Locale;

/**
 * One step's state at an instant of a monotonic clock; how it is drawn is left to the two kinds of
 * {@link Progress}.
 *
 * @param sinceNanos when work on the step began, or the last change where it has not
 * @param changedNanos when the state last changed
 */
record Step(StepState state, String detail, long sinceNanos, long changedNanos) {

    static Step waiting(long nowNanos) {
        return new Step(StepState.WAITING, "", nowNanos, nowNanos);
    }

    Step next(StepState state, String detail, long nowNanos) {
        boolean begins = this.state == StepState.WAITING;
        return new Step(
                state,
                detail,
                begins ? nowNanos : sinceNanos,
                state == this.state ? changedNanos : nowNanos);
    }

    /** Time worked on the step so far, or in all once it is over, as text. */
    String elapsed(long nowNanos) {
        long end = state.over() ? changedNanos : nowNanos;
        return String.format(Locale.ROOT, "%.1f s", (end - sinceNanos) / 1e9);
    }
}
