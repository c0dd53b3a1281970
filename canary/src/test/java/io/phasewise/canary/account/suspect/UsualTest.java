/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.account.suspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.phasewise.canary.account.Account;
import io.phasewise.common.phase.Phase;
import io.phasewise.common.phase.Role;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What probes usually wait for a broker: 10 ms, and twice what the other brokers take, or five times where all stall. */
class UsualTest {
    private static Tally tally(int broker, Role role, double seconds) {
        Tally tally = new Tally();
        tally.add(
                new Account.Builder()
                        .add(Phase.PUBLISH, broker, role, Math.round(seconds * 1e9))
                        .build(),
                0);
        return tally;
    }

    private static Usual of(Set<Integer> brokers, Map<Integer, Tally> tallies) {
        Map<Integer, Double> usually = new TreeMap<>();
        tallies.keySet().forEach(leader -> usually.put(leader, 1.0));
        return new Usual(tallies, usually, brokers);
    }

    @Test
    void theAllowanceWhereTheOthersTakeNothing() {
        Usual usual = of(Set.of(1, 2, 3), Map.of(1, tally(1, Role.DISK, 5)));

        assertThat(usual.seconds(1)).isEqualTo(0.01);
    }

    @Test
    void twoOfThreeThatAreSlowDoNotHideEachOther() {
        Usual usual = of(Set.of(1, 2, 3), Map.of(1, tally(1, Role.DISK, 5), 2, tally(2, Role.DISK, 4)));

        assertThat(usual.seconds(1)).isEqualTo(0.01);
        assertThat(usual.seconds(3)).isCloseTo(0.01 + 5 * 4, within(1e-9));
    }

    @Test
    void whereAllAreSlowWhateverTheRoleNobodyStandsOut() {
        Map<Integer, Tally> tallies =
                Map.of(1, tally(1, Role.DISK, 0.05), 2, tally(2, Role.HANDLERS, 0.04), 3, tally(3, Role.PROCESS, 0.03));

        assertThat(of(Set.of(1, 2, 3), tallies).seconds(1)).isCloseTo(0.01 + 2 * 0.03, within(1e-9));
        assertThat(of(Set.of(1, 2, 3), tallies).seconds(3)).isCloseTo(0.01 + 2 * 0.04, within(1e-9));
    }

    @Test
    void ofManyBrokersTheLowerQuartileOfTheOthersCounts() {
        Map<Integer, Tally> tallies = new TreeMap<>();
        IntStream.rangeClosed(1, 9).forEach(broker -> tallies.put(broker, tally(broker, Role.HANDLERS, broker)));

        assertThat(of(tallies.keySet(), tallies).seconds(9))
                .as("of 1 to 8 the second")
                .isCloseTo(0.01 + 5 * 2, within(1e-9));
        assertThat(of(tallies.keySet(), tallies).seconds(1))
                .as("of 2 to 9 the second")
                .isCloseTo(0.01 + 5 * 3, within(1e-9));
    }

    @Test
    void networkAndClientOfOthersDoNotCountNorIsOneBrokerComparedWithItself() {
        assertThat(of(Set.of(1, 2), Map.of(2, tally(2, Role.NETWORK, 9))).seconds(1))
                .isEqualTo(0.01);
        assertThat(of(Set.of(1), Map.of(1, tally(1, Role.DISK, 9))).seconds(1)).isEqualTo(0.01);
    }
}
