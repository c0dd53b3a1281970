/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import io.phasewise.canary.phases.Attribution;
import java.util.Optional;

/**
 * What is sent and how often; when exactly is left to the schedule.
 *
 * @param rate probes per second and partition, 0.1 to 10000
 * @param schedule how the probes are spread over time
 * @param size bytes of the record value, 64 to 10,485,760
 * @param lanes producers that carry them, at most, 1 to 256; not used where pipelined
 * @param maxInFlight probes without an outcome yet, at most, 100 to 10,000,000; one that comes due
 *     beyond that fails at once
 * @param seed of the Poisson schedule, 0 to {@link #GREATEST_SEED}; empty for a random one
 * @param pipelined whether one producer carries them all, as an application's does
 * @param attribution which phase gets the time that a probe waits behind an earlier one
 * @param compressibility the share of the value that a codec can squeeze out, 0 to 1
 * @param keys how many record keys, and of which size
 */
public record ProbeConfig(
        @Bounds("0.1 to 10000") double rate,
        Arrival schedule,
        @Bounds("64 to 10485760") int size,
        @Bounds("1 to 256") int lanes,
        @Bounds("100 to 10000000") int maxInFlight,
        @Bounds("0 to " + GREATEST_SEED) Optional<Long> seed,
        boolean pipelined,
        Attribution attribution,
        @Bounds("0 to 1") double compressibility,
        RecordKeys keys) {
    /**
     * The keys of the records.
     *
     * @param count how many distinct ones; 0 for records without a key
     * @param size bytes of a key, 1 to 1024; a key is a decimal number
     */
    public record RecordKeys(
            @Bounds("0 to 10 to the power of keys.size, at most 1000000000")
            int count,

            @Bounds("1 to 1024") int size) {}

    /** The greatest whole number that every reader of JSON keeps exactly. */
    public static final long GREATEST_SEED = (1L << 53) - 1;

    /** How probes are spread over time. */
    public enum Arrival {
        /**
         * Exponential gaps: probes see time averages and cannot fall into step with a periodic
         * stall.
         */
        POISSON,
        /** Equal gaps. */
        UNIFORM
    }
}
