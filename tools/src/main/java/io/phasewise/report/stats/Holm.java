/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.stats;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Many tests taken together, so that the more are made the less is claimed by chance (Holm, "A
 * simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6,
 * 1979). Never claims less than Bonferroni's division of the level by their number.
 */
public final class Holm {

    private Holm() {}

    /**
     * The adjusted chances. Whoever claims all changes whose adjusted chance is at most some level
     * makes a false claim in no more cases than that level.
     *
     * @param chances 0 to 1, in any order; NaN is no test, and stays
     */
    public static List<Double> together(List<Double> chances) {
        List<Integer> order = IntStream.range(0, chances.size())
                .filter(i -> !Double.isNaN(chances.get(i)))
                .boxed()
                .sorted(Comparator.comparingDouble(i -> chances.get(i)))
                .toList();
        List<Double> together = new ArrayList<>(Collections.nCopies(chances.size(), Double.NaN));
        double least = 0;
        for (int rank = 0; rank < order.size(); rank++) {
            double chance = (order.size() - rank) * chances.get(order.get(rank));
            least = Math.max(least, Math.min(1, chance));
            together.set(order.get(rank), least);
        }
        return together;
    }
}
