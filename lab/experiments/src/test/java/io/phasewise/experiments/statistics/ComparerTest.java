/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.phasewise.experiments.measure.Histogram;
import io.phasewise.experiments.measure.Phase;
import io.phasewise.experiments.measure.ProbeRecord;
import io.phasewise.experiments.run.Circumstances;
import io.phasewise.experiments.run.Turn;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.DoubleSupplier;
import java.util.stream.IntStream;
import org.apache.commons.statistics.inference.KolmogorovSmirnovTest;
import org.junit.jupiter.api.Test;

class ComparerTest {
    private static final Instant START = Instant.parse("2026-11-21T20:00:00Z");
    private static final Circumstances AROUND = new Circumstances(0, 0, 0, 0, 0, Map.of());
    private static final int REPEATS = 4;
    private static final int SECONDS = 20;
    private static final int A_SECOND = 20;

    /** Five of a hundred are expected at most; more than ten come one time in a hundred. */
    private static final int LIKELY = 10;

    private final Comparer comparer = new Comparer(Duration.ofSeconds(2), 1, 199);
    private final Random random = new Random(7);

    @Test
    void whatIsTwiceAsSlowIsFoundWithItsSizeAndItsPhase() {
        Comparison found =
                comparer.compare(
                        turns(() -> latency(1)), turns("slow", () -> 2 * latency(1), Phase.COMMIT));

        assertThat(found.differs()).isTrue();
        assertThat(found.verdict()).isEqualTo("slower");
        assertThat(found.chance()).isEqualTo(1.0 / 200);
        assertThat(found.median().estimate()).isCloseTo(2, within(0.15));
        assertThat(found.median().low()).isBetween(1.7, found.median().estimate());
        assertThat(found.median().high()).isBetween(found.median().estimate(), 2.3);
        assertThat(found.agreeing()).isEqualTo(REPEATS);
        double sum =
                found.phaseDifference().values().stream().mapToDouble(Interval::estimate).sum();
        assertThat(sum)
                .as("phases add up")
                .isCloseTo(found.meanDifference().estimate(), within(1e-6));
        assertThat(found.phaseDifference().get(Phase.COMMIT).estimate()).isPositive();
        assertThat(found.phaseDifference().get(Phase.PRODUCE).estimate()).isNegative();
    }

    @Test
    void noDifferenceIsShownWhereThereIsNone() {
        Comparison found = comparer.compare(turns(() -> latency(1)), turns(() -> latency(1)));

        assertThat(found.differs()).isFalse();
        assertThat(found.verdict()).isEqualTo("no difference shown");
    }

    @Test
    void whatHoldsForSecondsOnEndIsNoEvidenceOfManyProbes() {
        // Every two seconds the whole level is another one, alike for both sides.
        List<Turn> one = turns(levels());
        List<Turn> another = turns(levels());
        double naive =
                KolmogorovSmirnovTest.withDefaults()
                        .test(Summary.latencies(one), Summary.latencies(another))
                        .getPValue();

        assertThat(naive).as("probe by probe").isLessThan(0.001);
        assertThat(comparer.compare(one, another).chance()).isGreaterThan(0.05);
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
            Comparison found =
                    new Comparer(Duration.ofSeconds(2), i, 99)
                            .compare(
                                    turns(wandering(turnDeviation)),
                                    turns(wandering(turnDeviation)));
            claimed += found.differs() ? 1 : 0;
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

        assertThat(found.chance()).isLessThanOrEqualTo(Comparison.LEVEL);
        assertThat(found.differs()).isFalse();
        assertThat(found.verdict()).isEqualTo("no difference shown that repeats agree on");
    }

    @Test
    void whatDidNotComeBackTookLongest() {
        List<Turn> baseline = turns(() -> latency(1));
        List<Turn> treatment =
                turns(() -> random.nextInt(50) == 0 ? Double.POSITIVE_INFINITY : latency(1));

        Comparison found = comparer.compare(baseline, treatment);

        assertThat(found.distance())
                .isEqualTo(
                        KolmogorovSmirnovTest.withDefaults()
                                .statistic(
                                        Summary.latencies(baseline), Summary.latencies(treatment)));
        assertThat(found.median().estimate()).isBetween(0.9, 1.2);
        assertThat(found.p99().estimate()).as("among the lost").isNaN();
        Summary summary = Summary.of(treatment);
        assertThat(summary.unseen()).isBetween(10L, 60L);
        assertThat(summary.probes()).isEqualTo(REPEATS * SECONDS * A_SECOND);
        assertThat(summary.p99()).isEqualTo(Double.POSITIVE_INFINITY);
        assertThat(summary.mean()).isFinite();
    }

    @Test
    void aCanaryThatStoodStillItselfIsNotJudged() {
        List<Turn> treatment =
                turns(() -> 2 * latency(1)).stream()
                        .map(
                                turn ->
                                        new Turn(
                                                "x",
                                                turn.repeat(),
                                                START,
                                                START,
                                                stalled(turn),
                                                Histogram.EMPTY,
                                                AROUND))
                        .toList();

        Comparison found = comparer.compare(turns(() -> latency(1)), treatment);

        assertThat(found.differs()).isFalse();
        assertThat(found.verdict())
                .isEqualTo("not judged: the canary itself stood still for 10 % of the probes");
    }

    /** Every tenth. */
    private static List<ProbeRecord> stalled(Turn turn) {
        return turn.probes().stream()
                .map(
                        p ->
                                new ProbeRecord(
                                        p.partition(),
                                        p.sequence(),
                                        p.leader(),
                                        p.due(),
                                        p.outcome(),
                                        p.endToEnd(),
                                        p.phases(),
                                        p.sequence() % 10 == 0))
                .toList();
    }

    @Test
    void anIntervalIsStudents() {
        // Mean 3, standard deviation sqrt(2.5); the table's t of four degrees of freedom at 95 % is
        // 2.776.
        Interval found = Interval.ofMean(new double[] {1, 2, 3, 4, 5}, 0.95);

        assertThat(found.estimate()).isEqualTo(3);
        assertThat(found.high() - 3).isCloseTo(2.776 * Math.sqrt(2.5 / 5), within(0.001));
        assertThat(3 - found.low()).isCloseTo(found.high() - 3, within(1e-12));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Interval.ofMean(new double[] {1}, 0.95));
    }

    @Test
    void aTurnWithoutAProbeIsRefused() {
        List<Turn> turns = turns(() -> latency(1));
        Turn empty = new Turn("x", 0, START, START, List.of(), Histogram.EMPTY, AROUND);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> comparer.compare(turns, List.of(empty, empty, empty, empty)))
                .withMessageContaining("x, repeat 1: no probe came back");
    }

    @Test
    void percentilesHaveIntervalsAsFarAsThereAreEnoughProbes() {
        List<Percentile> found = comparer.percentiles(turns(() -> latency(1)));

        assertThat(found)
                .extracting(Percentile::share)
                .as("1,600 probes; p99.9 takes 3,688")
                .containsExactly(0.5, 0.75, 0.9, 0.95, 0.99);
        assertThat(found)
                .allSatisfy(
                        each -> {
                            Interval value = each.milliseconds();
                            assertThat(value.estimate()).isBetween(value.low(), value.high());
                        });
        // The median of exp(0.3 N) is 1.
        assertThat(found.get(0).milliseconds().excludes(1)).isFalse();
        assertThat(Percentile.needed(0.999)).isEqualTo(3_688);
        assertThat(Percentile.needed(0.9999)).isEqualTo(36_887);
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
            List<ProbeRecord> probes =
                    IntStream.range(0, SECONDS * A_SECOND)
                            .mapToObj(
                                    i -> {
                                        double took = latency.getAsDouble();
                                        double[] phases = new double[Phase.values().length];
                                        phases[phase.ordinal()] = took;
                                        return new ProbeRecord(
                                                0,
                                                i,
                                                1,
                                                START.plusMillis(i * 1_000L / A_SECOND),
                                                "delivered",
                                                took,
                                                phases,
                                                false);
                                    })
                            .toList();
            turns.add(
                    new Turn(
                            name,
                            repeat,
                            START,
                            START.plusSeconds(SECONDS),
                            probes,
                            Histogram.EMPTY,
                            AROUND));
        }
        return turns;
    }
}
