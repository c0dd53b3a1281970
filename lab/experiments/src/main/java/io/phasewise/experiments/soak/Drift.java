/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.soak;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.apache.commons.statistics.descriptive.Quantile;

/**
 * How a figure of the canary or the brokers changed over a soak: the median of the last quarter
 * against that of the second, for the first still warms up; pure.
 *
 * @param what the figure
 * @param early median of the second quarter
 * @param late median of the last quarter
 * @param least of all samples
 * @param most of all samples
 * @param limit of the growth; empty where it is not judged
 */
public record Drift(
        String what, double early, double late, double least, double most, Optional<Limit> limit) {

    /**
     * Of samples in order, eight at least.
     *
     * @throws IllegalArgumentException when there are fewer
     */
    static Drift of(
            String what,
            List<Sample> samples,
            ToDoubleFunction<Sample> figure,
            Optional<Limit> limit) {
        if (samples.size() < 8) {
            throw new IllegalArgumentException(samples.size() + " samples; 8 at least");
        }
        int quarter = samples.size() / 4;
        double[] all = samples.stream().mapToDouble(figure).filter(v -> !Double.isNaN(v)).toArray();
        return new Drift(
                what,
                median(samples.subList(quarter, 2 * quarter), figure),
                median(samples.subList(samples.size() - quarter, samples.size()), figure),
                Arrays.stream(all).min().orElse(Double.NaN),
                Arrays.stream(all).max().orElse(Double.NaN),
                limit);
    }

    private static double median(List<Sample> samples, ToDoubleFunction<Sample> figure) {
        return Quantile.withDefaults()
                .evaluate(
                        samples.stream()
                                .mapToDouble(figure)
                                .filter(v -> !Double.isNaN(v))
                                .toArray(),
                        0.5);
    }

    /** Whether it grew no more than it may. */
    public boolean kept() {
        return limit.isEmpty() || limit.get().keptBy(this);
    }

    /** For people: how much more, in percent. */
    public String change() {
        return Double.isNaN(early) || early == 0
                ? "-"
                : String.format(Locale.ROOT, "%+.1f %%", (late / early - 1) * 100);
    }
}
