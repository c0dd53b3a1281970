/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault.pause;

import io.phasewise.experiments.declared.Allowed;
import io.phasewise.experiments.fault.ActiveFault;
import io.phasewise.experiments.fault.RepeatedAction;
import io.phasewise.lab.process.ManagedProcess;
import java.time.Duration;
import java.time.Instant;

/**
 * A process that is paused (SIGSTOP) for a while, again and again. From outside this looks like a
 * long garbage collection or a starved host.
 *
 * @param standstill how long each pause is
 * @param period from the beginning of one pause to the next, longer than the standstill
 */
public record StallingProcess(Duration standstill, Duration period) {
    public StallingProcess {
        Allowed.upTo("period", period, Duration.ofMinutes(1));
        Allowed.upTo("standstill", standstill, period.minusMillis(1));
    }

    /** Begins at once. */
    public ActiveFault begin(ManagedProcess victim) {
        StallLog log = new StallLog();
        return RepeatedAction.every(period, () -> once(victim, log), victim::resume)
                .adding(log::leftMillis);
    }

    /** Pauses it once, and notes when: from when every thread of it was stopped. */
    public void once(ManagedProcess victim, StallLog log) throws InterruptedException {
        if (!victim.isAlive()) {
            throw new IllegalStateException(victim.name() + " has ended");
        }
        victim.pause();
        Instant begun = Instant.now();
        try {
            Thread.sleep(standstill.toMillis());
        } finally {
            victim.resume();
            log.add(begun, Instant.now());
        }
    }
}
