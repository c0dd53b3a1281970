/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.soak;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.phasewise.lab.measure.Table;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
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
 * @param samples in order, {@link #LEAST_SAMPLES} or more
 * @param troubles what went otherwise than it should have
 */
public record SoakDocument(
        String started,
        String command,
        String machine,
        List<Sample> samples,
        List<String> troubles) {
    /** Quarters of them are compared. */
    public static final int LEAST_SAMPLES = 10;

    /**
     * Whether nothing went otherwise than it should, no probe was left without an outcome and no
     * figure grew beyond its limit.
     */
    public boolean good() {
        return troubles.isEmpty() && unaccounted() == 0 && drifts().stream().allMatch(Drift::kept);
    }

    /** Reads what {@link #json} wrote; runs that asked no broker have no figures of them. */
    public static SoakDocument read(String json) throws JsonProcessingException {
        return new ObjectMapper().readValue(json, SoakDocument.class);
    }

    /** Probes that no page of the last quarter accounts for; one page alone may miss one. */
    private long unaccounted() {
        return samples.subList(samples.size() - samples.size() / 4, samples.size()).stream()
                .mapToLong(sample -> Math.max(0, sample.unaccounted()))
                .min()
                .orElse(0);
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
                                + " scheduled, %d neither in flight nor with an outcome at"
                                + " the end.%n%n",
                        last.minutes(),
                        samples.size(),
                        samples.stream().filter(s -> !s.during().isEmpty()).count(),
                        last.scheduled(),
                        unaccounted())
                + table
                + "\nMedians of a quarter of the samples. "
                + (samples.stream().allMatch(sample -> sample.brokers().isEmpty())
                        ? "Brokers were not asked."
                        : "Brokers were started "
                                + restarts()
                                + " times by faults; their figures begin anew with that, so that"
                                + " growth is of the time since.")
                + " Faults that need other brokers (clocks, permissions) or Prometheus are not"
                + " among these.\n\nFaults: "
                + faults()
                + ".\n"
                + (troubles.isEmpty() ? "" : "\nTroubles:\n\n" + bullets(troubles));
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
