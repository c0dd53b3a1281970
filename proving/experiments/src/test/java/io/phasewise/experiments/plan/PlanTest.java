/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PlanTest {
    private static Plan plan(List<Plan.Pair> pairs, String... names) {
        List<Variant> variants = Stream.of(names)
                .map(name -> new Variant(name, null, Optional.empty(), null))
                .toList();
        return new Plan(null, null, variants, pairs);
    }

    @Test
    void unlessSaidOtherwiseEveryVariantIsHeldAgainstTheFirstByAllLeaders() {
        Plan plan = plan(null, "a", "b", "c");

        assertThat(plan.pairs()).containsExactly(new Plan.Pair("a", "b"), new Plan.Pair("a", "c"));
        assertThat(plan.compares(7)).isTrue();
    }

    @Test
    void aPairOfVariantsThatAreNotThereIsRefused() {
        List<Plan.Pair> pairs = List.of(new Plan.Pair("a", "d"));

        assertThatThrownBy(() -> plan(pairs, "a", "b"))
                .hasMessageContaining("pairs: Pair[baseline=a, treatment=d]; allowed: two of [a, b]");
    }

    @Test
    void variantsThatAreNotToldApartAreRefused() {
        assertThatThrownBy(() -> plan(null, "a", "a")).hasMessageContaining("variants: [a, a]; allowed: two or more");
        assertThatThrownBy(() -> plan(null, "a")).hasMessageContaining("variants: [a]");
    }
}
