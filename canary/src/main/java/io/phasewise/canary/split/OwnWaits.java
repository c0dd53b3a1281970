/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.split;

import java.util.function.LongBinaryOperator;

/**
 * What the canary's own clients and process wait for, as far as a probe's waits are concerned.
 *
 * @param consumer client id of the consumer of the probes
 * @param awaitsMore whether it asks for more than a record at a time ({@code fetch.min.bytes}), so that a broker holds
 *     back one that is there
 * @param lingerNanos how long producers wait for more records ({@code linger.ms})
 * @param deadlineNanos how long a probe is waited for that does not come back
 * @param stalled how long the process was paused from one monotonic nanosecond to another
 */
public record OwnWaits(
        String consumer, boolean awaitsMore, long lingerNanos, long deadlineNanos, LongBinaryOperator stalled) {}
