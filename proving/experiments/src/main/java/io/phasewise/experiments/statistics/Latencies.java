/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.statistics;

import io.phasewise.experiments.measure.ProbeRecord;
import java.util.Arrays;
import java.util.Collection;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.apache.commons.statistics.descriptive.Quantile;

/**
 * The latencies of some probes, milliseconds. A probe without one counts as infinite: it took
 * longer than all others. Quantiles come from Commons Statistics.
 *
 * @param values in no order
 */
public record Latencies(double[] values) {
    private static final double TAIL = 0.025;

    /** One latency of each of these probes. */
    static Latencies of(Stream<ProbeRecord> probes, ToDoubleFunction<ProbeRecord> latency) {
        return new Latencies(probes.mapToDouble(latency).toArray());
    }

    /** The latencies of several blocks together. */
    static Latencies pooled(Collection<double[]> blocks) {
        return new Latencies(blocks.stream().flatMapToDouble(Arrays::stream).toArray());
    }

    /** The mean over the probes that have one; NaN where none has. */
    public double mean() {
        return finite().average().orElse(Double.NaN);
    }

    /** How many probes have a latency. */
    public long present() {
        return finite().count();
    }

    private DoubleStream finite() {
        return Arrays.stream(values).filter(Double::isFinite);
    }

    /** The share of probes without a latency. */
    public double missing() {
        return (values.length - present()) / (double) values.length;
    }

    /** A quantile; infinite where it falls among probes without a latency. */
    public double quantile(double share) {
        return quantiles(share)[0];
    }

    /** Several quantiles; interpolated, but never between a number and infinity. */
    double[] quantiles(double... shares) {
        double[] found = Quantile.withDefaults().withCopy(true).evaluate(values, shares);
        return Arrays.stream(found)
                .map(each -> Double.isNaN(each) ? Double.POSITIVE_INFINITY : each)
                .toArray();
    }

    /** A quantile in the tail; NaN where there are too few probes for it. */
    public double tail(double share) {
        return values.length < needed(share) ? Double.NaN : quantile(share);
    }

    /** The slowest. */
    public double max() {
        return Arrays.stream(values).max().orElse(Double.NaN);
    }

    /** The fastest. */
    public double min() {
        return Arrays.stream(values).min().orElse(Double.NaN);
    }

    /**
     * How many probes are needed for a quantile: so many that the slowest lies beyond it in 975 of
     * 1,000 cases, if probes are independent. With fewer, an interval has no upper end. Probes
     * close in time are alike, so it may have none with more, too.
     */
    public static long needed(double share) {
        return (long) Math.ceil(Math.log(TAIL) / Math.log(share));
    }
}
