/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class AlertsTest {
    private static final Monitoring.Alert DOWN = new Monitoring.Alert("BrokerDown", "critical");
    private static final Monitoring.Alert LOST = new Monitoring.Alert("ProbesLost", "warning");

    private final Row killed = row(Effect.IS_FELT).raisingIf(true, "BrokerDown");

    @Test
    void whatStoodBeforeIsNotTheRows() {
        RaisedAlerts raised = new RaisedAlerts(Set.of("ProbesLost"), Set.of("EndToEndP99High"));

        raised.look(Set.of(DOWN, LOST), reported(Set.of(), "EndToEndP99High", "SLOFastBurn"), 61);
        raised.look(Set.of(DOWN), reported(Set.of()), 62);

        assertThat(raised.fired()).containsExactly(Map.entry("BrokerDown (critical)", 61.0));
        assertThat(raised.inhibited()).containsExactly("SLOFastBurn");
        assertThat(raised.before()).containsExactly("EndToEndP99High", "ProbesLost");
    }

    @Test
    void anAlertThatIsMissingOrOfAnotherCauseIsAFault() {
        assertThat(fired("BrokerDown (critical)", "ProbesLost (warning)").faults(killed)).isEmpty();
        assertThat(fired("ClusterDown (critical)").faults(killed))
                .containsExactly("BrokerDown did not fire", "ClusterDown fired, which it must not");
        assertThat(new Alerts(Map.of(), List.of(), List.of("BrokerDown"), List.of()).faults(killed))
                .containsExactly("BrokerDown stood before it, so that nothing can be said of it");
    }

    @Test
    void whereProbesMustNotSufferAnyAlertIsAFault() {
        Row harmless = row(Effect.LOSES_NOTHING);

        assertThat(fired("SLOFastBurn (critical)").faults(harmless)).hasSize(1);
        assertThat(fired("SLOFastBurn (critical)").faults(harmless.permitting("SLOFastBurn")))
                .isEmpty();
    }

    @Test
    void aFaultTooShortForItsAlertMayRaiseIt() {
        Row shorter = row(Effect.IS_FELT).raisingIf(false, "BrokerDown").permitting("CanaryDown");

        assertThat(fired().faults(shorter)).isEmpty();
        assertThat(fired("BrokerDown (critical)", "CanaryDown (critical)").faults(shorter))
                .isEmpty();
    }

    @Test
    void anAlertThatIsResolvedWhileTheFaultLastsIsAFault() {
        RaisedAlerts raised = new RaisedAlerts(Set.of("ProbesLost"), Set.of());

        raised.look(Set.of(DOWN), reported(Set.of("BrokerDown", "ProbesLost")), 20);
        raised.look(Set.of(), reported(Set.of("BrokerDown")), 40);
        assertThat(raised.resolved()).isEmpty();

        raised.look(Set.of(), reported(Set.of()), 60);
        raised.look(Set.of(DOWN), reported(Set.of("BrokerDown")), 80);
        assertThat(raised.resolved()).containsExactly(Map.entry("BrokerDown", 60.0));

        Alerts resolved =
                new Alerts(
                        Map.of("BrokerDown (critical)", 20.0),
                        List.of(),
                        List.of(),
                        List.of("BrokerDown"));
        assertThat(resolved.faults(killed))
                .containsExactly("BrokerDown was resolved while the fault lasted");
    }

    @Test
    void anAlertThatIsHeldBackIsAFaultUnlessAnotherExpectedOneIsNot() {
        Alerts held =
                new Alerts(
                        Map.of("BrokerDown (critical)", 20.0, "ClusterDown (critical)", 21.0),
                        List.of("BrokerDown"),
                        List.of(),
                        List.of());

        assertThat(held.faults(killed.permitting("ClusterDown")))
                .containsExactly("held back, so that nobody is told: BrokerDown");
        assertThat(held.faults(killed.raisingIf(true, "BrokerDown", "ClusterDown"))).isEmpty();
    }

    private static Monitoring.Reported reported(Set<String> active, String... inhibited) {
        return new Monitoring.Reported(active, Set.of(inhibited));
    }

    private static Alerts fired(String... alerts) {
        Map<String, Double> fired = new TreeMap<>();
        for (String alert : alerts) {
            fired.put(alert, 1.0);
        }
        return new Alerts(fired, List.of(), List.of(), List.of());
    }

    private static Row row(Effect effect) {
        return Row.of("r", "", scene -> () -> {}, Duration.ZERO, effect, Set.of(1));
    }
}
