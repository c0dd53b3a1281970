/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.load;

import io.phasewise.report.latency.LatencyAnalysis;
import io.phasewise.report.latency.WindowData;
import io.phasewise.report.load.Load.Balance;
import io.phasewise.report.load.Load.HeadroomEnd;
import io.phasewise.report.load.Load.Quantity;
import io.phasewise.report.load.Load.Resource;
import io.phasewise.report.stats.Block;
import io.phasewise.report.stats.Estimate;
import io.phasewise.report.stats.QueueCurve;
import io.phasewise.report.stats.QueueCurve.Limit;
import io.phasewise.report.stats.QueueCurve.Point;
import io.phasewise.report.stats.Trend;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.commons.math3.stat.StatUtils;

/** What load, utilisation and balance amount to. Pure functions of what was read. */
final class LoadAnalysis {

    /** The utilisation up to which load may grow where the data show no curve. */
    private static final double RULE_OF_THUMB = 0.7;

    private static final double BUSY = 95;
    private static final double WHOLE_DAY = 0.8;

    private final WindowData measured;
    private final ZoneId zone;

    LoadAnalysis(WindowData measured, ZoneId zone) {
        this.measured = measured;
        this.zone = zone;
    }

    Optional<Quantity> quantity(String name, String unit, SortedMap<Instant, Double> values) {
        double[] all = finite(values);
        if (all.length == 0) {
            return Optional.empty();
        }
        Trend trend = Trend.of(days(values), Estimate.CONFIDENCE);
        return Optional.of(new Quantity(name, unit, StatUtils.mean(all), StatUtils.max(all), trend));
    }

    /** How busy the busiest broker of each block is. */
    Optional<Resource> resource(String name, SortedMap<String, SortedMap<Instant, Double>> busy) {
        double[] all = finite(busiest(busy));
        return all.length == 0
                ? Optional.empty()
                : Optional.of(new Resource(name, StatUtils.mean(all), StatUtils.percentile(all, BUSY)));
    }

    /** Utilisation of the busiest broker and p99 of the whole path in each block. */
    List<Point> latencies(SortedMap<String, SortedMap<Instant, Double>> busy) {
        SortedMap<Instant, Double> busiest = busiest(busy);
        LatencyAnalysis latency = new LatencyAnalysis(measured, zone);
        List<Point> points = new ArrayList<>();
        for (Block block : latency.valid(latency.withLost())) {
            Instant end = block.start().plus(measured.window().block());
            Double value = busiest.get(end);
            if (value != null) {
                points.add(new Point(value, block.histogram().quantile(0.99), day(end)));
            }
        }
        return points;
    }

    Load load(
            List<Quantity> quantities,
            List<Resource> resources,
            HandlerPool pool,
            List<Point> points,
            SortedMap<Instant, Double> bytes,
            List<Balance> balance) {
        QueueCurve p99 = QueueCurve.of(points, pool.servers(), Estimate.CONFIDENCE);
        String against = p99.against();
        Limit limit = Limit.UNKNOWN;
        boolean atLeast = false;
        if (against.isEmpty() && measured.target() > 0) {
            limit = QueueCurve.limit(points, pool.servers(), measured.target(), Estimate.CONFIDENCE);
            if (Double.isNaN(limit.value())) {
                against = "it lies above the target at any load";
            } else if (limit.value() > p99.farthest()) {
                limit = Limit.UNKNOWN;
                atLeast = true;
            }
        }
        boolean thumb = Double.isNaN(limit.value()) && !atLeast;
        double now = resources.stream()
                .filter(each -> each.name().equals("request handlers"))
                .mapToDouble(Resource::busy)
                .findFirst()
                .orElse(Double.NaN);
        double until = thumb ? RULE_OF_THUMB : atLeast ? p99.farthest() : limit.value();
        double headroom = until / now;
        return new Load(
                quantities,
                resources,
                pool,
                p99,
                against,
                points,
                limit,
                until,
                headroom,
                thumb,
                atLeast,
                end(headroom, Trend.of(days(bytes), Estimate.CONFIDENCE)),
                balance);
    }

    /** When a factor of growth is used up; unknown where growth is not clear. */
    static HeadroomEnd end(double headroom, Trend trend) {
        if (!trend.clear() || !(headroom > 0)) {
            return new HeadroomEnd(Double.NaN, Double.NaN, Double.NaN);
        }
        return new HeadroomEnd(
                until(headroom, trend.factor()), until(headroom, trend.high()), until(headroom, trend.low()));
    }

    /** The pool with the fewest servers, of brokers whose utilisation is known. */
    static HandlerPool pool(
            SortedMap<String, Integer> threads,
            SortedMap<String, SortedMap<Instant, Double>> processors,
            SortedMap<String, SortedMap<Instant, Double>> busy,
            SortedMap<String, SortedMap<Instant, Double>> used) {
        return busy.keySet().stream()
                .map(broker -> {
                    int known = threads.getOrDefault(broker, 0);
                    return new HandlerPool(
                            known,
                            (int) Math.round(mean(processors, broker, 0)),
                            mean(busy, broker, Double.NaN) * (known > 0 ? known : HandlerPool.DEFAULT_THREADS),
                            mean(used, broker, Double.NaN));
                })
                .min(Comparator.comparingInt(HandlerPool::servers))
                .orElse(HandlerPool.UNKNOWN);
    }

    private static double mean(SortedMap<String, SortedMap<Instant, Double>> all, String broker, double otherwise) {
        double[] values = finite(all.getOrDefault(broker, new TreeMap<>()));
        return values.length == 0 ? otherwise : StatUtils.mean(values);
    }

    private static double until(double headroom, double factor) {
        return factor > 1 ? Math.max(0, Math.log(headroom) / Math.log(factor)) : Double.POSITIVE_INFINITY;
    }

    static Optional<Balance> balance(String name, String unit, SortedMap<String, SortedMap<Instant, Double>> values) {
        SortedMap<String, Double> means = new TreeMap<>();
        values.forEach((broker, each) -> {
            double[] finite = finite(each);
            if (finite.length > 0) {
                means.put(broker, StatUtils.mean(finite));
            }
        });
        double mean = means.values().stream().mapToDouble(d -> d).average().orElse(0);
        return means.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .filter(most -> mean > 0)
                .map(most -> new Balance(name, unit, mean, most.getValue(), most.getKey()));
    }

    private static SortedMap<Instant, Double> busiest(SortedMap<String, SortedMap<Instant, Double>> busy) {
        return busy.values().stream()
                .flatMap(values -> values.entrySet().stream())
                .filter(each -> Double.isFinite(each.getValue()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, Math::max, TreeMap::new));
    }

    /** Means of whole days, by the number of the day. */
    private SortedMap<Long, Double> days(SortedMap<Instant, Double> values) {
        double whole = Duration.ofDays(1).toMillis()
                / (double) measured.window().block().toMillis();
        SortedMap<Long, Double> means = new TreeMap<>();
        values.entrySet().stream()
                .filter(each -> Double.isFinite(each.getValue()))
                .collect(Collectors.groupingBy(
                        each -> day(each.getKey()), Collectors.summarizingDouble(Map.Entry::getValue)))
                .forEach((day, each) -> {
                    if (each.getCount() >= WHOLE_DAY * whole) {
                        means.put(day, each.getAverage());
                    }
                });
        return means;
    }

    /** The day of the block that ends at this instant. */
    private long day(Instant end) {
        return end.minus(measured.window().block()).atZone(zone).toLocalDate().toEpochDay();
    }

    private static double[] finite(SortedMap<Instant, Double> values) {
        return values.values().stream()
                .mapToDouble(d -> d)
                .filter(Double::isFinite)
                .toArray();
    }
}
