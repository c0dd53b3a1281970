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
 * Judges what was seen of a row by what was declared of it; a pure function. {@link PhaseGrowth}
 * judges the phases, {@link NamingJudge} what was named.
 */
public final class Judgement {
    /** Apart from threads of lanes. */
    private static final int MORE_THREADS = 4;

    /** The canary logs each change of state once, and a row has few. */
    private static final int MOST_LOG_LINES = 100;

    /** At least this many probes must end as declared; fewer may do so without a fault. */
    private static final int LEAST_PROBES = 3;

    /** At least this share of the probes that were due must end as declared. */
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
     * The verdict on a row.
     *
     * @param full whether the row was run in its long form
     */
    public static RowResult of(Row row, Observation seen, boolean full) {
        return new Judgement(row, seen).result(full);
    }

    /**
     * Judges a kept result again by its own figures. In early runs a right broker in a wrong role
     * was no fault, and a phase could grow by any multiple of what the fault added.
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
        // Shares are of what the fault adds, which it knows from when it is in force. Without
        // shares, probes count from before it was begun.
        List<ProbeRecord> during = led(expect.shares().isEmpty() ? seen.window() : seen.inForce());
        PhaseGrowth growth = new PhaseGrowth(
                ProbeRecord.means(led(seen.before())), ProbeRecord.means(during), ProbeRecord.means(led(seen.after())));
        double amount = expect.amount().map(time -> time.toNanos() / 1e6).orElse(seen.addedMillis());
        boolean survivors = ProbeOutcomes.share(during, ProbeRecord::cameBack) < 0.5;
        Map<String, Long> ends = ProbeOutcomes.outcomes(seen.window());
        judgePhases(growth, amount, survivors);
        judgeEnds(ends);
        judgeBroker();
        if (!seen.namedBefore().isEmpty()) {
            found.unknown().add(seen.namedBefore() + " was already named before the fault");
        }
        NamingJudge.Judged names = NamingJudge.of(expect, seen.namedBefore(), seen.history(), full);
        found.faults().addAll(names.faults());
        found.unknown().addAll(names.unknown());
        judgeCanary();
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
                brokerMeans());
    }

    private List<ProbeRecord> led(List<ProbeRecord> probes) {
        return ProbeOutcomes.of(expect.leaders(), probes);
    }

    private void judgePhases(PhaseGrowth growth, double amount, boolean survivors) {
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

    private void judgeEnds(Map<String, Long> ends) {
        for (Expectation.End end : Expectation.End.values()) {
            long ended = ends.get(end.label());
            boolean wrong = ended > 0 && !expect.probes().allowed().contains(end);
            found.faultIf(wrong, ended + " probes " + end.label() + "; declared: none");
        }
        List<Expectation.End> must = expect.probes().must();
        long all = ends.values().stream().mapToLong(Long::longValue).sum();
        long so = must.stream().mapToLong(end -> ends.get(end.label())).sum();
        boolean few = !must.isEmpty() && so < Math.max(LEAST_PROBES, LEAST_SHARE * all);
        found.faultIf(few, so + " probes were " + must + ": too few to show an effect");
    }

    private void judgeBroker() {
        if (expect.brokerMean().isPresent()) {
            Expectation.BrokerMean mean = expect.brokerMean().get();
            long least = mean.least().toMillis();
            String form = "the exporter of broker %d shows a mean of %.1f ms of %s; declared: at least %d";
            String said = String.format(Locale.ROOT, form, mean.broker(), seen.brokerMean(), mean.what(), least);
            found.faultIf(!(seen.brokerMean() >= least), said);
        }
        long steps = seen.end().grown(seen.start(), "kafka_canary_clock_steps_total");
        found.faultIf(row.layout().clock() && steps == 0, "no step of the clock was counted");
    }

    /** The canary must account for every probe, and must be after the row as it was before. */
    private void judgeCanary() {
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

    private Map<String, Double> brokerMeans() {
        return expect.brokerMean()
                .filter(mean -> !Double.isNaN(seen.brokerMean()))
                .map(mean -> Map.of(mean.what() + ", broker " + mean.broker(), seen.brokerMean()))
                .orElse(Map.of());
    }

    private static Map<String, Double> labelled(Map<Phase, Double> phases) {
        Map<String, Double> labelled = new LinkedHashMap<>();
        phases.forEach((phase, value) -> labelled.put(phase.label(), value));
        // JSON has no NaN: a phase without a probe is left out.
        labelled.values().removeIf(value -> value.isNaN());
        return labelled;
    }
}
