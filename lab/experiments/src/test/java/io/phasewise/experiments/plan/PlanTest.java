/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PlanTest {
    private static Variant[] variants(String... names) {
        return Arrays.stream(names).map(n -> Variant.of(n, Map.of())).toArray(Variant[]::new);
    }

    @Test
    void unlessSaidOtherwiseEveryVariantIsHeldAgainstTheFirstByAllLeaders() {
        Plan plan = Plan.of(variants("a", "b", "c"));

        assertThat(plan.pairs()).containsExactly(new Plan.Pair("a", "b"), new Plan.Pair("a", "c"));
        assertThat(plan.compares(7)).isTrue();
    }

    @Test
    void aPairOfVariantsThatAreNotThereIsRefused() {
        List<Plan.Pair> pairs = List.of(new Plan.Pair("a", "d"));

        assertThatThrownBy(() -> new Plan(null, null, List.of(variants("a", "b")), pairs))
                .hasMessageContaining(
                        "pairs: Pair[baseline=a, treatment=d]; allowed: two of [a, b]");
    }

    @Test
    void variantsThatAreNotToldApartAreRefused() {
        assertThatThrownBy(() -> Plan.of(variants("a", "a")))
                .hasMessageContaining("variants: [a, a]; allowed: two or more");
        assertThatThrownBy(() -> Plan.of(variants("a"))).hasMessageContaining("variants: [a]");
    }
}
