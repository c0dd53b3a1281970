/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.progress;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Progress as plain lines, for files and pipes: one per change of state, and a sign of life from a
 * long step now and then.
 */
final class LineProgress implements Progress {

    private static final long SIGN_OF_LIFE_NANOS = TimeUnit.SECONDS.toNanos(15);

    private final Screen screen;
    private final LongSupplier nanoClock;
    private final Map<String, Step> steps = new HashMap<>();
    private final Map<String, Long> printed = new HashMap<>();

    LineProgress(Screen screen, LongSupplier nanoClock) {
        this.screen = screen;
        this.nanoClock = nanoClock;
    }

    @Override
    public synchronized void update(String step, StepState state, String detail) {
        long now = nanoClock.getAsLong();
        Step before = steps.computeIfAbsent(step, name -> Step.waiting(now));
        Step after = before.next(state, detail, now);
        steps.put(step, after);
        if (state == StepState.WAITING) {
            return;
        }
        boolean changed = before.state != state;
        boolean longAgo = !before.detail.equals(detail) && now - printed.getOrDefault(step, now) >= SIGN_OF_LIFE_NANOS;
        if (changed || longAgo) {
            printed.put(step, now);
            screen.print(line(step, after, now));
        }
    }

    @Override
    public void close() {}

    private static String line(String name, Step step, long now) {
        switch (step.state) {
            case READY:
                return name + ": " + step.detail + " (" + step.elapsed(now) + ")";
            case SKIPPED:
                return name + ": left out: " + step.detail;
            case FAILED:
                return name + ": failed" + (step.detail.isEmpty() ? "" : ": " + step.detail);
            default:
                return name + ": " + step.detail;
        }
    }
}
