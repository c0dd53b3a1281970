/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.phasewise.common.phase.Phase;
import io.phasewise.lab.measure.Scrape;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What the phases of the probes of some stretches of time sum to, as exported; stretches add up.
 */
record PhaseSums(Map<Phase, Double> seconds, double probes) {
    static final String FAMILY = "kafka_canary_phase_latency_seconds";
    private static final String END_TO_END = "kafka_canary_end_to_end_latency_seconds";

    /**
     * Probes through some leaders, recorded between two scrapes.
     *
     * @param of the label that tells whose: {@link #cluster} or {@link #profile}
     */
    static PhaseSums between(Scrape from, Scrape to, String of, int... leaders) {
        Map<Phase, Double> seconds = new EnumMap<>(Phase.class);
        double probes = 0;
        for (Phase phase : Phase.values()) {
            double sum = 0;
            double count = 0;
            for (int leader : leaders) {
                String[] labels = {of, CanaryPages.leader(leader), label(phase)};
                sum += to.sum(FAMILY + "_sum", labels) - from.sum(FAMILY + "_sum", labels);
                count += to.sum(FAMILY + "_count", labels) - from.sum(FAMILY + "_count", labels);
            }
            seconds.put(phase, sum);
            probes = count;
        }
        return new PhaseSums(seconds, probes);
    }

    PhaseSums plus(PhaseSums other) {
        Map<Phase, Double> both = new EnumMap<>(seconds);
        other.seconds.forEach((phase, sum) -> both.merge(phase, sum, Double::sum));
        return new PhaseSums(both, probes + other.probes);
    }

    /** Mean of each phase, milliseconds. */
    Map<Phase, Double> means() {
        Map<Phase, Double> means = new EnumMap<>(Phase.class);
        seconds.forEach((phase, sum) -> means.put(phase, sum / probes * 1e3));
        return means;
    }

    /** By how much the mean of each phase exceeds that of a baseline, milliseconds. */
    Map<Phase, Double> minus(PhaseSums baseline) {
        Map<Phase, Double> growth = means();
        baseline.means().forEach((phase, mean) -> growth.merge(phase, -mean, Double::sum));
        return growth;
    }

    @Override
    public String toString() {
        return line(means()) + " (" + Math.round(probes) + " probes)";
    }

    static String line(Map<Phase, Double> millis) {
        return millis.entrySet().stream()
                .map(e -> String.format(Locale.ROOT, "%s %.2f", e.getKey().label(), e.getValue()))
                .collect(Collectors.joining(", ", "", " ms"));
    }

    static String label(Phase phase) {
        return "phase=\"" + phase.label() + "\"";
    }

    static String cluster(String name) {
        return "cluster=\"" + name + "\"";
    }

    static String profile(String name) {
        return "profile=\"" + name + "\"";
    }

    static double total(Map<Phase, Double> means) {
        return means.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    /**
     * Each probe has each phase once, and the phases sum to the end-to-end latency of the same
     * probes. A scrape is no snapshot: tried until one falls between two probes.
     *
     * @param of the label that tells whose: {@link #cluster} or {@link #profile}
     */
    static void awaitSumToEndToEnd(CanaryPages pages, String of, int... leaders) {
        await("one scrape between two probes")
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertSumToEndToEnd(pages.scrape(), of, leaders));
    }

    private static void assertSumToEndToEnd(Scrape scrape, String of, int... leaders) {
        for (int leader : leaders) {
            String[] labels = {of, CanaryPages.leader(leader)};
            double probes = scrape.sum(END_TO_END + "_count", labels);
            assertThat(probes).isPositive();
            for (Phase phase : Phase.values()) {
                assertThat(scrape.sum(FAMILY + "_count", labels[0], labels[1], label(phase)))
                        .as("probes with %s through %d", phase.label(), leader)
                        .isEqualTo(probes);
            }
            assertThat(scrape.sum(FAMILY + "_sum", labels))
                    .as("seconds through %d", leader)
                    .isCloseTo(scrape.sum(END_TO_END + "_sum", labels), within(1e-6));
            assertThat(CanaryPages.conserved(scrape, leader))
                    .as("every probe accounted for")
                    .isTrue();
        }
    }

    /** Whether so many more probes came back through each leader. */
    static boolean recorded(Scrape from, Scrape to, String of, int each, int... leaders) {
        return IntStream.of(leaders)
                .allMatch(leader -> between(from, to, of, leader).probes() >= each);
    }
}
