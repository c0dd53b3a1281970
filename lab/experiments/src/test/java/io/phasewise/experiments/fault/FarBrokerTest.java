/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class FarBrokerTest {
    @Test
    void theOneThatIsTwiceAsSlowAsAnyOtherStandsOut() {
        assertThat(FarBroker.slowest(Map.of(1, 0.010, 2, 0.121, 3, 0.060))).contains(2);
    }

    @Test
    void amongThreeThatAreAlikeNoneStandsOut() {
        assertThat(FarBroker.slowest(Map.of(1, 0.010, 2, 0.019, 3, 0.012))).isEmpty();
    }

    @Test
    void twoSlowOnesAreNotOneThatStandsOut() {
        assertThat(FarBroker.slowest(Map.of(1, 0.110, 2, 0.121, 3, 0.010))).isEmpty();
    }

    @Test
    void aBrokerAloneIsNotSlowerThanOthers() {
        assertThat(FarBroker.slowest(Map.of(1, 5.0))).isEmpty();
    }
}
