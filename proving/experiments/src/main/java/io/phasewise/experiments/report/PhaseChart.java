/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.report;

import static java.util.stream.Collectors.joining;

import io.phasewise.common.file.JarResource;
import io.phasewise.common.phase.Phase;
import io.phasewise.experiments.statistics.Summary;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A Mermaid chart that shows which phase moved: the means of the phases, stacked, one bar for each
 * variant.
 */
final class PhaseChart {
    private static final String CHART = JarResource.text(PhaseChart.class, "chart.txt");

    private PhaseChart() {}

    /** The chart. A variant of which no probe came back has no bar. */
    static String of(List<Summary> summaries) {
        List<String> colours = new ArrayList<>();
        StringBuilder bars = new StringBuilder();
        // Mermaid draws one series over the other: with the longest sum first they look stacked.
        for (int last = Phase.values().length - 1; last >= 0; last--) {
            int phases = last + 1;
            Stream<String> sums = summaries.stream().map(each -> Figures.number("%.2f", sum(each, phases)));
            bars.append("  bar [").append(sums.collect(joining(", "))).append("]\n");
            colours.add(Phase.values()[last].colour());
        }
        String names = summaries.stream()
                .map(each -> '"' + each.variant().replace('"', '\'') + '"')
                .collect(joining(", "));
        return CHART.formatted(String.join(", ", colours), names, bars);
    }

    private static double sum(Summary summary, int phases) {
        return summary.phases().values().stream()
                .limit(phases)
                .filter(Double::isFinite)
                .mapToDouble(Double::doubleValue)
                .sum();
    }
}
