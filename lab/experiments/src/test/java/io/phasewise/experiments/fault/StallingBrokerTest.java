/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class StallingBrokerTest {
    @Test
    void aProbeWaitsHalfAStandstillIfItMeetsOne() {
        StallingBroker fault = new StallingBroker(3, Duration.ofMillis(400), Duration.ofSeconds(1));

        assertThat(fault.meanWaitMillis()).isEqualTo(80);
    }

    @Test
    void itMustGoOnBeforeItStandsStillAgain() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> new StallingBroker(3, Duration.ofSeconds(1), Duration.ofSeconds(1)));
    }
}
