/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.soak;

import io.phasewise.experiments.measure.CanaryProcess;
import io.phasewise.experiments.measure.Scrape;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The canary and the brokers at one moment of a soak.
 *
 * @param minutes since its start
 * @param during what was broken since the sample before; empty for nothing
 * @param memoryMebibytes memory of the process, see {@link ProcessStatus}
 * @param heapMebibytes used, not collected beforehand
 * @param threads of the process
 * @param descriptors open files and sockets
 * @param series on its /metrics
 * @param p99 of probes since the sample before, milliseconds, to the width of a classic bucket; NaN
 *     where there was none
 * @param scheduled probes so far
 * @param unaccounted probes scheduled that have no outcome and are not in flight; below 0 where
 *     there are more outcomes than probes. One that ends while the page is written may be one
 * @param brokers those that answered
 */
public record Sample(
        double minutes,
        String during,
        long memoryMebibytes,
        long heapMebibytes,
        long threads,
        long descriptors,
        long series,
        double p99,
        long scheduled,
        long unaccounted,
        List<BrokerSample> brokers) {
    private static final String LATENCY = "kafka_canary_end_to_end_latency_seconds_bucket";
    private static final Pattern BOUND = Pattern.compile("[{,]le=\"([^\"]+)\"");

    public Sample {
        brokers = List.copyOf(brokers);
    }

    static Sample of(
            CanaryProcess canary,
            List<BrokerSample> brokers,
            Scrape earlier,
            Scrape now,
            double minutes,
            String during)
            throws IOException {
        long scheduled = Math.round(now.sum("kafka_canary_probes_scheduled_total"));
        return new Sample(
                minutes,
                during,
                ProcessStatus.of(canary.process().pid()).memoryMebibytes(),
                Math.round(now.sum("jvm_memory_used_bytes", "area=\"heap\"") / (1 << 20)),
                Math.round(now.sum("jvm_threads_current")),
                Math.round(now.sum("process_open_fds")),
                now.values().size(),
                p99(earlier, now),
                scheduled,
                scheduled
                        - Math.round(
                                now.sum("kafka_canary_probes_total")
                                        + now.sum("kafka_canary_probes_in_flight")),
                brokers);
    }

    /** The greatest figure of any broker; NaN where none could be asked. */
    double mostOfBrokers(ToDoubleFunction<BrokerSample> figure) {
        return brokers.stream().mapToDouble(figure).max().orElse(Double.NaN);
    }

    /** The upper bound of the bucket that holds the 99th percentile of what came since. */
    static double p99(Scrape earlier, Scrape now) {
        Map<Double, Double> upTo = new TreeMap<>();
        now.values()
                .forEach(
                        (series, count) -> {
                            Matcher bound = BOUND.matcher(series);
                            if (series.startsWith(LATENCY + "{") && bound.find()) {
                                double le =
                                        Double.parseDouble(
                                                bound.group(1).replace("Inf", "Infinity"));
                                double more = count - earlier.values().getOrDefault(series, 0.0);
                                upTo.merge(le, more, Double::sum);
                            }
                        });
        double all = upTo.getOrDefault(Double.POSITIVE_INFINITY, 0.0);
        return upTo.entrySet().stream()
                .filter(bucket -> all > 0 && bucket.getValue() >= 0.99 * all)
                .mapToDouble(bucket -> bucket.getKey() * 1e3)
                .findFirst()
                .orElse(Double.NaN);
    }
}
