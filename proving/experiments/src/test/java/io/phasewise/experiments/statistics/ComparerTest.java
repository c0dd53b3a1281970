/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.phasewise.common.phase.Phase;
import io.phasewise.experiments.measure.ProbeRecord;
import io.phasewise.experiments.run.Turn;
import io.phasewise.experiments.run.TurnConditions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.DoubleSupplier;
import java.util.function.UnaryOperator;
import org.apache.commons.statistics.inference.KolmogorovSmirnovTest;
import org.junit.jupiter.api.Test;

class ComparerTest {
    private static final Instant START = Instant.parse("2026-11-21T20:00:00Z");
    private static final TurnConditions AROUND = new TurnConditions(Map.of());
    private static final int REPEATS = 4;
    private static final int SECONDS = 20;
    private static final int A_SECOND = 20;

    /** Five of a hundred are expected at most; more than ten come one time in a hundred. */
    private static final int LIKELY = 10;

    private static final double LOST = Double.POSITIVE_INFINITY;

    private final Comparer comparer = new Comparer(Duration.ofSeconds(2), 1, 199);
    private final Random random = new Random(7);

    @Test
    void whatIsTwiceAsSlowIsFoundWithItsSizeAndItsPhase() {
        Comparison found = comparedWith(turns("slow", () -> 2 * latency(1), Phase.COMMIT));
        assertThat(found.verdict()).isEqualTo("slower");
        assertThat(found.endToEnd().chance()).isEqualTo(1.0 / 200);
        Interval median = found.endToEnd().median();
        assertThat(median.estimate()).isCloseTo(2, within(0.15));
        assertThat(median.low()).isBetween(1.7, median.estimate());
        assertThat(median.high()).isBetween(median.estimate(), 2.3);
        double sum = found.phaseDifference().values().stream()
                .mapToDouble(Interval::estimate)
                .sum();
        assertThat(sum).as("phases add up").isCloseTo(found.endToEnd().mean().estimate(), within(1e-6));
        assertThat(found.phaseDifference().get(Phase.COMMIT).estimate()).isPositive();
        assertThat(found.phaseDifference().get(Phase.PRODUCE).estimate()).isNegative();
    }

    @Test
    void aTailThatGoesTheOtherWayThanTheMedianIsTold() {
        Comparison found = comparer.compare(
                turns(() -> random.nextInt(20) == 0 ? latency(20) : latency(1)), turns(() -> latency(2)));

        assertThat(found.verdict()).isEqualTo("slower, faster at p99");
    }

    @Test
    void whatTheProducerWaitsForIsComparedByItself() {
        List<Turn> slow = changed(turns(() -> latency(1)), p -> changed(p, 1, p.endToEnd(), 3 * p.acknowledged(), 0));

        Comparison found = comparer.compare(turns(() -> latency(1)), slow);

        assertThat(found.verdict()).isEqualTo("no difference shown");
        assertThat(found.producerVerdict()).isEqualTo("slower");
        assertThat(found.acknowledged().median().estimate()).isCloseTo(3, within(0.3));
        Summary summary = comparer.summary(slow);
        assertThat(summary.acknowledged().present()).isEqualTo(REPEATS * SECONDS * A_SECOND);
        assertThat(summary.acknowledged().quantile(0.5)).isCloseTo(1.5, within(0.1));
    }

    @Test
    void nothingIsSaidOfATailOfWhichATurnHasTooFewProbes() {
        List<Turn> few = turns(() -> latency(1)).stream()
                .map(turn -> with(turn, turn.probes().subList(0, 367)))
                .toList();

        Comparison found = comparer.compare(few, turns("slow", () -> latency(2), Phase.COMMIT));

        assertThat(found.endToEnd().p99().estimate()).isNaN();
        assertThat(found.verdict()).isEqualTo("slower");
        assertThat(comparer.summary(few.subList(0, 1)).endToEnd().tail(0.99)).isNaN();
        assertThat(comparer.summary(few).endToEnd().tail(0.99))
                .as("of all turns there are enough")
                .isFinite();
    }

    @Test
    void aTurnOfWhichNothingCameBackIsNoReasonToLoseTheOthers() {
        Comparison found = comparedWith(turns(() -> LOST));

        assertThat(found.verdict()).isEqualTo("more missing");
        assertThat(found.endToEnd().median().estimate()).isNaN();
        assertThat(found.phaseDifference().get(Phase.PRODUCE).estimate()).isNaN();
    }

    @Test
    void whatHoldsForSecondsOnEndIsNoEvidenceOfManyProbes() {
        // Every two seconds the whole level is another one, alike for both sides.
        List<Turn> one = turns(levels());
        List<Turn> another = turns(levels());
        double naive = KolmogorovSmirnovTest.withDefaults()
                .test(endToEnd(one), endToEnd(another))
                .getPValue();

        assertThat(naive).as("probe by probe").isLessThan(0.001);
        assertThat(comparer.compare(one, another).endToEnd().chance()).isGreaterThan(0.05);
    }

    @Test
    void theSameAgainstTheSameIsSeldomCalledADifference() {
        assertThat(claimed(0.05)).as("turns that differ by 5 %").isLessThanOrEqualTo(LIKELY);
        assertThat(claimed(0.4)).as("turns that differ by half").isLessThanOrEqualTo(LIKELY);
    }

    /** Of a hundred comparisons of the same with the same. */
    private int claimed(double turnDeviation) {
        int claimed = 0;
        for (int i = 0; i < 100; i++) {
            List<Turn> one = turns(wandering(turnDeviation));
            List<Turn> another = turns(wandering(turnDeviation));
            Comparison found = new Comparer(Duration.ofSeconds(2), i, 99).compare(one, another);
            claimed += found.verdict().startsWith("no difference") ? 0 : 1;
        }
        return claimed;
    }

    /** Every value is like the one before, for half a second or so, and turns differ as a whole. */
    private DoubleSupplier wandering(double turnDeviation) {
        int[] drawn = {0};
        double[] state = {0, 0};
        return () -> {
            if (drawn[0]++ % (SECONDS * A_SECOND) == 0) {
                state[1] = turnDeviation * random.nextGaussian();
            }
            state[0] = 0.9 * state[0] + 0.15 * random.nextGaussian();
            return Math.exp(state[0] + state[1]);
        };
    }

    @Test
    void aDifferenceInOneOfTheRepeatsOnlyIsNotClaimed() {
        List<Turn> treatment = new ArrayList<>(turns(() -> latency(1)));
        treatment.set(2, turns(() -> latency(5)).get(2));

        Comparison found = comparer.compare(turns(() -> latency(1)), treatment);

        assertThat(found.endToEnd().chance()).isLessThanOrEqualTo(Difference.LEVEL);
        assertThat(found.verdict()).isEqualTo("no difference shown that repeats agree on");
    }

    @Test
    void whatDidNotComeBackTookLongest() {
        List<Turn> baseline = turns(() -> latency(1));
        List<Turn> treatment = turns(() -> random.nextInt(50) == 0 ? LOST : latency(1));

        Comparison found = comparer.compare(baseline, treatment);

        assertThat(found.endToEnd().distance())
                .isEqualTo(KolmogorovSmirnovTest.withDefaults().statistic(endToEnd(baseline), endToEnd(treatment)));
        assertThat(found.endToEnd().median().estimate()).isBetween(0.9, 1.2);
        assertThat(found.endToEnd().p99().estimate()).as("among the lost").isNaN();
        assertThat(found.endToEnd().mean().estimate()).as("of survivors").isNaN();
        assertThat(found.endToEnd().missing().estimate()).isBetween(0.01, 0.04);
        assertThat(found.verdict()).isEqualTo("more missing");
        assertThat(found.producerVerdict()).isEqualTo("no difference shown");
        Latencies summary = comparer.summary(treatment).endToEnd();
        assertThat(summary.values().length - summary.present()).isBetween(10L, 60L);
        assertThat(summary.values()).hasSize(REPEATS * SECONDS * A_SECOND);
        assertThat(summary.tail(0.99)).isEqualTo(LOST);
        assertThat(summary.mean()).isFinite();
    }

    @Test
    void oneThatWentMissingInEveryRepeatIsNoDifference() {
        List<Turn> treatment =
                changed(turns(() -> latency(1)), p -> p.sequence() > 0 ? p : changed(p, 1, LOST, p.acknowledged(), 0));
        Comparison found = comparedWith(treatment);

        assertThat(found.endToEnd().missing().side(0)).as("repeats agree").isOne();
        assertThat(found.verdict()).as("chance may well do that").isEqualTo("no difference shown");
    }

    @Test
    void aCanaryThatStoodStillItselfIsNotJudgedUnlessItWasShort() {
        assertThat(comparedWith(stalled(20)).verdict())
                .isEqualTo("not judged: in 10 % of the probes most of the latency is a pause of the canary itself");
        assertThat(comparedWith(stalled(0.1)).verdict()).isEqualTo("slower");
    }

    /** Twice as slow, with every tenth probe stalled for so long. */
    private List<Turn> stalled(double millis) {
        return changed(turns(() -> 2 * latency(1)), p -> {
            double stalled = p.sequence() % 10 == 0 ? millis : 0;
            return changed(p, 1, p.endToEnd(), p.acknowledged(), stalled);
        });
    }

    private Comparison comparedWith(List<Turn> treatment) {
        return comparer.compare(turns(() -> latency(1)), treatment);
    }

    private static List<Turn> changed(List<Turn> turns, UnaryOperator<ProbeRecord> change) {
        return turns.stream()
                .map(turn -> with(turn, turn.probes().stream().map(change).toList()))
                .toList();
    }

    private static ProbeRecord changed(ProbeRecord p, int leader, double took, double acknowledged, double stalled) {
        long i = p.sequence();
        Instant due = p.due();
        double[] phases = p.phases();
        return new ProbeRecord(0, i, leader, due, "delivered", took, acknowledged, phases, stalled);
    }

    private static Turn with(Turn turn, List<ProbeRecord> probes) {
        return new Turn(turn.variant(), turn.repeat(), turn.from(), turn.to(), probes, AROUND);
    }

    @Test
    void anIntervalIsStudents() {
        // Mean 3, standard deviation sqrt(2.5); the table's t of four degrees of freedom at 95 % is
        // 2.776.
        Interval found = Interval.ofMean(new double[] {1, 2, 3, 4, 5}, 0.95);

        assertThat(found.estimate()).isEqualTo(3);
        assertThat(found.high() - 3).isCloseTo(2.776 * Math.sqrt(2.5 / 5), within(0.001));
        assertThat(3 - found.low()).isCloseTo(found.high() - 3, within(1e-12));
        assertThatIllegalArgumentException().isThrownBy(() -> Interval.ofMean(new double[] {1}, 0.95));
    }

    @Test
    void anIntervalLiesAboveBelowOrAroundAValue() {
        Interval exact = Interval.ofMean(new double[] {2, 2, 2}, 0.95);

        assertThat(List.of(1.9, 2.0, 2.1)).extracting(exact::side).containsExactly(1, 0, -1);
        Interval none = Interval.ofMean(new double[] {2, Double.NaN, 2}, 0.95);
        assertThat(none).isEqualTo(Interval.NONE);
        assertThat(none.side(0)).as("nothing can be said").isZero();
    }

    @Test
    void ofProbesByLeaderEachHasItsOwnFigures() {
        // Every fourth by broker 2, in 5 ms; the others by broker 1.
        List<Turn> turns =
                changed(turns(() -> 1), p -> p.sequence() % 4 == 0 ? changed(p, 2, 5, p.acknowledged(), 0) : p);

        Map<Integer, Latencies> leaders = comparer.summary(turns).leaders();

        assertThat(leaders.get(1).values()).hasSize(REPEATS * SECONDS * A_SECOND * 3 / 4);
        assertThat(leaders.get(2).values()).hasSize(REPEATS * SECONDS * A_SECOND / 4);
        assertThat(leaders.get(2).quantile(0.5)).isEqualTo(5);
        assertThat(leaders.get(1).max()).isEqualTo(1);
    }

    @Test
    void aTurnWithoutAProbeIsRefused() {
        List<Turn> turns = turns(() -> latency(1));
        Turn empty = new Turn("x", 0, START, START, List.of(), AROUND);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> comparer.compare(turns, List.of(empty, empty, empty, empty)))
                .withMessageContaining("x, repeat 1: no probe was due");
    }

    @Test
    void percentilesHaveIntervalsAsFarAsThereAreEnoughProbes() {
        List<Percentile> found = comparer.summary(turns(() -> latency(1))).percentiles();

        assertThat(found)
                .extracting(Percentile::share)
                .as("1,600 probes; p99.9 takes 3,688")
                .containsExactly(0.5, 0.75, 0.9, 0.95, 0.99);
        assertThat(found).allSatisfy(each -> {
            Interval value = each.milliseconds();
            assertThat(value.estimate()).isBetween(value.low(), value.high());
        });
        // The median of exp(0.3 N) is 1.
        assertThat(found.get(0).milliseconds().side(1)).isZero();
        assertThat(Latencies.needed(0.999)).isEqualTo(3_688);
        assertThat(Latencies.needed(0.9999)).isEqualTo(36_887);
    }

    private static double[] endToEnd(List<Turn> turns) {
        return turns.stream()
                .flatMap(turn -> turn.probes().stream())
                .mapToDouble(ProbeRecord::endToEnd)
                .toArray();
    }

    private double latency(double scale) {
        return scale * Math.exp(0.3 * random.nextGaussian());
    }

    private DoubleSupplier levels() {
        int[] drawn = {0};
        double[] level = {1};
        return () -> {
            if (drawn[0]++ % (2 * A_SECOND) == 0) {
                level[0] = Math.exp(random.nextGaussian());
            }
            return latency(level[0]);
        };
    }

    private List<Turn> turns(DoubleSupplier latency) {
        return turns("same", latency, Phase.PRODUCE);
    }

    private static List<Turn> turns(String name, DoubleSupplier latency, Phase phase) {
        List<Turn> turns = new ArrayList<>();
        for (int repeat = 0; repeat < REPEATS; repeat++) {
            List<ProbeRecord> probes = new ArrayList<>();
            for (int i = 0; i < SECONDS * A_SECOND; i++) {
                Instant due = START.plusMillis(i * 1_000L / A_SECOND);
                double took = latency.getAsDouble();
                // Half way: no two sides with equal latencies differ in it.
                double sent = Double.isFinite(took) ? took / 2 : 0.5;
                double[] phases = new double[Phase.values().length];
                phases[phase.ordinal()] = took;
                probes.add(new ProbeRecord(0, i, 1, due, "delivered", took, sent, phases, 0));
            }
            turns.add(new Turn(name, repeat, START, START.plusSeconds(SECONDS), probes, AROUND));
        }
        return turns;
    }
}
