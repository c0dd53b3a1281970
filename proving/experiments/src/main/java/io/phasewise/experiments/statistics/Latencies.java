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
 * One latency of some probes, in milliseconds. Of a probe that has none it is infinite: it took
 * longer than all others. Quantiles are Commons Statistics'.
 *
 * @param values in no order
 */
public record Latencies(double[] values) {
    private static final double TAIL = 0.025;

    /** Of some probes. */
    static Latencies of(Stream<ProbeRecord> probes, ToDoubleFunction<ProbeRecord> latency) {
        return new Latencies(probes.mapToDouble(latency).toArray());
    }

    /** Of some blocks of probes. */
    static Latencies pooled(Collection<double[]> blocks) {
        return new Latencies(blocks.stream().flatMapToDouble(Arrays::stream).toArray());
    }

    /** Of those that have one; NaN where none has. */
    public double mean() {
        return finite().average().orElse(Double.NaN);
    }

    /** How many have one. */
    public long present() {
        return finite().count();
    }

    private DoubleStream finite() {
        return Arrays.stream(values).filter(Double::isFinite);
    }

    /** Share of those that have none. */
    public double missing() {
        return (values.length - present()) / (double) values.length;
    }

    /** A quantile; infinite where it falls among those that have none. */
    public double quantile(double share) {
        return quantiles(share)[0];
    }

    /** Several; interpolated, but never between a number and infinity. */
    double[] quantiles(double... shares) {
        double[] found = Quantile.withDefaults().withCopy(true).evaluate(values, shares);
        return Arrays.stream(found)
                .map(each -> Double.isNaN(each) ? Double.POSITIVE_INFINITY : each)
                .toArray();
    }

    /** The same in the tail; NaN where there are too few probes for it. */
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
     * The least number of probes of which the slowest lies beyond the quantile in 975 of 1,000
     * cases, if they were independent. With fewer, an interval has no upper end. Neighbours are
     * alike, so that it may have none with more, either.
     */
    public static long needed(double share) {
        return (long) Math.ceil(Math.log(TAIL) / Math.log(share));
    }
}
