/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import static io.phasewise.experiments.matrix.DeclaredRows.expectation;
import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.experiments.matrix.RowResult.Right;
import io.phasewise.experiments.matrix.Sightings.Alert;
import io.phasewise.experiments.matrix.Sightings.Reported;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class NamingJudgeTest {
    private static final Reported NOTHING = new Reported(Set.of(), Set.of());

    private final Expectation follower =
            expectation(
                    "{leaders: [1, 2], top: [commit], suspects: {must: [3 follower/commit], may: [3"
                            + " process/publish]}, alerts: {must: [BrokerDegraded]}}");
    private final Expectation nobody = expectation("{leaders: [1], unmoved: true}");
    private final Sightings seen = new Sightings(Set.of(), Set.of());

    @Test
    void theRightBrokerInTheRightRoleIsGood() {
        told(12, "3 process/publish", "3 follower/commit");
        told(30, "3 follower/commit");

        assertThat(faults(follower)).isEmpty();
        assertThat(judged(follower).namings())
                .startsWith(
                        new RowResult.Naming("suspect", "3 process/publish", Right.RIGHT, 12.0),
                        new RowResult.Naming("suspect", "3 follower/commit", Right.RIGHT, 30.0));
    }

    @Test
    void anotherBrokerIsWrongAtAnyTime() {
        told(12, "2 follower/commit");
        told(30, "3 follower/commit");

        assertThat(faults(follower))
                .containsExactly("suspect was 2 follower/commit, which is wrong");
    }

    @Test
    void whoWasNamedBeforeIsNoFaultOfTheRows() {
        Suspect earlier = Suspect.of("2 follower/commit");
        told(1, "2 follower/commit");
        told(30, "3 follower/commit");

        assertThat(NamingJudge.of(follower, List.of(earlier), seen, false).faults()).isEmpty();
    }

    @Test
    void theRightBrokerForAnotherReasonIsNotEnough() {
        told(12, "3 follower/commit");
        told(30, "3 process/publish");
        told(31, "3 network/fetch", "3 process/publish");

        assertThat(faults(follower))
                .containsExactly(
                        "at the end [3 network/fetch, 3 process/publish] was named, not one of [3"
                                + " follower/commit]");
        assertThat(judged(follower).namings())
                .contains(
                        new RowResult.Naming("suspect", "3 network/fetch", Right.OTHER_ROLE, 31.0));
    }

    @Test
    void nobodyIsRightOnlyWhereNobodyMustBeNamed() {
        assertThat(faults(follower)).hasSize(1);
        assertThat(faults(nobody)).isEmpty();
        told(12, "1 unknown/publish");
        assertThat(faults(nobody)).as("it says where, not who").isEmpty();
        told(13, "1 disk/publish");
        assertThat(faults(nobody)).containsExactly("suspect was 1 disk/publish, which is wrong");
    }

    @Test
    void eachBrokerThatMustBeNamedIs() {
        Expectation two =
                expectation(
                        "{leaders: [1, 2], top: [publish], suspects: {must: [1 handlers/publish, 1"
                                + " handlers/commit, 2 handlers/publish]}}");
        told(20, "1 handlers/commit");
        assertThat(faults(two)).hasSize(1);
        told(21, "2 handlers/publish", "1 handlers/commit");
        assertThat(faults(two)).isEmpty();
    }

    @Test
    void withoutExportersNobodyIsFineAndAWrongNameIsNot() {
        told(30, "3 follower/commit");
        assertThat(faults(follower)).isEmpty();
        seen.suspects(Scene.BLIND, List.of(Suspect.of("2 unknown/publish")), 40);
        assertThat(faults(follower)).isEmpty();
        seen.suspects(Scene.BLIND, List.of(Suspect.of("2 follower/commit")), 50);
        assertThat(faults(follower))
                .containsExactly("suspect (inferred) was 2 follower/commit, which is wrong");
    }

    @Test
    void whomAnAlertNamesIsJudged() {
        told(30, "3 follower/commit");
        Alert victim = alert("LeaderProbesBad", Scene.TOLD, "1", "", "");
        Alert culprit = alert("BrokerDegraded", Scene.TOLD, "3", "follower", "commit");
        seen.alerts(Set.of(victim, culprit), NOTHING, 200);
        assertThat(faults(follower)).as("whose probes are bad is no accusation").isEmpty();

        seen.alerts(
                Set.of(alert("GrayFailure", Scene.BLIND, "1", "network", "fetch")), NOTHING, 210);
        assertThat(faults(follower)).containsExactly("GrayFailure named 1 network/fetch");
        assertThat(judged(follower).namings())
                .contains(
                        new RowResult.Naming(
                                "GrayFailure (warning), inferred",
                                "1 network/fetch",
                                Right.WRONG,
                                210.0));
    }

    @Test
    void alertsThatAreNotDeclaredMustNotFireButForThoseOfProbesThatSuffer() {
        told(30, "3 follower/commit");
        seen.alerts(
                Set.of(
                        alert("SLOFastBurn", Scene.TOLD, "", "", ""),
                        alert("BrokerDown", Scene.TOLD, "3", "", "")),
                NOTHING,
                60);

        assertThat(faults(follower)).containsExactly("BrokerDown fired, which it must not");
        assertThat(faults(nobody))
                .contains("SLOFastBurn fired, which it must not", "BrokerDown named 3");
    }

    @Test
    void anAlertThatMustFireDoesInTheLongForm() {
        told(30, "3 follower/commit");
        assertThat(NamingJudge.of(follower, List.of(), seen, true).faults())
                .containsExactly("BrokerDegraded did not fire");
        seen.alerts(
                Set.of(alert("BrokerDegraded", Scene.TOLD, "3", "follower", "commit")),
                new Reported(Set.of("BrokerDegraded"), Set.of()),
                200);
        assertThat(NamingJudge.of(follower, List.of(), seen, true).faults()).isEmpty();
        seen.alerts(Set.of(), NOTHING, 210);
        assertThat(NamingJudge.of(follower, List.of(), seen, true).faults())
                .containsExactly("BrokerDegraded was resolved while the fault lasted");
    }

    @Test
    void anAlertThatIsHeldBackTellsNobody() {
        told(30, "3 follower/commit");
        seen.alerts(
                Set.of(alert("BrokerDegraded", Scene.TOLD, "3", "follower", "commit")),
                new Reported(Set.of("BrokerDegraded"), Set.of("BrokerDegraded")),
                200);

        assertThat(NamingJudge.of(follower, List.of(), seen, true).faults())
                .containsExactly("held back, so that nobody is told: BrokerDegraded");

        seen.alerts(
                Set.of(alert("LeaderProbesBad", Scene.TOLD, "1", "", "")),
                new Reported(Set.of("LeaderProbesBad"), Set.of()),
                210);
        assertThat(NamingJudge.of(follower, List.of(), seen, true).faults())
                .as("told of another broker")
                .contains("held back, so that nobody is told: BrokerDegraded");

        seen.alerts(
                Set.of(alert("LeaderProbesBad", Scene.TOLD, "3", "", "")),
                new Reported(Set.of("LeaderProbesBad"), Set.of()),
                220);
        assertThat(NamingJudge.of(follower, List.of(), seen, true).faults())
                .as("told of the same broker")
                .noneMatch(fault -> fault.startsWith("held back"));
    }

    @Test
    void whatStoodBeforeIsNotTheRows() {
        Alert lost = alert("ProbesLost", Scene.TOLD, "", "", "");
        Sightings later = new Sightings(Set.of(lost), Set.of("EndToEndP99High"));

        later.alerts(
                Set.of(lost), new Reported(Set.of("ProbesLost"), Set.of("EndToEndP99High")), 61);

        assertThat(later.fired()).isEmpty();
        assertThat(later.held()).isEmpty();
        assertThat(later.stoodBefore("ProbesLost")).isTrue();
    }

    @Test
    void whoIsNamedOrResolvedAfterTheMendingIsNotItsDoing() {
        told(30, "3 follower/commit");
        seen.alerts(
                Set.of(alert("BrokerDegraded", Scene.TOLD, "3", "follower", "commit")),
                new Reported(Set.of("BrokerDegraded"), Set.of()),
                200);
        seen.mended();
        told(210, "2 disk/publish");
        seen.alerts(Set.of(), NOTHING, 220);

        assertThat(NamingJudge.of(follower, List.of(), seen, true).faults()).isEmpty();
    }

    private void told(double seconds, String... suspects) {
        seen.suspects(Scene.TOLD, Stream.of(suspects).map(Suspect::of).toList(), seconds);
    }

    private List<String> faults(Expectation expect) {
        return judged(expect).faults();
    }

    private NamingJudge.Judged judged(Expectation expect) {
        return NamingJudge.of(expect, List.of(), seen, false);
    }

    private static Alert alert(
            String name, String cluster, String broker, String role, String phase) {
        return new Alert(name, "warning", cluster, broker, role, phase);
    }
}
