/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import java.util.Objects;
import java.util.OptionalLong;

/**
 * What is sent and how often; when exactly is left to the schedule.
 *
 * @param rate probes per second and partition, 0.1 to 1000
 * @param schedule how the probes are spread over time
 * @param size bytes of the record value, from the probe header's size to 10 MiB
 * @param lanes producers that carry them, at most, 1 to 256
 * @param seed of the Poisson schedule, 0 to {@link #GREATEST_SEED}; empty for a random one
 */
public record ProbeConfig(double rate, Arrival schedule, int size, int lanes, OptionalLong seed) {
    /** The greatest whole number that every reader of JSON keeps exactly. */
    public static final long GREATEST_SEED = (1L << 53) - 1;

    /** How probes are spread over time. */
    public enum Arrival {
        /**
         * Exponential gaps: probes see time averages and cannot lock step with a periodic stall.
         */
        POISSON,
        /** Equal gaps. */
        UNIFORM
    }

    public ProbeConfig {
        Objects.requireNonNull(schedule);
        Objects.requireNonNull(seed);
    }
}
