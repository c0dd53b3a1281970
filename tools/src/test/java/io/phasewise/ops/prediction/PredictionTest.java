/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.ops.prediction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.phasewise.ops.prediction.Prediction.Gain;
import io.phasewise.ops.prediction.Prediction.Parts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PredictionTest {

    private static final double EXACT = 1e-12;

    /** As many batches of 10 probes by leader, whose means do not change. */
    private static List<Map<Integer, ProbeTime>> steady(int batches, Map<Integer, Double> means) {
        Map<Integer, ProbeTime> batch = new HashMap<>();
        means.forEach((leader, mean) -> batch.put(leader, new ProbeTime(10 * mean, 10)));
        return IntStream.range(0, batches).mapToObj(i -> Map.copyOf(batch)).toList();
    }

    private static Window withoutExporters(List<Map<Integer, ProbeTime>> batches) {
        return new Window(batches, Map.of(), Map.of());
    }

    @Test
    void whatASlowLeaderCostsItsOwnProbesIsGained() throws Exception {
        Window window = new Window(
                steady(10, Map.of(1, 0.151, 2, 0.004, 3, 0.002)),
                Map.of(
                        1, Map.of("2", 0.001, "3", 0.001),
                        2, Map.of("1", 0.0005, "several", 0.0005),
                        3, Map.of("1", 0.001)),
                Map.of(1, 0.100, 2, 0.001, 3, 0.001));

        Prediction prediction = Prediction.of(1, window, 10);

        assertThat(prediction.share()).isEqualTo(1.0 / 3, within(EXACT));
        assertThat(prediction.before()).isEqualTo(0.157 / 3, within(EXACT));
        assertThat(prediction.others()).isEqualTo(0.003, within(EXACT));
        assertThat(prediction.gain()).isEqualTo(0.148 / 3, within(EXACT));
        assertThat(prediction.error()).isZero();
        Parts parts = prediction.parts().orElseThrow();
        assertThat(parts.queue()).isEqualTo(0.099 / 3, within(EXACT));
        assertThat(parts.followers()).isEqualTo(0.001 / 3, within(EXACT));
        assertThat(parts.queue() + parts.followers() + parts.rest()).isEqualTo(prediction.gain(), within(EXACT));
        assertThat(parts.stays()).isEqualTo(0.00075, within(EXACT));
    }

    @Test
    void aSlowFollowerIsNoSlowLeaderAndToDemoteItHasMoreProbesWaitForIt() throws Exception {
        Window window = new Window(
                steady(10, Map.of(1, 0.080, 2, 0.080, 3, 0.004)),
                Map.of(
                        1, Map.of("3", 0.075, "2", 0.001),
                        2, Map.of("3", 0.075, "1", 0.001),
                        3, Map.of("1", 0.001)),
                Map.of(1, 0.0, 2, 0.0, 3, 0.0));

        Prediction prediction = Prediction.of(3, window, 10);

        assertThat(prediction.gain()).isEqualTo(-0.076 / 3, within(EXACT));
        assertThat(prediction.parts().orElseThrow().followers()).isEqualTo(-0.075 / 3, within(EXACT));
        assertThat(prediction.parts().orElseThrow().stays()).isEqualTo(0.075, within(EXACT));
    }

    @Test
    void probesCountAndNotLeaders() throws Exception {
        Map<Integer, ProbeTime> batch =
                Map.of(1, new ProbeTime(10, 10), 2, new ProbeTime(6, 3), 3, new ProbeTime(4, 1));

        Prediction prediction = Prediction.of(1, withoutExporters(List.of(batch, batch, batch, batch, batch)), 5);

        assertThat(prediction.before()).isEqualTo(20.0 / 14, within(EXACT));
        assertThat(prediction.others()).isEqualTo(2.5, within(EXACT));
        assertThat(prediction.parts()).isEmpty();
    }

    /** By hand: variance 2.5, t = 2.776 with 4 degrees of freedom, 2.776 * sqrt(2.5 * 0.3). */
    @Test
    void theErrorIsThatOfAMeanOfBatchesToCome() throws Exception {
        Prediction prediction = Prediction.of(1, of(1, 2, 3, 4, 5), 10);

        assertThat(prediction.error()).isEqualTo(2.4044, within(1e-3));
    }

    @Test
    void whatIsMeasuredIsHeldAgainstTheInterval() throws Exception {
        Prediction prediction = Prediction.of(1, of(1, 2, 3, 4, 5), 10);

        Gain close = prediction.measured(of(5, 5, 5, 5, 5));
        Gain far = prediction.measured(of(6, 6, 6, 6, 6));

        assertThat(close.after()).isEqualTo(5);
        assertThat(close.gain()).isEqualTo(prediction.before() - 5);
        assertThat(close.within()).isTrue();
        assertThat(far.within()).isFalse();
    }

    @Test
    void probesOfTheDemotedBrokerCountNoMoreAfterwards() throws Exception {
        Prediction prediction = Prediction.of(1, of(2, 2, 2, 2, 2), 5);

        Gain gain = prediction.measured(withoutExporters(steady(5, Map.of(1, 99.0, 2, 2.0))));

        assertThat(gain.after()).isEqualTo(2);
    }

    /** Latencies are skewed, and drawn again in each of the batches before and after. */
    @Test
    void theIntervalHoldsInSomeNinetyFiveOfAHundred() throws Exception {
        Random random = new Random(27);
        int within = 0;
        int trials = 4_000;
        for (int i = 0; i < trials; i++) {
            Prediction prediction = Prediction.of(1, of(drawn(random)), 10);
            within += prediction.measured(of(drawn(random))).within() ? 1 : 0;
        }

        assertThat(within / (double) trials).isBetween(0.93, 0.97);
    }

    /** Means of batches of fifty probes. */
    private static double[] drawn(Random random) {
        return DoubleStream.generate(() -> DoubleStream.generate(() -> Math.exp(random.nextGaussian()))
                        .limit(50)
                        .average()
                        .orElseThrow())
                .limit(10)
                .toArray();
    }

    /** Batches in which broker 2 has these means, and broker 1, which is asked about, 9. */
    private static Window of(double... means) {
        List<Map<Integer, ProbeTime>> batches = new ArrayList<>();
        for (double mean : means) {
            batches.add(Map.of(1, new ProbeTime(90, 10), 2, new ProbeTime(10 * mean, 10)));
        }
        return withoutExporters(batches);
    }

    /**
     * A JVM is paused for half of each second and stays in sync. As a leader it takes no record in
     * until it goes on; records of other leaders wait for it as a follower. So moving leadership
     * moves the waits.
     */
    @Test
    void ofABrokerThatIsPausedAndStaysInSyncNoGainIsPredicted() throws Exception {
        Random random = new Random(42);
        int shown = 0;
        int trials = 1_000;
        for (int i = 0; i < trials; i++) {
            List<Map<Integer, ProbeTime>> batches = new ArrayList<>();
            for (int batch = 0; batch < 10; batch++) {
                batches.add(Map.of(1, paused(random), 2, paused(random), 3, paused(random)));
            }
            Prediction prediction = Prediction.of(2, withoutExporters(batches), 10);
            shown += prediction.verdict() == Prediction.Verdict.NO_DIFFERENCE ? 0 : 1;
        }

        assertThat(shown / (double) trials).isLessThan(0.05);
    }

    /** Twelve seconds of 20 probes each. */
    private static ProbeTime paused(Random random) {
        double seconds = DoubleStream.generate(random::nextDouble)
                .limit(240)
                .map(due -> 0.004 + Math.max(0, 0.5 - due))
                .sum();
        return new ProbeTime(seconds, 240);
    }

    @Test
    void theVerdictIsWhetherTheIntervalHoldsZero() throws Exception {
        assertThat(verdict(0.1, 0.2)).isEqualTo(Prediction.Verdict.NO_DIFFERENCE);
        assertThat(verdict(-0.1, 0.1)).isEqualTo(Prediction.Verdict.NO_DIFFERENCE);
        assertThat(verdict(0.2, 0.1)).isEqualTo(Prediction.Verdict.FASTER);
        assertThat(verdict(-0.2, 0.1)).isEqualTo(Prediction.Verdict.SLOWER);
    }

    private static Prediction.Verdict verdict(double gain, double error) {
        return new Prediction(1, 0.5, 1 + gain, 1 + 2 * gain, 1, error, Optional.empty()).verdict();
    }

    @Test
    void whatCannotBeKnownIsSaid() {
        assertThatThrownBy(() -> Prediction.of(7, of(1, 1, 1, 1, 1), 5))
                .isInstanceOf(InsufficientDataException.class)
                .hasMessage("no probe was led by broker 7");
        assertThatThrownBy(() -> Prediction.of(1, of(1, 1, 1, 1), 5))
                .hasMessageContaining("only 4 of 10 parts of the window");
        assertThatThrownBy(() ->
                        Prediction.of(1, of(1, 1, 1, 1, 1), 5).measured(withoutExporters(steady(5, Map.of(1, 1.0)))))
                .hasMessage("no probe was led by another broker");
    }
}
