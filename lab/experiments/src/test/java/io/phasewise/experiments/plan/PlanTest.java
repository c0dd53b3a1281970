/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PlanTest {
    private final Plan plan =
            Plan.of(
                    Variant.of("a", Map.of()),
                    Variant.of("b", Map.of()),
                    Variant.of("c", Map.of()));

    @Test
    void unlessSaidOtherwiseEveryVariantIsHeldAgainstTheFirst() {
        assertThat(plan.pairs()).containsExactly(new Plan.Pair("a", "b"), new Plan.Pair("a", "c"));
    }

    @Test
    void aPairOfVariantsThatAreNotThereIsRefused() {
        assertThatThrownBy(() -> plan.comparing(List.of(new Plan.Pair("a", "d"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("d");
    }
}
