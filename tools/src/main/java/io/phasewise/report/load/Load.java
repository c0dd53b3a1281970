/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.load;

import io.phasewise.report.stats.QueueCurve;
import io.phasewise.report.stats.QueueCurve.Limit;
import io.phasewise.report.stats.Trend;
import java.util.List;

/**
 * The load of the cluster, how much more it could take, and how evenly it lies.
 *
 * @param quantities each kind of load, with its mean and peak
 * @param resources how busy the busiest broker is, busiest resource first
 * @param pool the request handlers, as servers of a queue
 * @param p99 of the whole path against how busy the busiest broker's handlers are
 * @param p99Against why the data do not support that curve; empty where they do
 * @param points what p99's curve was fitted to
 * @param limit utilisation at which p99 would break the target; NaN where the data do not tell
 * @param until utilisation up to which headroom is stated
 * @param headroom by which factor load could grow until then
 * @param ruleOfThumb whether that is until 70 % busy, as the data support no curve
 * @param atLeast whether that is as far as the curve may be drawn on, at which p99 is still
 *     within the target
 * @param end when headroom ends
 * @param balance how evenly each kind of load lies on the brokers
 */
public record Load(
        List<Quantity> quantities,
        List<Resource> resources,
        HandlerPool pool,
        QueueCurve p99,
        String p99Against,
        List<QueueCurve.Point> points,
        Limit limit,
        double until,
        double headroom,
        boolean ruleOfThumb,
        boolean atLeast,
        HeadroomEnd end,
        List<Balance> balance) {

    /** A broker that has more than this times the mean is uneven. */
    private static final double UNEVEN = 1.5;

    /** By which factor a request waits longer at the limit than at half busy. */
    public double waitAtLimit() {
        return QueueCurve.shape(until, pool.servers());
    }

    /** What lies unevenly on the brokers. */
    public List<String> uneven() {
        return balance.stream()
                .filter(each -> each.mostByMean() > UNEVEN)
                .map(Balance::name)
                .toList();
    }

    /** Bytes that brokers replicate for each that producers write; 0 where that is not known. */
    public double replicated() {
        return mean("Replication bytes in") / Math.max(1, mean("Bytes in"));
    }

    private double mean(String name) {
        return balance.stream()
                .filter(each -> each.name().equals(name))
                .mapToDouble(Balance::mean)
                .sum();
    }

    /**
     * One kind of load.
     *
     * @param unit B for bytes, /s for a second, both or none
     * @param peak the busiest block
     * @param trend by day
     */
    public record Quantity(String name, String unit, double mean, double peak, Trend trend) {}

    /**
     * How busy a resource of the busiest broker is, 0 to 1.
     *
     * @param busy the level that 95 of 100 blocks do not exceed
     */
    public record Resource(String name, double mean, double busy) {}

    /**
     * When headroom ends, in days from the end of the window; infinite for never at this growth,
     * NaN where growth is not clear.
     *
     * @param exponential where growth stays the same share
     * @param earliest of its interval
     * @param latest of its interval
     */
    public record HeadroomEnd(double exponential, double earliest, double latest) {

        /** Whether growth is clear. */
        public boolean known() {
            return !Double.isNaN(exponential);
        }
    }

    /**
     * How something lies on the brokers.
     *
     * @param unit as of a quantity
     * @param mean of all brokers
     * @param most of one
     * @param broker that one
     */
    public record Balance(String name, String unit, double mean, double most, String broker) {

        /** The largest divided by the mean. */
        public double mostByMean() {
            return most / mean;
        }
    }
}
