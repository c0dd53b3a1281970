/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import java.util.Map;

/**
 * What the kernel had counted at one moment.
 *
 * @param processors times of all processors together
 * @param threads of the roles that were asked for; empty where the kernel has no {@code schedstat}
 */
record KernelSample(Processors processors, Map<ThreadId, Waits> threads) {

    /**
     * One thread.
     *
     * @param process its process's name, for people
     * @param role the name of its {@link Fitness.Role}
     * @param tid the kernel's number
     */
    public record ThreadId(String process, String role, long tid) {}

    /**
     * How often a thread was given a processor, and how long it had waited for that, in all.
     *
     * @param nanos waited on run queues
     * @param runs times given a processor
     */
    public record Waits(long nanos, long runs) implements Comparable<Waits> {
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

        @Override
        public int compareTo(Waits other) {
            return Double.compare(eachMs(), other.eachMs());
        }
    }

    /** Times of all processors, in the kernel's ticks. */
    public record Processors(long idle, long steal, long all) {
        Processors minus(Processors earlier) {
            return new Processors(idle - earlier.idle, steal - earlier.steal, all - earlier.all);
        }

        double share(long ticks) {
            return all == 0 ? 0 : (double) ticks / all;
        }
    }
}
