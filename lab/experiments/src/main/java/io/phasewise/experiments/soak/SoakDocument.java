/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.soak;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.phasewise.lab.measure.Table;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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

    /** Whether nothing went otherwise than it should, and no probe was left without an outcome. */
    public boolean good() {
        return troubles.isEmpty() && unaccounted() == 0;
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
        return List.of(
                Drift.of("resident memory, MiB", samples, Sample::residentMebibytes),
                Drift.of("heap in use, MiB", samples, Sample::heapMebibytes),
                Drift.of("threads", samples, Sample::threads),
                Drift.of("file descriptors", samples, Sample::descriptors),
                Drift.of("series", samples, Sample::series),
                Drift.of("p99, ms", samples, Sample::p99));
    }

    /** The page. */
    public String markdown() {
        Table table =
                new Table(
                        "of the canary",
                        "second quarter",
                        "last quarter",
                        "change",
                        "least",
                        "most");
        for (Drift drift : drifts()) {
            table.row(
                    drift.what(),
                    number(drift.early()),
                    number(drift.late()),
                    drift.change(),
                    number(drift.least()),
                    number(drift.most()));
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
                + "\nFaults: "
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
