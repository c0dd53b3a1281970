/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import io.phasewise.experiments.measure.CanaryProcess;
import io.phasewise.experiments.measure.Phase;
import io.phasewise.experiments.measure.Scrape;
import java.io.IOException;
import java.nio.file.Files;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The canary's counters at one instant, and what they grew by.
 *
 * @param scrape its series
 * @param logLines lines of its log so far
 */
record Reading(Scrape scrape, long logLines) {
    private static final String PHASES = "kafka_canary_phase_latency_seconds";
    private static final List<String> OUTCOMES =
            List.of("delivered", "late", "lost", "send_failed");

    static Reading of(CanaryProcess canary) throws IOException, InterruptedException {
        Scrape scrape = canary.scrape();
        try (var lines = Files.lines(canary.process().log())) {
            return new Reading(scrape, lines.count());
        }
    }

    long grown(Reading earlier, String series, String... labels) {
        return Math.round(scrape.grown(earlier.scrape, series, labels));
    }

    /** How the probes that ended since then ended. */
    Map<String, Long> outcomes(Reading earlier) {
        Map<String, Long> ended = new LinkedHashMap<>();
        for (String outcome : OUTCOMES) {
            ended.put(
                    outcome,
                    grown(earlier, "kafka_canary_probes_total", "outcome=\"" + outcome + "\""));
        }
        return ended;
    }

    /** Whether every probe scheduled so far has one outcome or is under way. */
    boolean conserved() {
        return Math.round(scrape.sum("kafka_canary_probes_scheduled_total"))
                == Math.round(
                        scrape.sum("kafka_canary_probes_total")
                                + scrape.sum("kafka_canary_probes_in_flight"));
    }

    /** Probes counted as delivered so far beyond those whose latency was recorded. */
    long falseDeliveries() {
        String ended = "kafka_canary_probes_total";
        return Math.max(
                0,
                Math.round(
                        scrape.sum(ended, "outcome=\"delivered\"")
                                + scrape.sum(ended, "outcome=\"late\"")
                                - scrape.sum("kafka_canary_end_to_end_latency_seconds_count")));
    }

    /** Mean of every phase over the probes since then, milliseconds; NaN when there were none. */
    Map<Phase, Double> means(Reading earlier, Set<Integer> leaders) {
        Map<Phase, Double> means = new EnumMap<>(Phase.class);
        for (Phase phase : Phase.values()) {
            double sum = 0;
            double count = 0;
            for (int leader : leaders) {
                String[] labels = {"leader=\"" + leader + "\"", "phase=\"" + phase.label() + "\""};
                sum += scrape.grown(earlier.scrape, PHASES + "_sum", labels);
                count += scrape.grown(earlier.scrape, PHASES + "_count", labels);
            }
            means.put(phase, count == 0 ? Double.NaN : sum / count * 1e3);
        }
        return means;
    }

    /** The share of probes judged since then that were good; NaN when none was. */
    double goodShare(Reading earlier) {
        double good =
                scrape.grown(earlier.scrape, "kafka_canary_slo_probes_total", "verdict=\"good\"");
        return good / scrape.grown(earlier.scrape, "kafka_canary_slo_probes_total");
    }

    long threads() {
        return Math.round(scrape.sum("jvm_threads_current"));
    }

    long heapMebibytes() {
        return Math.round(scrape.sum("jvm_memory_used_bytes", "area=\"heap\"") / (1 << 20));
    }
}
