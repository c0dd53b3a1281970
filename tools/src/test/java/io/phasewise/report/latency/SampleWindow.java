/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.latency;

import io.phasewise.report.query.FleetQuestion;
import io.phasewise.report.query.Form;
import io.phasewise.report.query.Question;
import io.phasewise.report.query.Window;
import io.phasewise.report.source.Series;
import io.phasewise.report.stats.Block;
import io.phasewise.report.stats.Histogram;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Windows in which everything is made up, block by block. */
public final class SampleWindow {
    public static final double TARGET = 0.05;

    private SampleWindow() {}

    /**
     * Latencies of a window's blocks.
     *
     * @param latencies of the block with this number; an empty one is left out
     */
    public static List<Block> blocks(Window window, IntFunction<Histogram> latencies) {
        return IntStream.range(0, window.blocks())
                .mapToObj(number -> new Block(start(window, number), latencies.apply(number)))
                .filter(block -> block.histogram().count() > 0)
                .toList();
    }

    /**
     * A window with an objective of 99 % within {@link #TARGET}.
     *
     * @param latencies as for {@link #blocks}
     * @param counts of the block with this number; null where there are none
     */
    public static WindowData measured(Window window, IntFunction<Histogram> latencies, IntFunction<Counts> counts) {
        SortedMap<Instant, Counts> ended = new TreeMap<>();
        for (int number = 0; number < window.blocks(); number++) {
            if (counts.apply(number) != null) {
                ended.put(start(window, number), counts.apply(number));
            }
        }
        return WindowData.whole(window, Form.RAW_NATIVE, blocks(window, latencies), ended, TARGET, 0.99, 1);
    }

    /** What is asked of one cluster. */
    public static Question question(String cluster, Window window) {
        return new Question(cluster, "default", Optional.empty(), window, Optional.empty(), ZoneOffset.UTC);
    }

    /** What is asked of the clusters that match. */
    public static FleetQuestion fleet(String clusters, Window window) {
        return new FleetQuestion(clusters, "default", Optional.empty(), window, ZoneOffset.UTC);
    }

    /** A series that has a value at these hours after an instant. */
    public static Series hourly(Instant start, Map<String, String> labels, int... hours) {
        TreeMap<Instant, Double> values = new TreeMap<>();
        for (int hour : hours) {
            values.put(start.plus(Duration.ofHours(hour)), 1.0);
        }
        return new Series(labels, values, new TreeMap<>());
    }

    private static Instant start(Window window, int number) {
        return window.from().plus(window.block().multipliedBy(number));
    }
}
