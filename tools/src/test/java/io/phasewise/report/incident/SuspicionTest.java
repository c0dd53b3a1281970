/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.incident;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.phase.Phase;
import io.phasewise.report.incident.Suspicion.RuleSuspect;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Whom an incident points at. */
class SuspicionTest {

    @Test
    void aSlowFollowerIsTheOneThatDoesNotWait() {
        String why = "all other leaders waited for a follower";
        assertThat(suspicion(Phase.COMMIT, 0.2, 0.01, 0.19)).isEqualTo(new Suspicion(Phase.COMMIT, 0.2, "2", why));
    }

    @Test
    void whereEveryLeaderWaitedNoFollowerIsTheOneThatDoesNot() {
        String why = "it grew most for this leader";
        assertThat(suspicion(Phase.COMMIT, 0.2, 0.25, 0.19)).isEqualTo(new Suspicion(Phase.COMMIT, 0.25, "2", why));
        assertThat(suspicion(Phase.COMMIT, 0.2, 0.01))
                .as("of two leaders either may follow the other")
                .isEqualTo(new Suspicion(Phase.COMMIT, 0.2, "1", why));
    }

    @Test
    void aSlowLeaderIsTheOneThatGrew() {
        String why = "it grew most for this leader";
        assertThat(suspicion(Phase.PUBLISH, 0.001, 0.002, 0.3)).isEqualTo(new Suspicion(Phase.PUBLISH, 0.3, "3", why));
    }

    @Test
    void aBrokerWhoseProbesWereLostIsTheOneWhateverGrew() {
        SortedMap<String, Double> lost = new TreeMap<>(Map.of("1", 500.0, "2", 3.0));
        Suspicion suspicion = Suspicion.of(growth(Phase.COMMIT, 0.2, 0.2, 0.2), lost);
        assertThat(suspicion.broker()).isEqualTo("1");
        assertThat(Suspicion.of(new TreeMap<>(), lost))
                .as("nothing grew")
                .isEqualTo(new Suspicion(null, Double.NaN, "1", "its probes were lost"));
        assertThat(Suspicion.of(new TreeMap<>(), new TreeMap<>(Map.of("1", 5.0, "2", 5.0)))
                        .broker())
                .as("half each")
                .isEmpty();
        List<RuleSuspect> several = List.of(rule("several", "several", "commit", 9));
        assertThat(suspicion.named(several)).isEqualTo(suspicion);
    }

    @Test
    void whomTheRulesNamedIsTheSuspect() {
        Suspicion inferred = suspicion(Phase.COMMIT, 0.2, 0.01, 0.19);
        List<RuleSuspect> rules = List.of(
                rule("1", "unknown", "commit", 90),
                rule("3", "disk", "commit", 40),
                rule("2", "handlers", "publish", 5));
        String why = "disk, in commit (as brokers report)";
        assertThat(inferred.named(rules)).isEqualTo(new Suspicion(Phase.COMMIT, 0.2, "3", why));
        RuleSuspect fromOutside = new RuleSuspect("3", "follower", "commit", "inferred", 50);
        assertThat(inferred.named(List.of(fromOutside)).reason()).isEqualTo("follower, in commit (inferred)");
        assertThat(inferred.named(rules.subList(0, 1)).broker())
                .as("none is guessed")
                .isEmpty();
        assertThat(inferred.named(List.of())).isEqualTo(inferred);
    }

    @Test
    void withoutGrowthNobodyIsSuspected() {
        assertThat(Suspicion.of(new TreeMap<>(), new TreeMap<>()).broker()).isEmpty();
        assertThat(suspicion(Phase.COMMIT, -1, 0, 0).phase()).isNull();
    }

    private static Suspicion suspicion(Phase phase, double... secondsByLeader) {
        return Suspicion.of(growth(phase, secondsByLeader), new TreeMap<>());
    }

    private static RuleSuspect rule(String broker, String role, String phase, double seconds) {
        return new RuleSuspect(broker, role, phase, "broker", seconds);
    }

    private static SortedMap<String, Map<Phase, Double>> growth(Phase phase, double... seconds) {
        SortedMap<String, Map<Phase, Double>> growth = new TreeMap<>();
        for (int i = 0; i < seconds.length; i++) {
            Map<Phase, Double> phases = new EnumMap<>(Phase.class);
            phases.put(phase, seconds[i]);
            growth.put(Integer.toString(i + 1), phases);
        }
        return growth;
    }
}
