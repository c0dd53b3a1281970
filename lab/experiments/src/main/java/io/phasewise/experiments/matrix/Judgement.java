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
import java.util.stream.Collectors;

/**
 * Judges what was seen of a row by what was declared of it: a pure function. Of phases {@link
 * PhaseGrowth} does, of names {@link NamingJudge}.
 */
final class Judgement {
    /** Beside those of lanes. */
    private static final int MORE_THREADS = 4;

    /** Every change of state is said once, and few changes in a row. */
    private static final int MOST_LOG_LINES = 100;

    /** So many probes at least must end as declared; fewer do by themselves. */
    private static final int LEAST_PROBES = 3;

    /** The same, of those that were due. */
    private static final double LEAST_SHARE = 0.02;

    private final Row row;
    private final Expectation expect;
    private final Observation seen;
    private final List<String> faults = new ArrayList<>();
    private final List<String> notJudged = new ArrayList<>();

    private Judgement(Row row, Observation seen) {
        this.row = row;
        this.expect = row.expect();
        this.seen = seen;
    }

    /**
     * What is to be said of a row.
     *
     * @param full whether it was made in the long form
     */
    static RowResult of(Row row, Observation seen, boolean full) {
        return new Judgement(row, seen).result(full);
    }

    private RowResult result(boolean full) {
        if (seen.recovery() < 0) {
            faults.add("not recovered in time");
        }
        // What the fault knows is of a fault in force; what else it does begins with its beginning.
        List<ProbeRecord> during =
                ProbeOutcomes.of(
                        expect.leaders(),
                        expect.shares().isEmpty() ? seen.window() : seen.inForce());
        PhaseGrowth growth =
                new PhaseGrowth(
                        ProbeRecord.means(ProbeOutcomes.of(expect.leaders(), seen.before())),
                        ProbeRecord.means(during),
                        ProbeRecord.means(ProbeOutcomes.of(expect.leaders(), seen.after())));
        double amount =
                expect.amount().map(time -> time.toNanos() / 1e6).orElse(seen.addedMillis());
        boolean survivors = ProbeOutcomes.share(during, ProbeRecord::seen) < 0.5;
        ofThePhases(growth, amount, survivors);
        ofTheEnds(ProbeOutcomes.outcomes(seen.window()));
        ofTheBroker();
        if (!seen.namedBefore().isEmpty()) {
            notJudged.add(seen.namedBefore() + " was named before it began");
        }
        NamingJudge.Judged names =
                NamingJudge.of(expect, seen.namedBefore(), seen.sightings(), full);
        faults.addAll(names.faults());
        ofTheCanary();
        Map<Phase, Double> amounts = new LinkedHashMap<>();
        expect.shares().forEach((phase, share) -> amounts.put(phase, share * amount));
        double wander = growth.wander();
        return new RowResult(
                row.name(),
                row.about(),
                faults,
                String.join("; ", notJudged),
                "",
                seen.seconds(),
                ProbeOutcomes.outcomes(seen.window()),
                seen.recovery(),
                labelled(amounts),
                survivors ? Map.of() : labelled(growth.added()),
                survivors || Double.isNaN(wander) ? null : wander,
                names.namings(),
                told());
    }

    private void ofThePhases(PhaseGrowth growth, double amount, boolean survivors) {
        boolean asked = !expect.shares().isEmpty() || !expect.top().isEmpty() || expect.unmoved();
        if (!asked) {
            return;
        }
        if (survivors) {
            notJudged.add("most probes did not come back, so that nothing is known of phases");
        } else if (!expect.shares().isEmpty() && Double.isNaN(amount)) {
            notJudged.add("the fault does not know how much it added");
        } else {
            PhaseGrowth.Judged judged = growth.against(expect, amount);
            faults.addAll(judged.faults());
            notJudged.addAll(judged.unknown());
        }
    }

    private void ofTheEnds(Map<String, Long> outcomes) {
        for (Expectation.End end : Expectation.End.values()) {
            long ended = outcomes.get(end.label());
            if (ended > 0 && !expect.probes().allowed().contains(end)) {
                faults.add(ended + " probes " + end.label() + ", which none may be");
            }
        }
        List<Expectation.End> must = expect.probes().must();
        long all = outcomes.values().stream().mapToLong(Long::longValue).sum();
        long so = must.stream().mapToLong(end -> outcomes.get(end.label())).sum();
        if (!must.isEmpty() && so < Math.max(LEAST_PROBES, LEAST_SHARE * all)) {
            faults.add(so + " probes were " + must + ": it was not felt");
        }
    }

    private void ofTheBroker() {
        expect.told()
                .filter(told -> !(seen.told() >= told.least().toMillis()))
                .ifPresent(
                        told ->
                                faults.add(
                                        String.format(
                                                Locale.ROOT,
                                                "broker %d told of %.1f ms of %s, at least %d were"
                                                        + " expected",
                                                told.broker(),
                                                seen.told(),
                                                told.what(),
                                                told.least().toMillis())));
        long steps = seen.end().grown(seen.start(), "kafka_canary_clock_steps_total");
        if (row.layout().clock() && steps == 0) {
            faults.add("no step of the clock was counted");
        }
    }

    /** Whether the canary took it as it takes everything: all accounted for, and as it was. */
    private void ofTheCanary() {
        if (!seen.end().conserved()) {
            faults.add("probes scheduled are not outcomes and in flight");
        }
        long falseDeliveries = seen.notInTopic() + seen.end().falseDeliveries();
        if (falseDeliveries > 0) {
            faults.add(falseDeliveries + " false deliveries");
        }
        if (seen.contradictions() > 0) {
            faults.add(seen.contradictions() + " probes with two ends in the log");
        }
        if (!seen.alive()) {
            faults.add(RowResult.CANARY_ENDED);
        }
        long threads = seen.end().threadsWithoutLanes() - seen.start().threadsWithoutLanes();
        if (threads > MORE_THREADS) {
            faults.add(threads + " more threads of the canary beside those of lanes");
        }
        if (seen.logLines() > MOST_LOG_LINES) {
            faults.add(seen.logLines() + " lines of log");
        }
    }

    private Map<String, Double> told() {
        return expect.told().stream()
                .filter(told -> !Double.isNaN(seen.told()))
                .collect(
                        Collectors.toMap(
                                told -> told.what() + ", broker " + told.broker(),
                                told -> seen.told()));
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
