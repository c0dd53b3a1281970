/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.experiments.plan.Variant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RunnerTest {
    @Test
    void everyVariantHasItsTurnInEveryRepeatAndEverySecondOneRunsBackwards() {
        List<Variant> variants = Stream.of("a", "b", "c", "d")
                .map(name -> new Variant(name, null, Optional.empty(), null))
                .toList();

        List<List<Variant>> orders = Runner.order(variants, 6, 1);

        assertThat(orders).hasSize(6).allSatisfy(o -> assertThat(o).hasSameElementsAs(variants));
        for (int repeat = 1; repeat < 6; repeat += 2) {
            List<Variant> before = orders.get(repeat - 1);
            for (int i = 0; i < 4; i++) {
                assertThat(orders.get(repeat).get(i)).isEqualTo(before.get(3 - i));
            }
        }
        assertThat(Stream.of(orders.get(0), orders.get(2), orders.get(4))
                        .distinct()
                        .count())
                .as("drawn")
                .isGreaterThan(1);
        assertThat(Runner.order(variants, 6, 1)).as("the same seed").isEqualTo(orders);
    }
}
