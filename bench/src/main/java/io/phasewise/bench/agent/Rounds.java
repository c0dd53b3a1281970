/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.agent;

import io.phasewise.bench.run.MedianInterval;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleBinaryOperator;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * What came of the turns of an {@link AgentPair}, as rows of a table.
 *
 * @param without the agent, by round
 * @param with the agent, by round
 */
record Rounds<T>(List<T> without, List<T> with) {

    /**
     * Cells: what is measured, the medians of both, and the comparison. That is made in each round,
     * and its median shown: it is not that of the medians.
     *
     * @param format of one value
     * @param compare a value with the agent and the one without it
     * @param shown the text of the comparison
     */
    String[] row(
            String what,
            String format,
            ToDoubleFunction<T> value,
            DoubleBinaryOperator compare,
            Function<MedianInterval, String> shown) {
        List<Double> plain = without.stream().map(value::applyAsDouble).toList();
        List<Double> timed = with.stream().map(value::applyAsDouble).toList();
        MedianInterval compared =
                MedianInterval.of(
                        IntStream.range(0, plain.size())
                                .mapToObj(i -> compare.applyAsDouble(timed.get(i), plain.get(i)))
                                .toList());
        return new String[] {
            what,
            String.format(Locale.ROOT, format, MedianInterval.of(plain).median()),
            String.format(Locale.ROOT, format, MedianInterval.of(timed).median()),
            shown.apply(compared)
        };
    }
}
