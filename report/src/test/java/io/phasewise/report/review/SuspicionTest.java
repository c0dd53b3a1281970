/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.review;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.report.review.Suspicion.RuleSuspect;
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
        assertThat(suspicion(PathPart.COMMIT, 0.2, 0.01, 0.19))
                .isEqualTo(new Suspicion(PathPart.COMMIT, 0.2, "2", why));
    }

    @Test
    void whereEveryLeaderWaitedNoFollowerIsTheOneThatDoesNot() {
        String why = "it grew most for this leader";
        assertThat(suspicion(PathPart.COMMIT, 0.2, 0.25, 0.19))
                .isEqualTo(new Suspicion(PathPart.COMMIT, 0.25, "2", why));
        assertThat(suspicion(PathPart.COMMIT, 0.2, 0.01))
                .as("of two leaders either may follow the other")
                .isEqualTo(new Suspicion(PathPart.COMMIT, 0.2, "1", why));
    }

    @Test
    void aSlowLeaderIsTheOneThatGrew() {
        String why = "it grew most for this leader";
        assertThat(suspicion(PathPart.PUBLISH, 0.001, 0.002, 0.3))
                .isEqualTo(new Suspicion(PathPart.PUBLISH, 0.3, "3", why));
    }

    @Test
    void aBrokerWhoseProbesWereLostIsTheOneWhateverGrew() {
        SortedMap<String, Double> lost = new TreeMap<>(Map.of("1", 500.0, "2", 3.0));
        Suspicion suspicion = Suspicion.of(growth(PathPart.COMMIT, 0.2, 0.2, 0.2), lost);
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
    void whatGrewBehindTheSourceIsNoLeadersOfTheSource() {
        SortedMap<String, Map<PathPart, Double>> mirrored = growth(PathPart.MIRROR, 0.2, 0.3, 0.2);
        String why = "MirrorMaker, or its way between the clusters";
        assertThat(Suspicion.of(mirrored, new TreeMap<>(Map.of("1", 500.0))))
                .isEqualTo(new Suspicion(PathPart.MIRROR, 0.3, "", why));

        mirrored.values().forEach(parts -> parts.put(PathPart.FETCH, 0.5));
        Suspicion fetch = Suspicion.of(mirrored, new TreeMap<>());
        why = "the cluster that the probes are read in";
        assertThat(fetch).isEqualTo(new Suspicion(PathPart.FETCH, 0.5, "", why));
        assertThat(fetch.named(List.of(rule("1", "disk", "commit", 9)))).isEqualTo(fetch);

        mirrored.get("2").put(PathPart.PUBLISH, 0.7);
        assertThat(Suspicion.of(mirrored, new TreeMap<>()).broker()).isEqualTo("2");
    }

    @Test
    void whomTheRulesNamedIsTheSuspect() {
        Suspicion inferred = suspicion(PathPart.COMMIT, 0.2, 0.01, 0.19);
        List<RuleSuspect> rules = List.of(
                rule("1", "unknown", "commit", 90),
                rule("3", "disk", "commit", 40),
                rule("2", "handlers", "publish", 5));
        String why = "disk, in commit (as brokers report)";
        assertThat(inferred.named(rules)).isEqualTo(new Suspicion(PathPart.COMMIT, 0.2, "3", why));
        RuleSuspect fromOutside = new RuleSuspect("3", "follower", "commit", "inferred", 50);
        assertThat(inferred.named(List.of(fromOutside)).reason()).isEqualTo("follower, in commit (inferred)");
        assertThat(inferred.named(rules.subList(0, 1)).broker())
                .as("none is guessed")
                .isEmpty();
        assertThat(inferred.named(List.of())).isEqualTo(inferred);
    }

    @Test
    void nothingPointsAtNobody() {
        assertThat(Suspicion.of(new TreeMap<>(), new TreeMap<>()).broker()).isEmpty();
        assertThat(suspicion(PathPart.COMMIT, -1, 0, 0).part()).isNull();
    }

    private static Suspicion suspicion(PathPart part, double... secondsByLeader) {
        return Suspicion.of(growth(part, secondsByLeader), new TreeMap<>());
    }

    private static RuleSuspect rule(String broker, String role, String phase, double seconds) {
        return new RuleSuspect(broker, role, phase, "broker", seconds);
    }

    private static SortedMap<String, Map<PathPart, Double>> growth(PathPart part, double... seconds) {
        SortedMap<String, Map<PathPart, Double>> growth = new TreeMap<>();
        for (int i = 0; i < seconds.length; i++) {
            Map<PathPart, Double> parts = new EnumMap<>(PathPart.class);
            parts.put(part, seconds[i]);
            growth.put(Integer.toString(i + 1), parts);
        }
        return growth;
    }
}
