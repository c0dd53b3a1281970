/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.agent;

import io.phasewise.lab.measure.Table;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.commons.math3.stat.interval.ConfidenceInterval;
import org.apache.commons.math3.stat.interval.WilsonScoreInterval;

/**
 * Samples of the processor time of request handlers and network threads, by the part of the agent
 * that they were in.
 *
 * @param all number of samples, with those outside the agent
 * @param calls number of samples by the method of the agent that Kafka's classes call: its
 *     part, a dot, its name
 */
record HookSamples(long all, Map<String, Long> calls) {
    private static final String THREADS = "[data-plane-kafka-";
    private static final double CONFIDENCE = 0.95;

    /** The outermost frame of the agent, which Kafka called. */
    private static final Pattern CALL = Pattern.compile("io/phasewise/exporter/(\\w+)/\\w+\\.(\\w+)");

    /**
     * Reads async-profiler's collapsed stacks: frames from the thread to the innermost one, joined
     * by semicolons, then a space and the number of samples.
     */
    static HookSamples of(Stream<String> stacks) {
        Map<String, Long> calls = new TreeMap<>();
        long all = stacks.filter(stack -> stack.startsWith(THREADS))
                .mapToLong(stack -> {
                    int end = stack.lastIndexOf(' ');
                    long samples = Long.parseLong(stack.substring(end + 1));
                    Matcher call = CALL.matcher(stack).region(0, end);
                    if (call.find()) {
                        String name = call.group(1) + "." + call.group(2);
                        calls.merge(name, samples, Long::sum);
                    }
                    return samples;
                })
                .sum();
        return new HookSamples(all, calls);
    }

    /** These samples and others. */
    HookSamples plus(HookSamples others) {
        Map<String, Long> sums = new TreeMap<>(calls);
        others.calls.forEach((call, samples) -> sums.merge(call, samples, Long::sum));
        return new HookSamples(all + others.all, sums);
    }

    /**
     * Samples in calls that begin with this text; with an empty text, in all calls of the agent.
     */
    long of(String part) {
        return calls.entrySet().stream()
                .filter(call -> call.getKey().startsWith(part))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /**
     * Shares of the whole agent, of its parts and of each call.
     *
     * @param requests how many were handled meanwhile
     */
    Table table(double requests) {
        Table table = new Table("", "samples", "share", "95 % interval", "a request");
        Map<String, Long> rows = new LinkedHashMap<>();
        rows.put("all", all);
        rows.put("whole agent", of(""));
        rows.put("marks", of("marks."));
        rows.put("timing", of("timing."));
        rows.putAll(calls);
        rows.forEach((what, samples) -> {
            ConfidenceInterval interval = interval(samples);
            table.row(
                    what,
                    Long.toString(samples),
                    "%.3f %%".formatted(100 * samples / (double) all),
                    "%.3f to %.3f %%".formatted(100 * interval.getLowerBound(), 100 * interval.getUpperBound()),
                    "%.2f us".formatted(samples * Profiler.PERIOD_MICROS / requests));
        });
        return table;
    }

    /** Wilson's 95 % interval of a share of all samples, both ends from 0 to 1. */
    ConfidenceInterval interval(long samples) {
        return new WilsonScoreInterval().createInterval(Math.toIntExact(all), Math.toIntExact(samples), CONFIDENCE);
    }
}
