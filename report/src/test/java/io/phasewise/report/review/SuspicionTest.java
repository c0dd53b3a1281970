/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.review;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.report.review.Suspicion.Accused;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Where an incident begins and ends, and whom it points at. */
class SuspicionTest {

    private static final Instant START = Instant.parse("2026-11-01T00:00:00Z");

    @Test
    void aSlowFollowerIsTheOneThatDoesNotWait() {
        Suspicion suspicion = suspicion(PathPart.COMMIT, 0.2, 0.01, 0.19);
        assertThat(suspicion.part()).isEqualTo(PathPart.COMMIT);
        assertThat(suspicion.broker()).isEqualTo("2");
        assertThat(suspicion.reason()).contains("follower");
    }

    @Test
    void aSlowLeaderIsTheOneThatGrew() {
        Suspicion suspicion = suspicion(PathPart.PUBLISH, 0.001, 0.002, 0.3);
        assertThat(suspicion.part()).isEqualTo(PathPart.PUBLISH);
        assertThat(suspicion.growth()).isEqualTo(0.3);
        assertThat(suspicion.broker()).isEqualTo("3");
    }

    @Test
    void aBrokerWhoseProbesWereLostIsTheOneWhateverGrew() {
        assertThat(
                        Suspicion.of(
                                        growth(PathPart.COMMIT, 0.2, 0.2, 0.2),
                                        new TreeMap<>(Map.of("1", 500.0, "2", 3.0)))
                                .broker())
                .isEqualTo("1");
    }

    @Test
    void whatGrewBehindTheSourceIsNoLeadersOfTheSource() {
        SortedMap<String, Map<PathPart, Double>> mirrored = growth(PathPart.MIRROR, 0.2, 0.3, 0.2);
        Suspicion mirror = Suspicion.of(mirrored, new TreeMap<>(Map.of("1", 500.0)));
        assertThat(mirror.part()).isEqualTo(PathPart.MIRROR);
        assertThat(mirror.broker()).isEmpty();
        assertThat(mirror.reason()).contains("MirrorMaker");

        mirrored.values().forEach(parts -> parts.put(PathPart.FETCH, 0.5));
        Suspicion fetch = Suspicion.of(mirrored, new TreeMap<>());
        assertThat(fetch.broker()).isEmpty();
        assertThat(fetch.reason()).contains("the cluster that the probes are read in");
        Accused source = new Accused("1", "disk", "commit", "broker", 9);
        assertThat(fetch.named(List.of(source)).broker()).isEmpty();

        mirrored.get("2").put(PathPart.PUBLISH, 0.7);
        assertThat(Suspicion.of(mirrored, new TreeMap<>()).broker()).isEqualTo("2");
    }

    @Test
    void whomTheRulesNamedIsTheSuspect() {
        Suspicion inferred = suspicion(PathPart.COMMIT, 0.2, 0.01, 0.19);
        Suspicion named =
                inferred.named(
                        List.of(
                                new Accused("1", "unknown", "commit", "broker", 90),
                                new Accused("3", "disk", "commit", "broker", 40),
                                new Accused("2", "handlers", "publish", "broker", 5)));
        assertThat(named.broker()).isEqualTo("3");
        assertThat(named.reason()).isEqualTo("disk, in commit (as brokers report)");
        assertThat(named.part()).isEqualTo(PathPart.COMMIT);
        assertThat(named.growth()).isEqualTo(0.2);
        assertThat(inferred.named(List.of())).isEqualTo(inferred);
    }

    @Test
    void whereTheRulesNameNoBrokerNoneIsGuessed() {
        List<Accused> several = List.of(new Accused("several", "several", "commit", "broker", 9));
        Suspicion grown = suspicion(PathPart.COMMIT, 0.2, 0.01, 0.19);
        assertThat(grown.named(several).broker()).isEmpty();
        Suspicion lost =
                Suspicion.of(
                        growth(PathPart.COMMIT, 0.2, 0.2, 0.2), new TreeMap<>(Map.of("1", 500.0)));
        assertThat(lost.named(several).broker()).isEqualTo("1");
    }

    @Test
    void nothingPointsAtNobody() {
        assertThat(Suspicion.of(new TreeMap<>(), new TreeMap<>()).broker()).isEmpty();
        assertThat(suspicion(PathPart.COMMIT, -1, 0, 0).part()).isNull();
    }

    @Test
    void badTimesThatAreCloseAreOneIncident() {
        SortedMap<Instant, Double> all = new TreeMap<>();
        SortedMap<Instant, Double> bad = new TreeMap<>();
        for (int i = 1; i <= 20; i++) {
            all.put(minutes(5 * i), 1000.0);
            bad.put(minutes(5 * i), i == 3 || i == 5 || i == 12 ? 100.0 : i == 18 ? 20.0 : 1.0);
        }
        List<IncidentReader.Span> spans = IncidentReader.spans(all, bad, 0.01);
        assertThat(spans)
                .containsExactly(
                        new IncidentReader.Span(minutes(10), minutes(25), 200),
                        new IncidentReader.Span(minutes(55), minutes(60), 100));
    }

    @Test
    void aFewBadProbesAreNoIncident() {
        assertThat(
                        IncidentReader.spans(
                                new TreeMap<>(Map.of(START, 10.0)),
                                new TreeMap<>(Map.of(START, 4.0)),
                                0.01))
                .isEmpty();
    }

    private static Suspicion suspicion(PathPart part, double... secondsByLeader) {
        return Suspicion.of(growth(part, secondsByLeader), new TreeMap<>());
    }

    private static Instant minutes(long minutes) {
        return START.plus(Duration.ofMinutes(minutes));
    }

    private static SortedMap<String, Map<PathPart, Double>> growth(
            PathPart part, double... seconds) {
        SortedMap<String, Map<PathPart, Double>> growth = new TreeMap<>();
        for (int i = 0; i < seconds.length; i++) {
            Map<PathPart, Double> parts = new EnumMap<>(PathPart.class);
            parts.put(part, seconds[i]);
            growth.put(Integer.toString(i + 1), parts);
        }
        return growth;
    }
}
