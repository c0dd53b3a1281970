/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix.judgement;

import static io.phasewise.experiments.matrix.row.DeclaredRows.expectation;
import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.experiments.matrix.observation.AlertHistory;
import io.phasewise.experiments.matrix.result.RowResult;
import io.phasewise.experiments.matrix.result.RowResult.Right;
import io.phasewise.experiments.matrix.row.Expectation;
import io.phasewise.experiments.matrix.row.Suspect;
import io.phasewise.experiments.matrix.scene.Alert;
import io.phasewise.experiments.matrix.scene.ReportedAlerts;
import io.phasewise.experiments.matrix.scene.Scene;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NamingJudgeTest {
    private static final ReportedAlerts NOTHING = new ReportedAlerts(Set.of(), Set.of());
    private static final Alert DEGRADED = alert("BrokerDegraded", Scene.WITH_EXPORTERS, "3", "follower");

    private final Expectation follower =
            expectation("{leaders: [1, 2], top: [commit], suspects: {must: [3 follower/commit], may: [3"
                    + " process/publish]}, alerts: {must: [BrokerDegraded]}}");
    private final Expectation nobody = expectation("{leaders: [1], unmoved: true}");
    private final Expectation two =
            expectation("{leaders: [1, 2], top: [publish], suspects: {must: [1 handlers/publish, 1"
                    + " handlers/commit, 2 handlers/publish]}}");
    private final Expectation itself = expectation(
            "{leaders: [1], top: [produce], suspects: {may: [none client/produce," + " none client/fetch]}}");
    private final AlertHistory seen = new AlertHistory(Set.of(), Set.of());

    /** Who is named first comes first; looks are parted by semicolons. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    follower | 3 process/publish, 3 follower/commit; 3 follower/commit |
                    follower | 2 follower/commit; 3 follower/commit                    | suspect was 2 follower/commit, which is wrong
                    follower | 3 follower/commit; 3 process/publish                    | at the end [3 process/publish] was named, not one of [3 follower/commit]
                    follower |                                                         | at the end [] was named, not one of [3 follower/commit]
                    follower | 3 network/fetch; 3 follower/commit                      | suspect was 3 network/fetch: right broker, wrong role
                    nobody   |                                                         |
                    nobody   | 1 disk/publish                                          | suspect was 1 disk/publish, which is wrong
                    nobody   | none client/produce                                     | suspect was none client/produce, which is wrong
                    itself   | none client/fetch                                       |
                    itself   | none client/produce; none network/fetch                 | suspect was none network/fetch, which is wrong
                    two      | 1 handlers/commit                                       | at the end [1 handlers/commit] was named, not one of [2 handlers/publish]
                    two      | 1 handlers/commit; 2 handlers/publish, 1 handlers/commit |
                    """)
    void whoIsNamedIsHeldAgainstWhoIsDeclared(String declared, String looks, String fault) {
        double seconds = 10;
        for (String look : looks == null ? new String[0] : looks.split("; ")) {
            told(seconds++, look.split(", "));
        }

        Map<String, Expectation> rows = Map.of("follower", follower, "nobody", nobody, "two", two, "itself", itself);
        assertThat(faults(rows.get(declared))).isEqualTo(fault == null ? List.of() : List.of(fault));
    }

    @Test
    void whoIsNamedFirstIsListedWithWhenAndWhetherRightly() {
        told(12, "3 process/publish", "3 follower/commit");
        told(30, "3 follower/commit");
        told(31, "3 network/fetch", "3 process/publish");

        assertThat(judged(follower).namings())
                .startsWith(
                        new RowResult.Naming("suspect", "3 process/publish", Right.RIGHT, 12.0),
                        new RowResult.Naming("suspect", "3 follower/commit", Right.RIGHT, 30.0),
                        new RowResult.Naming("suspect", "3 network/fetch", Right.WRONG_ROLE, 31.0));
    }

    @Test
    void whoWasNamedBeforeIsNoFaultOfTheRows() {
        Suspect earlier = Suspect.of("2 follower/commit");
        told(1, "2 follower/commit");
        told(30, "3 follower/commit");

        assertThat(NamingJudge.of(follower, List.of(earlier), seen, false).faults())
                .isEmpty();
    }

    @Test
    void withoutExportersNobodyIsFineAndAWrongNameIsNot() {
        told(30, "3 follower/commit");
        assertThat(faults(follower)).isEmpty();
        seen.suspects(Scene.WITHOUT_EXPORTERS, List.of(Suspect.of("2 follower/commit")), 50);
        assertThat(faults(follower)).containsExactly("suspect (without agents) was 2 follower/commit, which is wrong");
        seen.suspects(Scene.WITHOUT_EXPORTERS, List.of(Suspect.of("3 disk/commit")), 60);
        assertThat(faults(follower)).contains("suspect (without agents) was 3 disk/commit: right broker, wrong role");
    }

    @Test
    void whomTheRulesOfBeforeWouldNameIsNotedAndNotJudged() {
        told(30, "3 follower/commit");
        assertThat(judged(follower).namings())
                .contains(new RowResult.Naming(RowResult.FORMER_SUSPECT, "nobody", Right.NEITHER, null));
        seen.former(List.of("several several/commit", "3 process/publish"), 40);
        seen.mended();
        seen.former(List.of("2 unknown/fetch"), 50);

        assertThat(faults(follower)).isEmpty();
        assertThat(judged(follower).namings())
                .contains(new RowResult.Naming(RowResult.FORMER_SUSPECT, "several several/commit", Right.NEITHER, 40.0))
                .noneMatch(naming -> naming.who().equals("2 unknown/fetch"));
    }

    @Test
    void whomAnAlertNamesIsJudged() {
        told(30, "3 follower/commit");
        Alert victim = alert("LeaderProbesBad", Scene.WITH_EXPORTERS, "1", "");
        seen.alerts(Set.of(victim, DEGRADED), NOTHING, 200);
        assertThat(faults(follower)).as("whose probes are bad is no accusation").isEmpty();

        seen.alerts(Set.of(alert("BrokerDegraded", Scene.WITHOUT_EXPORTERS, "1", "network")), NOTHING, 210);
        assertThat(faults(follower)).containsExactly("BrokerDegraded named 1 network");
        seen.alerts(Set.of(alert("BrokerDegraded", Scene.WITH_EXPORTERS, "3", "network")), NOTHING, 215);
        assertThat(faults(follower)).contains("BrokerDegraded (warning) was 3 network: right broker, wrong role");
        assertThat(judged(follower).namings())
                .contains(
                        new RowResult.Naming("BrokerDegraded (warning)", "3 follower", Right.RIGHT, 200.0),
                        new RowResult.Naming(
                                "BrokerDegraded (warning), without agents", "1 network", Right.WRONG, 210.0));
    }

    @Test
    void alertsThatAreNotDeclaredMustNotFireButForThoseOfProbesThatSuffer() {
        told(30, "3 follower/commit");
        seen.alerts(
                Set.of(
                        alert("SLOFastBurn", Scene.WITH_EXPORTERS, "", ""),
                        alert("BrokerDown", Scene.WITH_EXPORTERS, "3", "")),
                NOTHING,
                60);

        assertThat(faults(follower)).containsExactly("BrokerDown fired, which it must not");
        assertThat(faults(nobody)).contains("SLOFastBurn fired, which it must not", "BrokerDown named 3");
    }

    @Test
    void anAlertThatMustFireDoesInTheLongForm() {
        told(30, "3 follower/commit");
        assertThat(faultsInFull()).containsExactly("BrokerDegraded did not fire");
        reported(DEGRADED, false);
        assertThat(faultsInFull()).isEmpty();
        seen.alerts(Set.of(), NOTHING, 210);
        assertThat(faultsInFull()).containsExactly("BrokerDegraded was resolved while the fault lasted");
    }

    @Test
    void anAlertThatIsHeldBackTellsNobody() {
        String nobodyIsNotified = "inhibited, so nobody is notified: BrokerDegraded";
        told(30, "3 follower/commit");
        reported(DEGRADED, true);
        assertThat(faultsInFull()).containsExactly(nobodyIsNotified);

        reported(alert("LeaderProbesBad", Scene.WITH_EXPORTERS, "1", ""), false);
        assertThat(faultsInFull()).as("told of another broker").contains(nobodyIsNotified);

        reported(alert("LeaderProbesBad", Scene.WITH_EXPORTERS, "3", ""), false);
        assertThat(faultsInFull()).as("told of the same broker").doesNotContain(nobodyIsNotified);
    }

    @Test
    void whatStoodBeforeIsNotTheRows() {
        Alert lost = alert("ProbesLost", Scene.WITH_EXPORTERS, "", "");
        AlertHistory later = new AlertHistory(Set.of(lost), Set.of("EndToEndP99High"));

        later.alerts(Set.of(lost), new ReportedAlerts(Set.of("ProbesLost"), Set.of("EndToEndP99High")), 61);

        assertThat(later.fired()).isEmpty();
        assertThat(later.held()).isEmpty();
        assertThat(later.stoodBefore("ProbesLost")).isTrue();
    }

    @Test
    void anAlertThatStoodBeforeProvesNothingAndIsNoFault() {
        Alert degraded = alert("BrokerDegraded", Scene.WITH_EXPORTERS, "3", "follower");
        AlertHistory later = new AlertHistory(Set.of(degraded), Set.of("BrokerDegraded"));
        later.suspects(Scene.WITH_EXPORTERS, List.of(Suspect.of("3 follower/commit")), 30);

        NamingJudge.Judged judged = NamingJudge.of(follower, List.of(), later, true);

        assertThat(judged.faults()).noneMatch(fault -> fault.startsWith("BrokerDegraded"));
        assertThat(judged.unknown())
                .contains("BrokerDegraded was pending or firing before the fault, so nothing follows from it");
    }

    @Test
    void whoIsNamedOrResolvedAfterTheMendingIsNotItsDoing() {
        told(30, "3 follower/commit");
        reported(DEGRADED, false);
        seen.mended();
        told(210, "2 disk/publish");
        seen.alerts(Set.of(), NOTHING, 220);

        assertThat(faultsInFull()).isEmpty();
    }

    /** An alert fires, of which Alertmanager tells unless it is held back. */
    private void reported(Alert alert, boolean held) {
        Set<String> name = Set.of(alert.name());
        seen.alerts(Set.of(alert), new ReportedAlerts(name, held ? name : Set.of()), 200);
    }

    private List<String> faultsInFull() {
        return NamingJudge.of(follower, List.of(), seen, true).faults();
    }

    private void told(double seconds, String... suspects) {
        seen.suspects(Scene.WITH_EXPORTERS, Stream.of(suspects).map(Suspect::of).toList(), seconds);
    }

    private List<String> faults(Expectation expect) {
        return judged(expect).faults();
    }

    private NamingJudge.Judged judged(Expectation expect) {
        return NamingJudge.of(expect, List.of(), seen, false);
    }

    private static Alert alert(String name, String cluster, String broker, String role) {
        return new Alert(name, "warning", cluster, broker, role, "");
    }
}
