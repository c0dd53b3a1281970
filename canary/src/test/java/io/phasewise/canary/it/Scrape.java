/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * One reading of /metrics in text form, or what grew between two; labels are asked for as {@code
 * name=value}.
 */
record Scrape(String text, NavigableMap<String, Double> values) {
    /** Tests poll: reading the text must not cost the machine what it is to measure. */
    static Scrape of(String text) {
        NavigableMap<String, Double> values = new TreeMap<>();
        text.lines().filter(line -> !line.startsWith("#")).forEach(line -> read(line, values));
        return new Scrape(text, values);
    }

    private static void read(String line, NavigableMap<String, Double> into) {
        int exemplar = line.indexOf(" # {");
        int labels = line.lastIndexOf("} ", exemplar < 0 ? line.length() : exemplar);
        int space = line.indexOf(' ', labels);
        int end = line.indexOf(' ', space + 1);
        String value = line.substring(space + 1, end < 0 ? line.length() : end);
        into.put(line.substring(0, space), Double.parseDouble(value.replace("Inf", "Infinity")));
    }

    /** What has been added to each series since then; the text is this one's. */
    Scrape since(Scrape earlier) {
        NavigableMap<String, Double> grown = new TreeMap<>(values);
        grown.replaceAll((series, value) -> value - earlier.values.getOrDefault(series, 0.0));
        return new Scrape(text, grown);
    }

    /** The series of that name, with their labels as in the text. */
    NavigableMap<String, Double> named(String name) {
        // '|' comes after '{'.
        return values.subMap(name + "{", true, name + "|", false);
    }

    /** Sum of the series of that name that have all of those labels; 0 where there are none. */
    double sum(String name, String... labels) {
        String[] written = Arrays.stream(labels).map(Scrape::written).toArray(String[]::new);
        return named(name).entrySet().stream()
                .filter(e -> Arrays.stream(written).allMatch(e.getKey()::contains))
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }

    /** As the text has it. */
    static String written(String label) {
        return label.replaceFirst("=", "=\"") + '"';
    }

    /** Probes that ended so: delivered, late, lost, send_failed. */
    double probes(String outcome, String... labels) {
        String[] all = Arrays.copyOf(labels, labels.length + 1);
        all[labels.length] = "outcome=" + outcome;
        return sum("kafka_canary_probes_total", all);
    }

    double inFlight(String... labels) {
        return sum("kafka_canary_probes_in_flight", labels);
    }

    /** Whether every scheduled probe is accounted for exactly once. */
    boolean conserved(String... labels) {
        return sum("kafka_canary_probes_scheduled_total", labels)
                == sum("kafka_canary_probes_total", labels) + inFlight(labels);
    }

    static String leader(int id) {
        return "leader=" + id;
    }
}
