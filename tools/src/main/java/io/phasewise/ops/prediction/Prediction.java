/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.ops.prediction;

import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.function.ToDoubleFunction;
import org.apache.commons.statistics.descriptive.Variance;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * By how much the mean end-to-end latency of the canary's probes falls when a broker leads nothing
 * any more. What it led then takes as long as what the others lead; and that includes their waits
 * for the broker as a follower, which it goes on being. All times are seconds.
 *
 * @param broker its node id
 * @param share of the probes that it leads, from 0 to 1
 * @param before mean of all probes
 * @param asLeader mean of the probes that it leads
 * @param others mean of the probes that the others lead
 * @param error half the width of the interval of the gain as it will be measured, with 95 %
 *     confidence
 * @param parts of the gain; empty without exporters
 */
public record Prediction(
        int broker, double share, double before, double asLeader, double others, double error, Optional<Parts> parts) {

    private static final double CONFIDENCE = 0.95;

    /** With fewer, Student's t says next to nothing. */
    private static final int FEWEST_BATCHES = 5;

    /**
     * Where the gain comes from, of the mean of all probes, and what stays.
     *
     * @param queue by requests that wait less long for a request handler
     * @param followers by records that wait less long for followers; negative where the others wait
     *     longer, as for a broker that is slow as a follower only
     * @param rest by everything else: network, append, the client's own part
     * @param stays what probes go on waiting for the broker as a follower, once it leads nothing
     */
    public record Parts(double queue, double followers, double rest, double stays) {}

    /**
     * What was gained.
     *
     * @param after mean of the probes that the others lead
     * @param gain less than before; negative when it is more
     * @param within whether that is inside the interval of the prediction
     */
    public record Gain(double after, double gain, boolean within) {}

    /**
     * Predicts. The interval is that of a mean of batches to come: Student's t with the variance of
     * the means of k batches of the others' probes, times 1/k + 1/m.
     *
     * @param broker its node id
     * @param batchesAfter in how many batches the gain will be measured, of the same length
     * @throws InsufficientDataException when the window has no probes of the broker, none of
     *     others, or too few batches
     */
    public static Prediction of(int broker, Window window, int batchesAfter) throws InsufficientDataException {
        ProbeTime own = window.probes(leader -> leader == broker);
        ProbeTime rest = window.probes(leader -> leader != broker);
        if (own.count() <= 0) {
            throw new InsufficientDataException("no probe was led by broker " + broker);
        }
        double[] means = window.means(leader -> leader != broker);
        if (means.length < FEWEST_BATCHES) {
            throw new InsufficientDataException(
                    "only %d of %d parts of the window have probes of other leaders, %d are needed. Has the canary probed for that long?"
                            .formatted(means.length, WindowLength.BATCHES, FEWEST_BATCHES));
        }
        ProbeTime all = own.plus(rest);
        double share = own.count() / all.count();
        TDistribution student = TDistribution.of(means.length - 1.0);
        double t = student.inverseSurvivalProbability((1 - CONFIDENCE) / 2);
        double batches = 1.0 / means.length + 1.0 / batchesAfter;
        double error = t * Math.sqrt(Variance.of(means).getAsDouble() * batches);
        return new Prediction(
                broker,
                share,
                all.mean(),
                own.mean(),
                rest.mean(),
                error,
                parts(broker, window, share, own.mean() - rest.mean()));
    }

    /** What the interval says of the gain. */
    public enum Verdict {
        /** All of the interval is a gain. */
        FASTER,
        /** All of it is a loss. */
        SLOWER,
        /** It holds zero: it is not known whether there is a gain at all. */
        NO_DIFFERENCE
    }

    public Verdict verdict() {
        if (Math.abs(gain()) <= error) {
            return Verdict.NO_DIFFERENCE;
        }
        return gain() > 0 ? Verdict.FASTER : Verdict.SLOWER;
    }

    /** Less than before; negative when it becomes more. */
    public double gain() {
        return before - others;
    }

    /**
     * What was gained.
     *
     * @param window after the demotion
     * @throws InsufficientDataException when it has no probes of other leaders
     */
    public Gain measured(Window window) throws InsufficientDataException {
        ProbeTime after = window.probes(leader -> leader != broker);
        if (after.count() <= 0) {
            throw new InsufficientDataException("no probe was led by another broker");
        }
        double gain = before - after.mean();
        return new Gain(after.mean(), gain, Math.abs(gain - gain()) <= error);
    }

    private static Optional<Parts> parts(int broker, Window window, double share, double difference) {
        IntPredicate itself = leader -> leader == broker;
        if (window.queue().isEmpty() || window.waits().isEmpty()) {
            return Optional.empty();
        }
        double queue = excess(window, window.queue(), itself, each -> each);
        double followers = excess(
                window,
                window.waits(),
                itself,
                waits -> waits.values().stream().mapToDouble(each -> each).sum());
        String its = Integer.toString(broker);
        double stays = mean(window, window.waits(), itself.negate(), waits -> waits.getOrDefault(its, 0.0));
        return Optional.of(
                new Parts(share * queue, share * followers, share * (difference - queue - followers), stays));
    }

    /** By how much the mean of some leaders is above that of the others. */
    private static <T> double excess(
            Window window, Map<Integer, T> values, IntPredicate leaders, ToDoubleFunction<T> value) {
        return mean(window, values, leaders, value) - mean(window, values, leaders.negate(), value);
    }

    /**
     * The mean over some leaders, each weighted by its probes; 0 where nothing is known of any of
     * them.
     */
    private static <T> double mean(
            Window window, Map<Integer, T> values, IntPredicate leaders, ToDoubleFunction<T> value) {
        double sum = 0;
        double count = 0;
        for (Map.Entry<Integer, T> each : values.entrySet()) {
            if (leaders.test(each.getKey())) {
                int leader = each.getKey();
                double probes = window.probes(other -> other == leader).count();
                sum += probes * value.applyAsDouble(each.getValue());
                count += probes;
            }
        }
        return count > 0 ? sum / count : 0;
    }
}
