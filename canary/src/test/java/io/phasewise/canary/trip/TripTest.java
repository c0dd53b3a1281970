/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.trip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.phasewise.canary.phases.Instants;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TripTest {
    private static final SendResult FAILED = new SendResult(List.of(), Instants.UNKNOWN, 1, List.of(), 0, 0, -1);

    @Test
    void anInstantThatNobodySawCannotBeRead() {
        Trip lost = new Trip(0, 0, 1, 0, Outcome.LOST, Optional.of(FAILED), Optional.empty(), false);

        assertThatIllegalStateException().isThrownBy(lost::delivery);
        assertThatIllegalStateException().isThrownBy(lost::latencyNanos);
        assertThatIllegalStateException()
                .isThrownBy(FAILED::acknowledged)
                .withMessage("the instant of the acknowledgement is not known");
        assertThatIllegalStateException()
                .isThrownBy(new Delivery(5, Delivery.NO_APPEND_TIME, 0)::appendMillis)
                .withMessage("the record carries no LogAppendTime");
        assertThat(lost.acknowledgedNanos()).isEmpty();
        assertThat(lost.dispatchedNanos()).isEmpty();
    }
}
