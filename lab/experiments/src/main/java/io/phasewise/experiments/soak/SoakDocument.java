/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.soak;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.phasewise.experiments.matrix.Setup;
import io.phasewise.lab.measure.Table;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * A soak as JSON and as a page; pure.
 *
 * @param started when, in UTC
 * @param command that makes it
 * @param machine what it ran on
 * @param setup of brokers and canary
 * @param samples in order, {@link #LEAST_SAMPLES} or more
 * @param leftOut faults that were not made, with the reason of each
 * @param troubles what went otherwise than it should have
 */
public record SoakDocument(
        String started,
        String command,
        String machine,
        Setup setup,
        List<Sample> samples,
        Map<String, String> leftOut,
        List<String> troubles) {
    /** Quarters of them are compared. */
    public static final int LEAST_SAMPLES = 10;

    public SoakDocument {
        leftOut = Collections.unmodifiableMap(new LinkedHashMap<>(leftOut));
        troubles = List.copyOf(troubles);
    }

    /**
     * Whether nothing went otherwise than it should, every probe had one outcome and no figure grew
     * beyond its limit.
     */
    public boolean good() {
        return troubles.isEmpty() && unaccounted() == 0 && drifts().stream().allMatch(Drift::kept);
    }

    /**
     * Probes that every page of the last quarter lacks, or, below 0, outcomes that every one has
     * too many; 0 where some page adds up or they do not agree, for one page alone may be off by
     * one.
     */
    private long unaccounted() {
        LongSummaryStatistics off =
                samples.subList(samples.size() - samples.size() / 4, samples.size()).stream()
                        .mapToLong(Sample::unaccounted)
                        .summaryStatistics();
        return Math.max(0, off.getMin()) + Math.min(0, off.getMax());
    }

    /** All of it, for programs. */
    public String json() {
        try {
            return new ObjectMapper()
                            .enable(SerializationFeature.INDENT_OUTPUT)
                            .writeValueAsString(this)
                    + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** How each figure changed. */
    public List<Drift> drifts() {
        List<Drift> drifts = new ArrayList<>();
        drifts.add(drift("memory, MiB", Sample::memoryMebibytes, Limit.of(0.1, 16)));
        drifts.add(drift("heap in use, MiB, uncollected", Sample::heapMebibytes, Limit.NONE));
        drifts.add(drift("threads", Sample::threads, Limit.of(0, 4)));
        drifts.add(drift("file descriptors", Sample::descriptors, Limit.of(0.1, 8)));
        drifts.add(drift("series", Sample::series, Limit.of(0.01, 0)));
        drifts.add(drift("p99, ms, upper bound of its bucket", Sample::p99, Limit.NONE));
        if (samples.stream().anyMatch(sample -> !sample.brokers().isEmpty())) {
            drifts.add(ofBrokers("memory, MiB", BrokerSample::memoryMebibytes, Limit.of(0.1, 32)));
            drifts.add(ofBrokers("threads", BrokerSample::threads, Limit.of(0, 8)));
            drifts.add(ofBrokers("series", BrokerSample::series, Limit.of(0.05, 0)));
            drifts.add(ofBrokers("scrape, ms", BrokerSample::scrapeMillis, Limit.of(1, 50)));
        }
        return drifts;
    }

    private Drift drift(String what, ToDoubleFunction<Sample> figure, Optional<Limit> limit) {
        return Drift.of("canary: " + what, samples, figure, limit);
    }

    private Drift ofBrokers(
            String what, ToDoubleFunction<BrokerSample> figure, Optional<Limit> limit) {
        return Drift.of(
                "broker with the most: " + what,
                samples,
                sample -> sample.mostOfBrokers(figure),
                limit);
    }

    /** How often a broker had another process than in the sample before. */
    private long restarts() {
        Map<Integer, Long> pids = new HashMap<>();
        long restarts = 0;
        for (Sample sample : samples) {
            for (BrokerSample broker : sample.brokers()) {
                Long before = pids.put(broker.id(), broker.pid());
                restarts += before == null || before == broker.pid() ? 0 : 1;
            }
        }
        return restarts;
    }

    /** The page. */
    public String markdown() {
        Table table =
                new Table(
                        "of the",
                        "second quarter",
                        "last quarter",
                        "change",
                        "least",
                        "most",
                        "may grow by",
                        "verdict");
        for (Drift drift : drifts()) {
            table.row(
                    drift.what(),
                    number(drift.early()),
                    number(drift.late()),
                    drift.change(),
                    number(drift.least()),
                    number(drift.most()),
                    drift.limit().map(Limit::toString).orElse("not judged"),
                    drift.limit().isEmpty() ? "" : drift.kept() ? "good" : "too much");
        }
        Sample last = samples.get(samples.size() - 1);
        return "# soak\n\n```\n"
                + command
                + "\n```\n\nRun of "
                + started
                + " on "
                + machine
                + String.format(
                        Locale.ROOT,
                        ": %.0f minutes, %d samples, %d of them with a fault, %d probes"
                                + " scheduled, %s.%n%n",
                        last.minutes(),
                        samples.size(),
                        samples.stream().filter(s -> !s.during().isEmpty()).count(),
                        last.scheduled(),
                        conservation())
                + (setup.line().isEmpty() ? "" : "With " + setup.line() + ".\n\n")
                + table
                + "\nMedians of a quarter of the samples. "
                + (samples.stream().allMatch(sample -> sample.brokers().isEmpty())
                        ? "Brokers were not asked."
                        : "Brokers were started "
                                + restarts()
                                + " times by faults; their figures begin anew with that, so that"
                                + " growth is of the time since.")
                + "\n\nFaults: "
                + faults()
                + ".\n"
                + (leftOut.isEmpty() ? "" : "\nLeft out:\n\n" + bullets(reasons()))
                + (troubles.isEmpty() ? "" : "\nTroubles:\n\n" + bullets(troubles));
    }

    private String conservation() {
        long off = unaccounted();
        return off < 0
                ? -off + " more outcomes at the end than probes were scheduled"
                : off + " neither in flight nor with an outcome at the end";
    }

    private List<String> reasons() {
        return leftOut.entrySet().stream().map(e -> e.getKey() + ": " + e.getValue()).toList();
    }

    /** How often each was made, in the order of their first. */
    private String faults() {
        Map<String, Long> times =
                samples.stream()
                        .map(Sample::during)
                        .filter(name -> !name.isEmpty())
                        .collect(
                                Collectors.groupingBy(
                                        name -> name, LinkedHashMap::new, Collectors.counting()));
        return times.isEmpty()
                ? "none"
                : times.entrySet().stream()
                        .map(fault -> fault.getKey() + " " + fault.getValue())
                        .collect(Collectors.joining(", "));
    }

    private static String bullets(List<String> lines) {
        return lines.stream().map(line -> "- " + line + "\n").collect(Collectors.joining());
    }

    private static String number(double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.0f", value);
    }
}
