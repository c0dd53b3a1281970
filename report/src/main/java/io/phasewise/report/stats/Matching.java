/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.stats;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/**
 * Makes two windows comparable: only hours of the week that both have count, and each counts alike
 * in both, so that a quiet Sunday more is not taken for an improvement (post-stratification: Holt
 * and Smith 1979).
 *
 * @param before blocks of the first window that count, with their weights
 * @param after those of the second
 * @param strata how many hours (of the week or of the day) both have
 * @param left share of the probes of both windows that do not count
 */
public record Matching(Percentiles before, Percentiles after, int strata, double left) {

    /**
     * Matches.
     *
     * @param stratum of a block: which hour of the week it is, from 0
     * @param usual of a block: a coarser stratum, as the hour of the day, whose mean is taken away
     *     as no uncertainty
     */
    public static Matching of(
            List<Block> before,
            List<Block> after,
            ToIntFunction<Block> stratum,
            ToIntFunction<Block> usual) {
        Map<Integer, Double> first = sizes(before, stratum);
        Map<Integer, Double> second = sizes(after, stratum);
        Map<Integer, Double> common =
                first.entrySet().stream()
                        .filter(
                                each ->
                                        second.getOrDefault(each.getKey(), 0.0) > 0
                                                && each.getValue() > 0)
                        .collect(
                                Collectors.toMap(
                                        Map.Entry::getKey,
                                        each ->
                                                Math.min(
                                                        each.getValue(),
                                                        second.get(each.getKey()))));
        double all = total(first) + total(second);
        double kept =
                common.keySet().stream()
                        .mapToDouble(each -> first.get(each) + second.get(each))
                        .sum();
        return new Matching(
                weighted(before, stratum, first, common, usual),
                weighted(after, stratum, second, common, usual),
                common.size(),
                all > 0 ? 1 - kept / all : 1);
    }

    private static Percentiles weighted(
            List<Block> blocks,
            ToIntFunction<Block> stratum,
            Map<Integer, Double> own,
            Map<Integer, Double> common,
            ToIntFunction<Block> usual) {
        List<Histogram> histograms = new ArrayList<>();
        List<Double> weights = new ArrayList<>();
        List<Integer> strata = new ArrayList<>();
        for (Block block : blocks) {
            int of = stratum.applyAsInt(block);
            Double size = common.get(of);
            if (size != null) {
                histograms.add(block.histogram());
                weights.add(size / own.get(of));
                strata.add(usual.applyAsInt(block));
            }
        }
        return Percentiles.of(
                histograms,
                weights.stream().mapToDouble(d -> d).toArray(),
                strata.stream().mapToInt(i -> i).toArray());
    }

    private static Map<Integer, Double> sizes(List<Block> blocks, ToIntFunction<Block> stratum) {
        return blocks.stream()
                .collect(
                        Collectors.groupingBy(
                                stratum::applyAsInt,
                                Collectors.summingDouble(block -> block.histogram().count())));
    }

    private static double total(Map<Integer, Double> sizes) {
        return sizes.values().stream().mapToDouble(d -> d).sum();
    }
}
