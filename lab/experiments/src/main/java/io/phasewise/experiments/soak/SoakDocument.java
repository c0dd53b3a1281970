/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.soak;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.phasewise.lab.measure.Table;
import java.util.List;
import java.util.Locale;

/**
 * A soak as JSON and as a page; pure.
 *
 * @param started when, in UTC
 * @param command that makes it
 * @param machine what it ran on
 * @param samples in order
 */
public record SoakDocument(String started, String command, String machine, List<Sample> samples) {

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
                                + " scheduled.%n%n",
                        last.minutes(),
                        samples.size(),
                        samples.stream().filter(s -> !s.during().isEmpty()).count(),
                        last.scheduled())
                + table;
    }

    private static String number(double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.0f", value);
    }
}
