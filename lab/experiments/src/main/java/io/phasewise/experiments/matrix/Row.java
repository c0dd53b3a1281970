/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import io.phasewise.common.phase.Phase;
import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.measure.Scrape;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
 * @param alerts that must fire in the row, where alerts are watched
 * @param permitted alerts that may fire although they are {@link #forbidden} as a rule
 * @param witness what a broker's own metrics must show while it holds
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
        Set<String> permitted,
        Optional<Witness> witness,
        Needs needs) {

    /** Alerts that name a cause, or a fault of the monitoring itself. */
    private static final Set<String> OF_A_CAUSE =
            Set.of(
                    "BrokerDown",
                    "ClusterDown",
                    "CanaryDown",
                    "CanaryStarved",
                    "NoActiveController",
                    "MultipleActiveControllers",
                    "RequestQueueBacklog",
                    "ExporterTimingInactive",
                    "ExporterHookFailed",
                    "ClockUncertain");

    /** What a scene, or the machine, must have for a row. */
    public enum Needs {
        NOTHING,
        /** Prometheus and Alertmanager. */
        ALERTS,
        /** A broker whose clock can be set. */
        CLOCK,
        /** Brokers that ask who may do what. */
        ACLS,
        /** A machine on which packets can be lost. */
        PACKET_LOSS,
        /** A machine on which a disk can be slowed down. */
        SLOW_DISK
    }

    /**
     * A mean that a broker's exporter tells of, and that must be so long at least.
     *
     * @param what it is the mean of, for people
     * @param broker its id
     * @param series without {@code _sum}, {@code _mean} and {@code _count}
     * @param labels that its series carry, each {@code name="value"}
     * @param leastMillis in milliseconds
     */
    public record Witness(
            String what, int broker, String series, List<String> labels, double leastMillis) {

        /** What it was between two readings, in milliseconds; NaN when nothing was counted. */
        double millis(Scrape earlier, Scrape later) {
            return (total(later) - total(earlier))
                    / later.grown(earlier, series + "_count", labels.toArray(String[]::new));
        }

        /** Kafka's own timers tell of a mean in milliseconds in place of a sum in seconds. */
        private double total(Scrape scrape) {
            String[] those = labels.toArray(String[]::new);
            double mean = scrape.sum(series + "_mean", those);
            return mean > 0
                    ? mean * scrape.sum(series + "_count", those)
                    : scrape.sum(series + "_sum", those) * 1e3;
        }
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
                name,
                about,
                injection,
                holds,
                effect,
                leaders,
                Map.of(),
                List.of(),
                Set.of(),
                Optional.empty(),
                Needs.NOTHING);
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
                permitted,
                witness,
                needs);
    }

    /** The same, and alerts must fire where it lasts long enough for them; else they may. */
    Row raisingIf(boolean longEnough, String... expected) {
        return new Row(
                name,
                about,
                injection,
                holds,
                effect,
                leaders,
                moved,
                longEnough ? List.of(expected) : List.of(),
                Set.of(expected),
                witness,
                needs);
    }

    /** The same, and these alerts are no fault. */
    Row permitting(String... others) {
        return new Row(
                name,
                about,
                injection,
                holds,
                effect,
                leaders,
                moved,
                alerts,
                Stream.concat(permitted.stream(), Stream.of(others))
                        .collect(Collectors.toUnmodifiableSet()),
                witness,
                needs);
    }

    /** The same for another time. */
    Row lasting(Duration other) {
        return new Row(
                name, about, injection, other, effect, leaders, moved, alerts, permitted, witness,
                needs);
    }

    /** The same, in a scene that has this. */
    Row needing(Needs what) {
        return new Row(
                name, about, injection, holds, effect, leaders, moved, alerts, permitted, witness,
                what);
    }

    /** The same, and a broker must tell of it. */
    Row toldBy(Witness teller) {
        return new Row(
                name,
                about,
                injection,
                holds,
                effect,
                leaders,
                moved,
                alerts,
                permitted,
                Optional.of(teller),
                needs);
    }

    /**
     * Whether an alert must not fire in this row: one of a cause that is not this fault's, or,
     * where the fault must do nothing to probes, any.
     */
    boolean forbidden(String alert) {
        boolean harmless = effect == Effect.LOSES_NOTHING || effect == Effect.MOVES_NO_PHASE;
        return (harmless || OF_A_CAUSE.contains(alert))
                && !alerts.contains(alert)
                && !permitted.contains(alert);
    }

    /** What all together adds to a probe. */
    double injectedMillis() {
        return moved.values().stream().mapToDouble(Double::doubleValue).sum();
    }
}
