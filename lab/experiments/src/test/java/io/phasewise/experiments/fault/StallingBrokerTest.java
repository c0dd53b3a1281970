/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class StallingBrokerTest {
    @Test
    void itMustGoOnBeforeItStandsStillAgain() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> new StallingBroker(3, Duration.ofSeconds(1), Duration.ofSeconds(1)));
    }
}
