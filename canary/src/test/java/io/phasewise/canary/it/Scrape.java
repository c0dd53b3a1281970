/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** One reading of /metrics in text form, for tests. */
record Scrape(String text, NavigableMap<String, Double> values) {
    /** Tests poll: reading the text must not cost the machine what it is to measure. */
    static Scrape of(String text) {
        NavigableMap<String, Double> values = new TreeMap<>();
        text.lines()
                .filter(line -> !line.startsWith("#"))
                .forEach(
                        line -> {
                            int space = line.indexOf(' ', line.lastIndexOf("} ", exemplar(line)));
                            int end = line.indexOf(' ', space + 1);
                            String value = line.substring(space + 1, end < 0 ? line.length() : end);
                            values.put(
                                    line.substring(0, space),
                                    Double.parseDouble(value.replace("Inf", "Infinity")));
                        });
        return new Scrape(text, values);
    }

    private static int exemplar(String line) {
        int exemplar = line.indexOf(" # {");
        return exemplar < 0 ? line.length() : exemplar;
    }

    /** Sum of the series of that name whose labels contain all of those, written as in the text. */
    double sum(String name, String... labels) {
        // '|' comes after '{'.
        return values.subMap(name + "{", name + "|").entrySet().stream()
                .filter(e -> List.of(labels).stream().allMatch(e.getKey()::contains))
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }

    /** Probes delivered while that broker led. */
    double delivered(int leader) {
        return sum("kafka_canary_probes_total", "outcome=\"delivered\"", leader(leader));
    }

    /** Whether every scheduled probe is accounted for exactly once. */
    boolean conserved(int leader) {
        return sum("kafka_canary_probes_scheduled_total", leader(leader))
                == sum("kafka_canary_probes_total", leader(leader))
                        + sum("kafka_canary_probes_in_flight", leader(leader));
    }

    static String leader(int id) {
        return "leader=\"" + id + "\"";
    }
}
