/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix.judgement;

import io.phasewise.common.phase.Phase;
import io.phasewise.experiments.matrix.observation.CounterSnapshot;
import io.phasewise.experiments.matrix.observation.Observation;
import io.phasewise.experiments.matrix.observation.ProbeOutcomes;
import io.phasewise.experiments.matrix.result.RowResult;
import io.phasewise.experiments.matrix.row.Expectation;
import io.phasewise.experiments.matrix.row.Row;
import io.phasewise.experiments.measure.ProbeRecord;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Judges what was seen of a row by what was declared of it: a pure function. Of phases {@link
 * PhaseGrowth} does, of names {@link NamingJudge}.
 */
public final class Judgement {
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
    private final Findings found = new Findings();

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
    public static RowResult of(Row row, Observation seen, boolean full) {
        return new Judgement(row, seen).result(full);
    }

    /**
     * A result judged by its own figures again: results of earlier runs were judged when a right
     * broker in a wrong role was no fault, and when a phase could grow by any multiple of what the
     * fault added.
     */
    public static RowResult byTodaysBounds(RowResult result) {
        Set<String> more = new LinkedHashSet<>();
        double wander = result.wander() == null ? 0 : result.wander();
        result.amount().forEach((phase, due) -> {
            double found = result.added().getOrDefault(phase, Double.NaN);
            if (found - PhaseGrowth.MOST_SHARE * due > wander) {
                more.add(PhaseGrowth.share(phase, found, due));
            }
        });
        result.namings().stream()
                .filter(naming -> naming.right() == RowResult.Right.WRONG_ROLE
                        && !result.notJudged().contains(naming.who()))
                .forEach(naming -> more.add(NamingJudge.wrongRole(naming.what(), naming.who())));
        more.removeAll(result.faults());
        List<String> faults = new ArrayList<>(result.faults());
        faults.addAll(more);
        return result.with(faults);
    }

    private RowResult result(boolean full) {
        found.faultIf(seen.recovery() < 0, "not recovered in time");
        // What the fault knows is of a fault in force; what else it does begins with its beginning.
        List<ProbeRecord> during = led(expect.shares().isEmpty() ? seen.window() : seen.inForce());
        PhaseGrowth growth = new PhaseGrowth(
                ProbeRecord.means(led(seen.before())), ProbeRecord.means(during), ProbeRecord.means(led(seen.after())));
        double amount = expect.amount().map(time -> time.toNanos() / 1e6).orElse(seen.addedMillis());
        boolean survivors = ProbeOutcomes.share(during, ProbeRecord::seen) < 0.5;
        Map<String, Long> ends = ProbeOutcomes.outcomes(seen.window());
        ofThePhases(growth, amount, survivors);
        ofTheEnds(ends);
        ofTheBroker();
        if (!seen.namedBefore().isEmpty()) {
            found.unknown().add(seen.namedBefore() + " was already named before the fault");
        }
        NamingJudge.Judged names = NamingJudge.of(expect, seen.namedBefore(), seen.history(), full);
        found.faults().addAll(names.faults());
        found.unknown().addAll(names.unknown());
        ofTheCanary();
        Map<Phase, Double> amounts = new EnumMap<>(Phase.class);
        expect.shares().forEach((phase, share) -> amounts.put(phase, share * amount));
        double wander = growth.wander();
        return new RowResult(
                row.name(),
                row.about(),
                found.faults(),
                String.join("; ", found.unknown()),
                "",
                seen.seconds(),
                ends,
                seen.recovery(),
                labelled(amounts),
                survivors ? Map.of() : labelled(growth.added()),
                survivors || Double.isNaN(wander) ? null : wander,
                names.namings(),
                told());
    }

    private List<ProbeRecord> led(List<ProbeRecord> probes) {
        return ProbeOutcomes.of(expect.leaders(), probes);
    }

    private void ofThePhases(PhaseGrowth growth, double amount, boolean survivors) {
        boolean asked = !expect.shares().isEmpty() || !expect.top().isEmpty() || expect.unmoved();
        if (!asked) {
            return;
        }
        if (survivors) {
            found.unknown().add("most probes did not come back, so that nothing is known of phases");
        } else if (!expect.shares().isEmpty() && Double.isNaN(amount)) {
            found.unknown().add("the fault does not know how much it added");
        } else {
            found.add(growth.against(expect, amount));
        }
    }

    private void ofTheEnds(Map<String, Long> ends) {
        for (Expectation.End end : Expectation.End.values()) {
            long ended = ends.get(end.label());
            boolean wrong = ended > 0 && !expect.probes().allowed().contains(end);
            found.faultIf(wrong, ended + " probes " + end.label() + ", which none may be");
        }
        List<Expectation.End> must = expect.probes().must();
        long all = ends.values().stream().mapToLong(Long::longValue).sum();
        long so = must.stream().mapToLong(end -> ends.get(end.label())).sum();
        boolean few = !must.isEmpty() && so < Math.max(LEAST_PROBES, LEAST_SHARE * all);
        found.faultIf(few, so + " probes were " + must + ": too few to show an effect");
    }

    private void ofTheBroker() {
        if (expect.told().isPresent()) {
            Expectation.Told told = expect.told().get();
            long least = told.least().toMillis();
            String form = "broker %d told of %.1f ms of %s, at least %d were expected";
            String said = String.format(Locale.ROOT, form, told.broker(), seen.told(), told.what(), least);
            found.faultIf(!(seen.told() >= least), said);
        }
        long steps = seen.end().grown(seen.start(), "kafka_canary_clock_steps_total");
        found.faultIf(row.layout().clock() && steps == 0, "no step of the clock was counted");
    }

    /** Whether the canary took it as it takes everything: all accounted for, and as it was. */
    private void ofTheCanary() {
        CounterSnapshot start = seen.start();
        CounterSnapshot end = seen.end();
        long falseDeliveries = seen.notInTopic() + end.falseDeliveries();
        long twice = end.contradictions() - start.contradictions();
        long threads = end.threadsWithoutLanes() - start.threadsWithoutLanes();
        long lines = end.logLines() - start.logLines();
        found.faultIf(!end.conserved(), "probes scheduled are not outcomes and in flight");
        found.faultIf(falseDeliveries > 0, falseDeliveries + " false deliveries");
        found.faultIf(twice > 0, twice + " probes with two ends in the log");
        found.faultIf(!seen.alive(), RowResult.CANARY_ENDED);
        found.faultIf(threads > MORE_THREADS, threads + " more threads of the canary beside those of lanes");
        found.faultIf(lines > MOST_LOG_LINES, lines + " lines of log");
    }

    private Map<String, Double> told() {
        return expect.told()
                .filter(told -> !Double.isNaN(seen.told()))
                .map(told -> Map.of(told.what() + ", broker " + told.broker(), seen.told()))
                .orElse(Map.of());
    }

    private static Map<String, Double> labelled(Map<Phase, Double> phases) {
        Map<String, Double> labelled = new LinkedHashMap<>();
        phases.forEach((phase, value) -> labelled.put(phase.label(), value));
        // JSON has no NaN: a phase of which no probe told is left out.
        labelled.values().removeIf(value -> value.isNaN());
        return labelled;
    }
}
