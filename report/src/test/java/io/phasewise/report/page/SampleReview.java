/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.page;

import io.phasewise.report.review.Comparison;
import io.phasewise.report.review.Comparison.Change;
import io.phasewise.report.review.Comparison.Subject;
import io.phasewise.report.review.Form;
import io.phasewise.report.review.HandlerPool;
import io.phasewise.report.review.Incident;
import io.phasewise.report.review.Incident.Incidents;
import io.phasewise.report.review.Load;
import io.phasewise.report.review.Load.Balance;
import io.phasewise.report.review.Load.End;
import io.phasewise.report.review.Load.Quantity;
import io.phasewise.report.review.Load.Resource;
import io.phasewise.report.review.PathPart;
import io.phasewise.report.review.Review;
import io.phasewise.report.review.Review.Facts;
import io.phasewise.report.review.Review.Gap;
import io.phasewise.report.review.Review.Latency;
import io.phasewise.report.review.Review.Leader;
import io.phasewise.report.review.Review.Objective;
import io.phasewise.report.review.Review.Seen;
import io.phasewise.report.review.Review.Slot;
import io.phasewise.report.review.Window;
import io.phasewise.report.source.Warnings;
import io.phasewise.report.stats.Difference;
import io.phasewise.report.stats.Estimate;
import io.phasewise.report.stats.QueueCurve;
import io.phasewise.report.stats.QueueCurve.Limit;
import io.phasewise.report.stats.QueueCurve.Point;
import io.phasewise.report.stats.Share;
import io.phasewise.report.stats.Trend;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** A review to write, with a bit of everything. */
final class SampleReview {

    private static final Instant FROM = Instant.parse("2026-11-01T00:00:00Z");

    private SampleReview() {}

    static Review of(String cluster) {
        Map<PathPart, List<Estimate>> parts = new EnumMap<>(PathPart.class);
        Map<PathPart, Double> means = new EnumMap<>(PathPart.class);
        for (PathPart part : EnumSet.complementOf(EnumSet.of(PathPart.MIRROR))) {
            parts.put(part, levels(0.001 * (part.ordinal() + 1)));
            means.put(part, 0.001);
        }
        Instant to = FROM.plus(Duration.ofDays(7));
        Latency latency =
                new Latency(
                        Window.fine(FROM, to),
                        Form.RAW_NATIVE,
                        new Objective(
                                0.05, 0.99, 1e6, 5000, 0, new Share(0.995, 0.994, 0.996), 0.5, 1),
                        levels(0.005),
                        parts,
                        means,
                        Map.of(PathPart.COMMIT, 90.0, PathPart.FETCH, 10.0),
                        List.of(PathPart.COMMIT),
                        List.of(
                                new Leader(
                                        "3",
                                        1000,
                                        10,
                                        0,
                                        at(0.5, 0.005),
                                        at(0.99, 0.05),
                                        at(0.999, 0.1),
                                        true),
                                new Leader(
                                        "1",
                                        1000,
                                        10,
                                        0,
                                        at(0.5, 0.004),
                                        at(0.99, 0.03),
                                        at(0.999, 0.08),
                                        false)),
                        List.of(new Slot("00:00", at(0.5, 0.005), at(0.99, 0.05))),
                        List.of(new Slot("Monday", at(0.5, 0.005), at(0.99, 0.05))),
                        List.of(
                                new Slot("2026-11-01", at(0.5, 0.005), at(0.99, 0.05)),
                                new Slot("2026-11-02", at(0.5, 0.005), at(0.99, 0.05))),
                        new Trend(1.001, 0.999, 1.003, 7),
                        new Trend(1.01, 1.005, 1.015, 7));
        return new Review(
                to,
                "http://prometheus",
                cluster,
                "default",
                "fra-1",
                "UTC",
                latency,
                new Comparison(
                        Window.fine(FROM.minus(Duration.ofDays(7)), FROM),
                        Form.RAW_NATIVE,
                        true,
                        List.of(subject("end_to_end"), subject("commit"))),
                load(),
                new Incidents(
                        1,
                        0.3,
                        List.of(
                                new Incident(
                                        FROM,
                                        FROM.plus(Duration.ofMinutes(20)),
                                        300,
                                        0.3,
                                        PathPart.COMMIT,
                                        0.2,
                                        "2",
                                        "all other leaders waited for a follower",
                                        List.of("SLOFastBurn"),
                                        List.of("2"),
                                        1))),
                new Facts(
                        168,
                        1,
                        false,
                        0,
                        List.of(new Gap(FROM, FROM.plus(Duration.ofHours(1)), 0.1)),
                        List.of(new Seen("acks=all", FROM, to, 1)),
                        List.of(new Seen("num_io_threads=8", FROM, to, 3)),
                        List.of(new Seen("num_io_threads 8 -> 16", FROM, to, 2)),
                        List.of(new Seen("4.4.0", FROM, to, 3)),
                        List.of(0.0004, 0.001),
                        0.0002,
                        new TreeSet<>(Set.of("prometheus_replica"))),
                new Warnings(2, List.of("receive series from sidecar-b: connection refused")));
    }

    /** The same, compared with another window. */
    static Review compared(Comparison comparison) {
        Review sample = of("orders");
        return new Review(
                sample.made(),
                sample.server(),
                sample.cluster(),
                sample.profile(),
                sample.site(),
                sample.zone(),
                sample.latency(),
                comparison,
                sample.load(),
                sample.incidents(),
                sample.facts(),
                sample.warnings());
    }

    private static Load load() {
        List<Point> points = new ArrayList<>();
        for (int hour = 0; hour < 168; hour++) {
            double busy = 0.3 + 0.2 * Math.sin(hour / 4.0);
            points.add(
                    new Point(
                            busy,
                            (0.01 + 0.01 * QueueCurve.shape(busy, 2)) * (1 + 0.01 * (hour % 3)),
                            hour / 24));
        }
        QueueCurve curve = QueueCurve.of(points, 2, 0.95);
        return new Load(
                List.of(
                        new Quantity(
                                "Bytes in", "B/s", 2.5e6, 4e6, new Trend(1.01, 1.005, 1.015, 7))),
                List.of(new Resource("request handlers", 0.3, 0.45)),
                new HandlerPool(8, 2, 2.4, 1.5),
                curve,
                curve.against(),
                points,
                new Limit(0.6, 0.58, 0.62),
                0.6,
                1.33,
                false,
                false,
                new End(58, 39, 115),
                List.of(
                        new Balance("Bytes in", "B/s", 1.75e6, 4e6, "4"),
                        new Balance("Replication bytes in", "B/s", 3.5e6, 8e6, "4")));
    }

    private static Subject subject(String name) {
        return new Subject(
                name,
                Comparison.LEVELS.stream()
                        .map(p -> new Change(Difference.of(at(p, 0.004), at(p, 0.005), 0.95), 0))
                        .toList());
    }

    private static List<Estimate> levels(double median) {
        return Review.LEVELS.stream().map(p -> at(p, median * (1 + 10 * (p - 0.5)))).toList();
    }

    private static Estimate at(double p, double value) {
        double needed = Math.log(0.025) / Math.log(p);
        return needed > 20_000
                ? new Estimate(p, value, Double.NaN, Double.NaN, 20_000, needed)
                : new Estimate(p, value, 0.95 * value, 1.06 * value, 20_000, needed);
    }
}
