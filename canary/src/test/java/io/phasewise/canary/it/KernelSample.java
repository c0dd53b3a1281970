/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import io.phasewise.canary.it.Fitness.Role;
import java.util.HashMap;
import java.util.Map;

/**
 * What the kernel had counted at one moment.
 *
 * @param stolen by the hypervisor, of all processors together, in the kernel's ticks
 * @param ticks of all processors together
 * @param threads of the roles that were asked for; empty where the kernel has no {@code schedstat}
 */
record KernelSample(long stolen, long ticks, Map<ThreadId, Waits> threads) {
    /**
     * One thread.
     *
     * @param process its process's name, for people
     * @param tid the kernel's number
     */
    record ThreadId(String process, Role role, long tid) {}

    /**
     * How often threads were given a processor, and how long they had waited for that, in all.
     *
     * @param nanos waited on run queues
     * @param runs times given a processor
     */
    record Waits(long nanos, long runs) {
        static final Waits NONE = new Waits(0, 0);

        Waits plus(Waits other) {
            return new Waits(nanos + other.nanos, runs + other.runs);
        }

        Waits minus(Waits earlier) {
            return new Waits(nanos - earlier.nanos, runs - earlier.runs);
        }

        /** Mean wait, milliseconds. */
        double eachMs() {
            return nanos / 1e6 / runs;
        }
    }

    /** The share of all processors' time that the hypervisor withheld. */
    double stolenSince(KernelSample earlier) {
        return (double) (stolen - earlier.stolen) / Math.max(1, ticks - earlier.ticks);
    }

    /** What threads of a role waited, by process; those that never ran are left out. */
    Map<String, Waits> waitsSince(KernelSample earlier, Role role) {
        Map<String, Waits> waits = new HashMap<>();
        threads.forEach(
                (thread, counted) -> {
                    Waits since = counted.minus(earlier.threads.getOrDefault(thread, Waits.NONE));
                    if (thread.role().equals(role) && since.runs() > 0) {
                        waits.merge(thread.process(), since, Waits::plus);
                    }
                });
        return waits;
    }
}
