/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster.traffic;

import java.io.Serial;
import org.apache.kafka.common.errors.ApiException;

/**
 * A probe came due while as many as are allowed were under way. Like every {@link ApiException} it
 * has no stack trace, so that one instance serves for thousands of probes a second.
 */
final class TooManyInFlightException extends ApiException {
    @Serial
    private static final long serialVersionUID = 1;

    /**
     * @param most how many are allowed
     */
    TooManyInFlightException(int most) {
        super(most + " probes are in flight already, the most that probe.max-in-flight allows");
    }
}
