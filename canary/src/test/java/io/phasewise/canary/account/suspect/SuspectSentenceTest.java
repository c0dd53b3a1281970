/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.account.suspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.account.Account;
import io.phasewise.common.phase.Phase;
import io.phasewise.common.phase.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The words for suspects, and the lines of the log. */
class SuspectSentenceTest {
    private static Suspect suspect(int broker, Role role, Map<Phase, Double> phases, Integer... leaders) {
        return new Suspect(broker, role, phases, List.of(leaders), 0);
    }

    @Test
    void saysWhoWhoseProbesHowLongAndWhere() {
        Suspect coldReads = suspect(2, Role.NETWORK_THREADS, Map.of(Phase.FETCH, 1.2, Phase.COMMIT, 2.5), 2);

        assertThat(SuspectSentence.of(List.of(coldReads)))
                .isEqualTo(
                        "Broker 2, its network threads: probes of leader 2 wait 3.7 s longer than usual in commit and"
                                + " fetch.");
    }

    @Test
    void ofSeveralLeadersItIsTheLongestWait() {
        Suspect follower = suspect(3, Role.FOLLOWER, Map.of(Phase.COMMIT, 0.4), 1, 2);
        Suspect path =
                suspect(Account.NO_BROKER, Role.NETWORK, Map.of(Phase.FETCH, 0.1, Phase.PUBLISH, 0.1), 1, 2, 3, 4, 5);

        assertThat(SuspectSentence.of(List.of(follower, path)))
                .isEqualTo("Broker 3, as a follower: probes of leaders 1 and 2 wait up to 400 ms longer than usual in"
                        + " commit. The canary's own network path: probes of 5 leaders wait up to 200 ms longer than"
                        + " usual in publish and fetch.");
    }

    @Test
    void everyRoleButUnknownHasWords() {
        for (Role role : Role.values()) {
            if (role != Role.UNKNOWN) {
                assertThat(SuspectSentence.of(List.of(suspect(2, role, Map.of(Phase.COMMIT, 1.0), 1))))
                        .contains(": probes of leader 1 wait 1.0 s longer than usual in commit.");
            }
        }
        assertThat(SuspectSentence.of(List.of(suspect(-1, Role.CONTROLLER, Map.of(Phase.CATCH_UP, 1.0), 1))))
                .startsWith("The controller: ");
    }

    @Test
    void threeAreSaidAndHowManyMore() {
        List<Suspect> five = new ArrayList<>();
        for (int broker = 1; broker <= 5; broker++) {
            five.add(suspect(broker, Role.DISK, Map.of(Phase.PUBLISH, 1.0), broker));
        }
        assertThat(SuspectSentence.of(five))
                .contains("Broker 3")
                .doesNotContain("Broker 4")
                .endsWith(" And 2 more.");
        assertThat(SuspectSentence.of(List.of())).isEqualTo(SuspectSentence.NOBODY);
        assertThat(SuspectSentence.of(List.of(), true)).isEqualTo(SuspectSentence.NOBODY);
        assertThat(SuspectSentence.of(List.of(), false)).isEqualTo(SuspectSentence.NOT_KNOWN);
    }

    @ParameterizedTest
    @CsvSource({"0.0114, 11 ms", "0.9994, 999 ms", "0.9996, 1.0 s", "9.94, 9.9 s", "9.96, 10 s", "123.4, 123 s"})
    void durationsHaveTheDigitsThatCount(double seconds, String said) {
        assertThat(SuspectSentence.duration(seconds)).isEqualTo(said);
    }

    @Test
    void theLogHasALineWhenOtherOnesAreNamedThanBefore() {
        List<String> lines = new ArrayList<>();
        NamingLog log = new NamingLog("cluster prod", lines::add);
        Suspect disk = suspect(1, Role.DISK, Map.of(Phase.PUBLISH, 1.0), 1);
        log.look(List.of());
        log.look(List.of(disk));
        log.look(List.of(suspect(1, Role.DISK, Map.of(Phase.PUBLISH, 2.0), 1, 2)));
        log.look(List.of());

        assertThat(lines)
                .containsExactly(
                        "cluster prod: " + SuspectSentence.of(List.of(disk)),
                        "cluster prod: " + SuspectSentence.NOBODY);
    }

    @Test
    void profilesOfAClusterAreMergedByBrokerAndRole() {
        Suspect one = new Suspect(1, Role.DISK, Map.of(Phase.PUBLISH, 1.0), List.of(1), 50);
        Suspect longer = new Suspect(1, Role.DISK, Map.of(Phase.COMMIT, 2.0), List.of(2), 70);
        Suspect other = new Suspect(1, Role.PROCESS, Map.of(Phase.COMMIT, 3.0), List.of(2), 80);

        assertThat(Suspect.merged(List.of(List.of(one), List.of(other, longer))))
                .containsExactly(other, new Suspect(1, Role.DISK, Map.of(Phase.COMMIT, 2.0), List.of(1, 2), 50));
    }
}
