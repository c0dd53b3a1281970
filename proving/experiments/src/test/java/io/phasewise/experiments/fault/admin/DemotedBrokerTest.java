/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DemotedBrokerTest {
    @ParameterizedTest
    @CsvSource({
        "twice as slow as any other, 0.010, 0.121, 0.060, 2",
        "three that are alike, 0.010, 0.019, 0.012,",
        "two slow ones, 0.110, 0.121, 0.010,",
    })
    void theOneThatStandsOut(String of, double one, double two, double three, Integer found) {
        assertThat(DemotedBroker.slowest(Map.of(1, one, 2, two, 3, three)))
                .as(of)
                .isEqualTo(Optional.ofNullable(found));
    }

    @Test
    void aBrokerAloneIsNotSlowerThanOthers() {
        assertThat(DemotedBroker.slowest(Map.of(1, 5.0))).isEmpty();
    }
}
