/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix.judgement;

import io.phasewise.experiments.matrix.observation.AlertHistory;
import io.phasewise.experiments.matrix.result.RowResult;
import io.phasewise.experiments.matrix.result.RowResult.Naming;
import io.phasewise.experiments.matrix.row.Expectation;
import io.phasewise.experiments.matrix.row.Suspect;
import io.phasewise.experiments.matrix.scene.Alert;
import io.phasewise.experiments.matrix.scene.Scene;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Judges what suspects and alerts named by what is declared; pure. A wrong broker is a fault, and
 * so is a right broker in a wrong role. Of the canary without exporters, no name is no fault. Whom
 * the rules of before would have named is noted, and not judged.
 */
final class NamingJudge {
    /** Alerts about slow or lost probes; any fault may cause them. */
    private static final Set<String> SYMPTOMS = Set.of(
            "EndToEndP99High",
            "LeaderProbesBad",
            "MostProbesBad",
            "PhaseRegression",
            "ProbesLost",
            "SLOFastBurn",
            "SLOSlowBurn");

    /**
     * Alerts about a suspect. They may fire in every row that declares brokers as suspects; what
     * they name is judged apart.
     */
    private static final Set<String> OF_SUSPECTS = Set.of("BrokerDegraded");

    private final Expectation expect;
    private final List<Suspect> before;
    private final AlertHistory seen;
    private final Set<String> brokers;
    private final Set<String> leaders;
    private final Findings found = new Findings();
    private final List<Naming> namings = new ArrayList<>();

    private NamingJudge(Expectation expect, List<Suspect> before, AlertHistory seen) {
        this.expect = expect;
        this.before = before;
        this.seen = seen;
        this.brokers = expect.suspects().allowed().stream()
                .map(Suspect::broker)
                .filter(broker -> !broker.equals(Suspect.NO_BROKER))
                .collect(Collectors.toSet());
        this.leaders = expect.leaders().stream().map(String::valueOf).collect(Collectors.toSet());
    }

    /**
     * What was named, and which of it is a fault.
     *
     * @param unknown what cannot be judged, and why
     * @param namings suspects first
     */
    record Judged(List<String> faults, List<String> unknown, List<Naming> namings) {}

    /**
     * Judges.
     *
     * @param before suspects that were named before the row; they are no fault of it
     * @param seen alerts and suspects of the whole row
     * @param full whether the fault lasted long enough for the alerts that must fire
     */
    static Judged of(Expectation expect, List<Suspect> before, AlertHistory seen, boolean full) {
        NamingJudge judge = new NamingJudge(expect, before, seen);
        judge.suspects(Scene.WITH_EXPORTERS, RowResult.SUSPECT);
        judge.mustBeNamed();
        judge.former();
        judge.suspects(Scene.WITHOUT_EXPORTERS, "suspect (without agents)");
        seen.fired().forEach(judge::alert);
        if (full) {
            judge.mustFire();
        }
        return new Judged(judge.found.faults(), judge.found.unknown(), judge.namings);
    }

    private void suspects(String cluster, String what) {
        Map<Suspect, Double> named = seen.named(cluster);
        named.forEach((who, seconds) -> {
            RowResult.Right right = right(who);
            namings.add(new Naming(what, who.toString(), right, seconds));
            boolean stood = before.contains(who);
            found.faultIf(right == RowResult.Right.WRONG && !stood, what + " was " + who + ", which is wrong");
            found.faultIf(right == RowResult.Right.WRONG_ROLE && !stood, wrongRole(what, who.toString()));
        });
        if (named.isEmpty()) {
            RowResult.Right right = cluster.equals(Scene.WITH_EXPORTERS)
                    ? RowResult.Right.of(expect.suspects().must().isEmpty())
                    : RowResult.Right.NEITHER;
            namings.add(new Naming(what, RowResult.NOBODY, right, null));
        }
    }

    private void former() {
        if (seen.former().isEmpty()) {
            namings.add(new Naming(RowResult.FORMER_SUSPECT, RowResult.NOBODY, RowResult.Right.NEITHER, null));
        }
        seen.former()
                .forEach((who, seconds) ->
                        namings.add(new Naming(RowResult.FORMER_SUSPECT, who, RowResult.Right.NEITHER, seconds)));
    }

    /** Says that the broker is declared and the role is not, for people. */
    static String wrongRole(String what, String who) {
        return what + " was " + who + ": right broker, wrong role";
    }

    private RowResult.Right right(Suspect who) {
        if (expect.suspects().allowed().contains(who)) {
            return RowResult.Right.RIGHT;
        }
        return wrong(who.broker());
    }

    /** At the end each broker that must be named is named, in one of its declared roles. */
    private void mustBeNamed() {
        List<Suspect> must = expect.suspects().must();
        List<Suspect> last = seen.last(Scene.WITH_EXPORTERS);
        for (String broker : must.stream().map(Suspect::broker).distinct().toList()) {
            List<Suspect> its =
                    must.stream().filter(who -> who.broker().equals(broker)).toList();
            boolean wrong = its.stream().noneMatch(last::contains);
            found.faultIf(wrong, "at the end " + last + " was named, not one of " + its);
        }
    }

    private void alert(Alert alert, double seconds) {
        RowResult.Right right = right(alert);
        boolean blind = alert.cluster().equals(Scene.WITHOUT_EXPORTERS);
        String what = alert.name() + " (" + alert.severity() + ")" + (blind ? ", without agents" : "");
        String who = alert.broker().isEmpty() ? "-" : alert.who();
        namings.add(new Naming(what, who, right, seconds));
        found.faultIf(right == RowResult.Right.WRONG, alert.name() + " named " + alert.who());
        found.faultIf(right == RowResult.Right.WRONG_ROLE, wrongRole(what, alert.who()));
        boolean wrong = !blind && forbidden(alert.name());
        found.faultIf(wrong, alert.name() + " fired, which it must not");
    }

    private RowResult.Right wrong(String broker) {
        return brokers.contains(broker) ? RowResult.Right.WRONG_ROLE : RowResult.Right.WRONG;
    }

    /**
     * An alert with a role is judged as a suspect, whatever the phase. One without a role names
     * whose probes are bad, or what is down.
     */
    private RowResult.Right right(Alert alert) {
        if (alert.broker().isEmpty()) {
            return RowResult.Right.NEITHER;
        }
        if (!alert.role().isEmpty()) {
            boolean right = expect.suspects().allowed().stream()
                    .anyMatch(who ->
                            who.broker().equals(alert.broker()) && who.role().equals(alert.role()));
            return right ? RowResult.Right.RIGHT : wrong(alert.broker());
        }
        return RowResult.Right.of(brokers.contains(alert.broker()) || leaders.contains(alert.broker()));
    }

    private boolean forbidden(String alert) {
        return !expect.alerts().allowed().contains(alert)
                && !(SYMPTOMS.contains(alert) && expect.harmful())
                && !(OF_SUSPECTS.contains(alert) && !brokers.isEmpty());
    }

    /**
     * The alerts that must fire do, and none is resolved while the fault lasts. One of them reaches
     * somebody, or else another alert about the same broker does.
     */
    private void mustFire() {
        List<String> must = expect.alerts().must();
        List<String> fired = seen.names(Scene.WITH_EXPORTERS);
        for (String alert : must) {
            boolean silent = !fired.contains(alert);
            boolean stood = seen.stoodBefore(alert);
            boolean resolved = seen.resolved().contains(alert);
            if (silent && stood) {
                found.unknown().add(alert + " was pending or firing before the fault, so nothing follows from it");
            }
            found.faultIf(silent && !stood, alert + " did not fire");
            found.faultIf(!silent && resolved, alert + " was resolved while the fault lasted");
        }
        boolean held = !must.isEmpty() && seen.held().containsAll(must) && !otherwiseNotified();
        found.faultIf(held, "inhibited, so nobody is notified: " + String.join(", ", must));
    }

    /** Whether an alert that is not inhibited named a declared broker. */
    private boolean otherwiseNotified() {
        return seen.fired().keySet().stream()
                .filter(alert -> alert.cluster().equals(Scene.WITH_EXPORTERS))
                .filter(alert -> !seen.held().contains(alert.name()))
                .anyMatch(alert -> brokers.contains(alert.broker()));
    }
}
