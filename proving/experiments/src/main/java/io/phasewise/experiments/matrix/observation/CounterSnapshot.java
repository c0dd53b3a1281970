/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix.observation;

import io.phasewise.experiments.measure.CanaryProcess;
import io.phasewise.experiments.measure.ProbeLog;
import io.phasewise.lab.measure.Scrape;
import java.io.IOException;

/**
 * The canary's counters at one instant.
 *
 * @param scrape its series
 * @param contradictions probes for which its log has two ends
 * @param logLines lines of its log that are not about single probes
 */
public record CounterSnapshot(Scrape scrape, int contradictions, long logLines) {
    public static CounterSnapshot of(CanaryProcess canary) throws IOException, InterruptedException {
        Scrape scrape = canary.scrape();
        ProbeLog log = canary.log();
        log.read();
        return new CounterSnapshot(scrape, log.contradictions(), log.otherLines());
    }

    public long grown(CounterSnapshot earlier, String series, String... labels) {
        return Math.round(scrape.grown(earlier.scrape, series, labels));
    }

    /** Whether every probe scheduled so far has one outcome or is under way. */
    public boolean conserved() {
        return Math.round(scrape.sum("kafka_canary_probes_scheduled_total"))
                == Math.round(scrape.sum("kafka_canary_probes_total") + scrape.sum("kafka_canary_probes_in_flight"));
    }

    /**
     * How many more probes are counted as delivered or late than have a recorded latency; 0 or
     * more.
     */
    public long falseDeliveries() {
        String ended = "kafka_canary_probes_total";
        return Math.max(
                0,
                Math.round(scrape.sum(ended, "outcome=\"delivered\"")
                        + scrape.sum(ended, "outcome=\"late\"")
                        - scrape.sum("kafka_canary_end_to_end_latency_seconds_count")));
    }

    /** Threads of the process without those of lanes, which come and go as probes are held up. */
    public long threadsWithoutLanes() {
        return Math.round(scrape.sum("jvm_threads_current") - scrape.sum("kafka_canary_lanes"));
    }

    /** The latency up to which a probe is good, milliseconds. */
    public double targetMillis() {
        return scrape.sum("kafka_canary_slo_target_seconds") * 1e3;
    }
}
