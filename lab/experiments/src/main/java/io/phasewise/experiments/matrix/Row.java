/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.measure.Phase;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One fault of the matrix and what must be seen of it; carrying it out is left to {@link
 * MatrixRunner}.
 *
 * @param name on the command line and in the document
 * @param about what is broken, for people
 * @param injection breaks it; a one-time fault does all its work here
 * @param holds how long it stays broken before the fault's own figures are taken
 * @param effect what it must do to probes
 * @param leaders whose probes are looked at for {@code moved}
 * @param moved what each phase must grow by in the mean, milliseconds; empty where no amount is
 *     known
 * @param alerts that must fire while it holds, where alerts are watched
 * @param needs of the scene
 */
public record Row(
        String name,
        String about,
        Injection injection,
        Duration holds,
        Effect effect,
        Set<Integer> leaders,
        Map<Phase, Double> moved,
        List<String> alerts,
        Needs needs) {

    /** What a scene must have for a row. */
    public enum Needs {
        NOTHING,
        /** Prometheus and Alertmanager. */
        ALERTS,
        /** A broker whose clock can be set. */
        CLOCK
    }

    /** Breaks something of a scene. */
    @FunctionalInterface
    public interface Injection {
        /**
         * Breaks it.
         *
         * @return mends it
         * @throws InterruptedException when interrupted; nothing stays broken
         */
        Fault.Broken begin(Scene scene) throws IOException, InterruptedException;
    }

    /** A row of which no amount is known, that raises no alert and needs nothing. */
    static Row of(
            String name,
            String about,
            Injection injection,
            Duration holds,
            Effect effect,
            Set<Integer> leaders) {
        return new Row(
                name, about, injection, holds, effect, leaders, Map.of(), List.of(), Needs.NOTHING);
    }

    /** The same, and a phase must grow by so much. */
    Row moving(Phase phase, double millis) {
        return new Row(
                name,
                about,
                injection,
                holds,
                effect,
                leaders,
                Map.of(phase, millis),
                alerts,
                needs);
    }

    /** The same, and an alert must fire where alerts are watched. */
    Row raisingIf(boolean watched, String alert) {
        return new Row(
                name,
                about,
                injection,
                holds,
                effect,
                leaders,
                moved,
                watched ? List.of(alert) : List.of(),
                needs);
    }

    /** The same, in a scene that has this. */
    Row needing(Needs what) {
        return new Row(name, about, injection, holds, effect, leaders, moved, alerts, what);
    }

    /** What all together adds to a probe. */
    double injectedMillis() {
        return moved.values().stream().mapToDouble(Double::doubleValue).sum();
    }
}
