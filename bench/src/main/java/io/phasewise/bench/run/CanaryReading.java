/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.run;

import java.util.Map;

/**
 * What a canary did between two scrapes.
 *
 * @param seconds between them
 * @param before the first
 * @param after the second
 * @param cpuSeconds processor time that it took in between
 * @param residentBytes memory at the end
 * @param pauses of its JVM in between
 */
public record CanaryReading(
        double seconds,
        Scrape before,
        Scrape after,
        double cpuSeconds,
        long residentBytes,
        Pauses pauses) {

    /** The values that a histogram took in, all series together. */
    public NativeHistogram histogram(String name) {
        return histogram(name, Map.of());
    }

    /** The values that a histogram took in, of the series with some labels. */
    public NativeHistogram histogram(String name, Map<String, String> labels) {
        return after.histogram(name, labels).minus(before.histogram(name, labels));
    }

    /** From due to delivered, seconds. */
    public NativeHistogram endToEnd() {
        return histogram("kafka_canary_end_to_end_latency_seconds");
    }

    /** By how much a counter grew. */
    public double counted(String name, Map<String, String> labels) {
        return after.value(name, labels) - before.value(name, labels);
    }

    /** Probes that were due. */
    public double scheduled() {
        return counted("kafka_canary_probes_scheduled_total", Map.of());
    }

    /** Probes that ended so. */
    public double outcome(String outcome) {
        return counted("kafka_canary_probes_total", Map.of("outcome", outcome));
    }

    /** Bytes that its JVM allocated, as of the last collection. */
    public double allocatedBytes() {
        return counted("jvm_memory_pool_allocated_bytes_total", Map.of());
    }
}
