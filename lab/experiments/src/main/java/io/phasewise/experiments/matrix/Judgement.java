/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import io.phasewise.common.phase.Phase;
import io.phasewise.experiments.measure.ProbeRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Judges what was seen of a row: a pure function. Of phases {@link Verdict} does, of the probes'
 * ends {@link Effects}, of alerts {@link Alerts}.
 */
final class Judgement {
    /** Beside those of lanes. */
    static final int MORE_THREADS = 4;

    /** Every change of state is said once, and few changes in a row. */
    private static final int MOST_LOG_LINES = 100;

    private final Observation seen;
    private final Row row;
    private final List<ProbeRecord> before;
    private final List<ProbeRecord> during;
    private final Verdict verdict;

    private Judgement(Observation seen) {
        this.seen = seen;
        this.row = seen.row();
        this.before = Fates.of(row.leaders(), seen.before());
        // What arithmetic says is of a fault in force; what else it does begins with its beginning.
        this.during =
                Fates.of(row.leaders(), row.moved().isEmpty() ? seen.window() : seen.inForce());
        this.verdict =
                new Verdict(
                        row,
                        Fates.means(before),
                        Fates.means(during),
                        Fates.means(Fates.of(row.leaders(), seen.after())));
    }

    /** What is to be said of a row. */
    static RowResult of(Observation seen) {
        return new Judgement(seen).result();
    }

    private RowResult result() {
        List<String> faults = new ArrayList<>(seen.missed());
        faults.addAll(ofTheFault());
        faults.addAll(ofTheCanary());
        Reading start = seen.start();
        Reading end = seen.end();
        Alerts alerts = seen.alerts().orElse(Alerts.NONE);
        double wander = verdict.wander();
        return new RowResult(
                row.name(),
                row.about(),
                faults,
                verdict.tooNoisy(),
                "",
                end.grown(start, "kafka_canary_probes_scheduled_total"),
                end.outcomes(start),
                end.grown(start, "kafka_canary_probes_in_flight"),
                seen.seconds(),
                Fates.outcomes(seen.window()),
                seen.falseDeliveries(),
                end.grown(start, "kafka_canary_duplicates_total"),
                end.grown(start, "kafka_canary_stalled_probes_total"),
                seen.clockSteps(),
                labelled(row.moved()),
                labelled(verdict.added()),
                Double.isNaN(wander) ? null : wander,
                told(),
                alerts.fired(),
                alerts.inhibited(),
                alerts.before(),
                seen.alerts().isPresent(),
                seen.recovery(),
                new CanaryHealth(
                        seen.alive(),
                        start.threads(),
                        end.threads(),
                        start.heapMebibytes(),
                        end.heapMebibytes(),
                        seen.logLines()));
    }

    /** Whether it did what it must, and was seen by those who must see it. */
    private List<String> ofTheFault() {
        List<String> faults = new ArrayList<>();
        if (verdict.tooNoisy().isEmpty()) {
            faults.addAll(verdict.faults());
            faults.addAll(
                    Effects.faults(
                            row, seen.end().outcomes(seen.start()), during, before, verdict));
        }
        row.witness()
                .filter(witness -> !(seen.told() >= witness.leastMillis()))
                .ifPresent(
                        witness ->
                                faults.add(
                                        String.format(
                                                Locale.ROOT,
                                                "broker %d told of %.1f ms of %s, at least %.0f"
                                                        + " were expected",
                                                witness.broker(),
                                                seen.told(),
                                                witness.what(),
                                                witness.leastMillis())));
        seen.alerts().ifPresent(alerts -> faults.addAll(alerts.faults(row)));
        if (row.needs() == Row.Needs.CLOCK && seen.clockSteps() == 0) {
            faults.add("no step of the clock was counted");
        }
        return faults;
    }

    /** Whether the canary took it as it takes everything: all accounted for, and as it was. */
    private List<String> ofTheCanary() {
        List<String> faults = new ArrayList<>();
        if (!seen.end().conserved()) {
            faults.add("probes scheduled are not outcomes and in flight");
        }
        if (seen.falseDeliveries() > 0) {
            faults.add(seen.falseDeliveries() + " false deliveries");
        }
        if (seen.contradictions() > 0) {
            faults.add(seen.contradictions() + " probes with two ends in the log");
        }
        if (!seen.alive()) {
            faults.add(RowResult.CANARY_ENDED);
        }
        if (seen.moreThreads() > MORE_THREADS) {
            faults.add(seen.moreThreads() + " more threads of the canary beside those of lanes");
        }
        if (seen.logLines() > MOST_LOG_LINES) {
            faults.add(seen.logLines() + " lines of log");
        }
        return faults;
    }

    private Map<String, Double> told() {
        Map<String, Double> told = new LinkedHashMap<>();
        row.witness()
                .filter(witness -> !Double.isNaN(seen.told()))
                .ifPresent(
                        witness ->
                                told.put(
                                        witness.what() + ", broker " + witness.broker(),
                                        seen.told()));
        return told;
    }

    private static Map<String, Double> labelled(Map<Phase, Double> phases) {
        Map<String, Double> labelled = new LinkedHashMap<>();
        phases.forEach(
                (phase, value) -> {
                    // JSON has no NaN: a phase of which no probe told is left out.
                    if (!Double.isNaN(value)) {
                        labelled.put(phase.label(), value);
                    }
                });
        return labelled;
    }
}
