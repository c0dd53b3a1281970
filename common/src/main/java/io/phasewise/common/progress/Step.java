/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.progress;

import java.util.Locale;

/**
 * One step's state at an instant of a monotonic clock; how it is drawn is left to the two kinds of
 * {@link Progress}.
 */
final class Step {

    final StepState state;
    final String detail;

    /** When work on the step began, or the last change where it has not. */
    private final long sinceNanos;

    /** When the state last changed. */
    private final long changedNanos;

    private Step(StepState state, String detail, long sinceNanos, long changedNanos) {
        this.state = state;
        this.detail = detail;
        this.sinceNanos = sinceNanos;
        this.changedNanos = changedNanos;
    }

    static Step waiting(long nowNanos) {
        return new Step(StepState.WAITING, "", nowNanos, nowNanos);
    }

    Step next(StepState state, String detail, long nowNanos) {
        boolean begins = this.state == StepState.WAITING;
        return new Step(state, detail, begins ? nowNanos : sinceNanos, state == this.state ? changedNanos : nowNanos);
    }

    /** Time worked on the step so far, or in all once it is over, as text. */
    String elapsed(long nowNanos) {
        long end = state.over() ? changedNanos : nowNanos;
        return String.format(Locale.ROOT, "%.1f s", (end - sinceNanos) / 1e9);
    }
}
