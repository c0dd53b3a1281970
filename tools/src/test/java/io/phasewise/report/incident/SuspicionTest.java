/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.incident;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.phase.Phase;
import io.phasewise.report.incident.Suspicion.Named;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Whom an incident points at. */
class SuspicionTest {

    @Test
    void whereNobodyIsNamedNobodyIsGuessed() {
        assertThat(suspicion(Phase.COMMIT, 0.2, 0.01, 0.19))
                .isEqualTo(new Suspicion(Phase.COMMIT, 0.2, "", "nobody was named; it grew most for leader 1"));
        assertThat(suspicion(Phase.PUBLISH, 0.001, 0.002, 0.3))
                .isEqualTo(new Suspicion(Phase.PUBLISH, 0.3, "", "nobody was named; it grew most for leader 3"));
    }

    @Test
    void aBrokerWhoseProbesWereLostIsTheOneWhateverGrew() {
        SortedMap<String, Double> lost = new TreeMap<>(Map.of("1", 500.0, "2", 3.0));
        Suspicion suspicion = Suspicion.of(growth(Phase.COMMIT, 0.2, 0.2, 0.2), lost);
        assertThat(suspicion.broker()).isEqualTo("1");
        assertThat(Suspicion.of(new TreeMap<>(), lost))
                .as("nothing grew")
                .isEqualTo(new Suspicion(null, Double.NaN, "1", "Broker 1: its probes were lost"));
        assertThat(Suspicion.of(new TreeMap<>(), new TreeMap<>(Map.of("1", 5.0, "2", 5.0)))
                        .broker())
                .as("half each")
                .isEmpty();
        assertThat(suspicion.named(List.of(before("several", "several", "broker", 9))))
                .isEqualTo(suspicion);
    }

    @Test
    void theSuspectIsTheOneThatTheCanaryNamedForTheMostTime() {
        Suspicion grown = suspicion(Phase.COMMIT, 0.2, 0.01, 0.19);
        List<Named> named = List.of(
                now("2", "handlers", "publish", "Broker 2, its request handlers", 50),
                now("3", "disk", "publish", "Broker 3, its disk", 20),
                now("3", "disk", "commit", "Broker 3, its disk", 40));
        assertThat(grown.named(named))
                .isEqualTo(new Suspicion(Phase.COMMIT, 0.2, "3", "Broker 3, its disk, in commit and publish"));
        assertThat(grown.named(List.of(now("none", "network", "fetch", "The canary's own network path", 5))))
                .isEqualTo(new Suspicion(Phase.COMMIT, 0.2, "", "The canary's own network path, in fetch"));
        assertThat(grown.named(List.of())).isEqualTo(grown);
    }

    /** A month may span the upgrade from rules that also guessed. */
    @Test
    void anOlderVersionsGuessIsSaidToBeOne() {
        Suspicion grown = suspicion(Phase.COMMIT, 0.2, 0.01, 0.19);
        assertThat(grown.named(List.of(before("1", "unknown", "broker", 90), before("3", "disk", "broker", 40))))
                .isEqualTo(new Suspicion(Phase.COMMIT, 0.2, "3", "Broker 3: disk, in commit"));
        assertThat(grown.named(List.of(before("3", "follower", "inferred", 50))).reason())
                .isEqualTo("Broker 3: follower, a guess from latencies alone, in commit");
    }

    @Test
    void withoutGrowthNobodyIsSuspected() {
        assertThat(Suspicion.of(new TreeMap<>(), new TreeMap<>()).broker()).isEmpty();
        assertThat(suspicion(Phase.COMMIT, -1, 0, 0).phase()).isNull();
    }

    private static Suspicion suspicion(Phase phase, double... secondsByLeader) {
        return Suspicion.of(growth(phase, secondsByLeader), new TreeMap<>());
    }

    private static Named now(String broker, String role, String phase, String who, double seconds) {
        return new Named(broker, role, phase, who, "", seconds);
    }

    private static Named before(String broker, String role, String source, double seconds) {
        return new Named(broker, role, "commit", "", source, seconds);
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
