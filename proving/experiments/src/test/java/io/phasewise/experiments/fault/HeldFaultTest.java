/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.experiments.fault.HeldFault.Bounds;
import io.phasewise.experiments.fault.HeldFault.Whose;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HeldFaultTest {
    private static final Whose PAUSED = Whose.of(2, "process");
    private static final Whose NETWORK = Whose.of(2, "network");
    private static final Whose UNKNOWN = Whose.of(1, "unknown");

    @Test
    void whatALogSaysIsHeldFromBothSides() {
        assertThat(wrong(Bounds.LOG, Map.of(PAUSED, 94.9))).containsExactly("[process of 2]: 94.9 % of what was added");
        assertThat(wrong(Bounds.LOG, Map.of(PAUSED, 95.0))).isEmpty();
        assertThat(wrong(Bounds.LOG, Map.of(PAUSED, 105.0))).isEmpty();
        assertThat(wrong(Bounds.LOG, Map.of(PAUSED, 105.1))).hasSize(1);
    }

    @Test
    void whatAWitnessSawIsHeldLessTightly() {
        assertThat(wrong(Bounds.WITNESS, Map.of(PAUSED, 90.0))).isEmpty();
        assertThat(wrong(Bounds.WITNESS, Map.of(PAUSED, 110.0))).isEmpty();
        assertThat(wrong(Bounds.WITNESS, Map.of(PAUSED, 89.9))).hasSize(1);
        assertThat(wrong(Bounds.WITNESS, Map.of(PAUSED, 110.1))).hasSize(1);
    }

    @Test
    void nobodyElseHasMoreThanATwentieth() {
        assertThat(wrong(Bounds.LOG, Map.of(PAUSED, 100.0, NETWORK, 5.0, UNKNOWN, 5.0)))
                .isEmpty();
        assertThat(wrong(Bounds.LOG, Map.of(PAUSED, 100.0, NETWORK, 5.1)))
                .containsExactly("network of 2: 5.1 % of what was added");
    }

    @Test
    void whatIsUnknownIsAddedUp() {
        assertThat(wrong(Bounds.LOG, Map.of(PAUSED, 100.0, UNKNOWN, 3.0, Whose.of(3, "unknown"), 3.0)))
                .containsExactly("unknown: 6.0 % of what was added");
    }

    @Test
    void severalAreJudgedByTheirSum() {
        Map<Whose, Double> waits = new HashMap<>(Map.of(PAUSED, 30.0, Whose.of(3, "process"), 68.0));
        HeldFault both = new HeldFault(Set.of(PAUSED, Whose.of(3, "process")), Set.of(), Bounds.LOG, 100, waits);

        assertThat(both.wrong()).isEmpty();
        assertThat(both.share()).isEqualTo(0.98);
        assertThat(both.largestOther()).isEqualTo("nobody");
    }

    @Test
    void whoIsJudgedBesideIsNotJudgedHere() {
        Map<Whose, Double> waits = Map.of(PAUSED, 100.0, NETWORK, 90.0);

        assertThat(new HeldFault(Set.of(PAUSED), Set.of(NETWORK), Bounds.LOG, 100, waits).wrong())
                .isEmpty();
    }

    @Test
    void aFaultThatAddedNothingIsNoProof() {
        assertThat(new HeldFault(Set.of(PAUSED), Set.of(), Bounds.LOG, 0, Map.of()).wrong())
                .containsExactly("nothing was added");
    }

    private static List<String> wrong(Bounds bounds, Map<Whose, Double> waits) {
        return new HeldFault(Set.of(PAUSED), bounds, 100, waits).wrong();
    }
}
