/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.cluster.reach.BrokerReach;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PartitionGateTest {
    private static final long PATIENCE = BrokerReach.PATIENCE.toNanos();

    /** Partition 0 of broker 1, partition 1 of broker 2. */
    private static final Map<Integer, Integer> WANTED = Map.of(0, 1, 1, 2);

    private final PartitionGate gate = new PartitionGate();

    @Test
    void aPartitionWithoutALeaderFailsUnderItsPreferredOneWhenItWasWaitedForLongEnough() {
        for (long now : new long[] {0, PATIENCE - 1}) {
            PartitionGate.Served early = gate.update(WANTED, Map.of(0, 1), Set.of(0, 1), now);
            assertThat(early.open()).isEqualTo(Map.of(0, 1));
            assertThat(early.failing()).isEmpty();
        }
        PartitionGate.Served late = gate.update(WANTED, Map.of(0, 1), Set.of(0, 1), PATIENCE);
        assertThat(late.open()).isEqualTo(Map.of(0, 1));
        assertThat(late.failing()).isEqualTo(Map.of(1, 2));
    }

    @Test
    void aPartitionThatCannotBeReadFailsTooUntilItOpensAndIsThenWaitedForAfresh() {
        gate.update(WANTED, WANTED, Set.of(0), 0);
        assertThat(gate.update(WANTED, WANTED, Set.of(0), PATIENCE).failing()).isEqualTo(Map.of(1, 2));
        PartitionGate.Served open = gate.update(WANTED, WANTED, Set.of(0, 1), PATIENCE + 1);
        assertThat(open.open()).isEqualTo(WANTED);
        assertThat(open.failing()).isEmpty();
        assertThat(gate.update(WANTED, WANTED, Set.of(), PATIENCE + 2).failing())
                .isEmpty();
    }

    @Test
    void aPartitionThatIsWantedNoMoreGetsNoProbes() {
        gate.update(WANTED, Map.of(0, 1, 1, 2), Set.of(0), 0);

        PartitionGate.Served now = gate.update(Map.of(0, 1), Map.of(0, 1, 1, 2), Set.of(0), PATIENCE);

        assertThat(now.open()).isEqualTo(Map.of(0, 1));
        assertThat(now.failing()).isEmpty();
    }
}
