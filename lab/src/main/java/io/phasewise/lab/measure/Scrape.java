/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.measure;

import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The series of a /metrics page in its text form at one instant. Wherever labels are asked for,
 * each is {@code name="value"} as in the text, see {@link #label}.
 *
 * @param values by name with labels, as written
 */
public record Scrape(NavigableMap<String, Double> values) {

    /**
     * Reads a page. It is read while the machine is measured, so this costs little.
     *
     * @throws NumberFormatException when it is a page of something else
     */
    public static Scrape of(String text) {
        NavigableMap<String, Double> values = new TreeMap<>();
        text.lines().filter(line -> !line.startsWith("#") && !line.isBlank()).forEach(line -> read(line, values));
        return new Scrape(values);
    }

    private static void read(String line, Map<String, Double> values) {
        int exemplar = line.indexOf(" # {");
        int labelled = line.lastIndexOf("} ", exemplar < 0 ? line.length() : exemplar);
        int space = line.indexOf(' ', Math.max(0, labelled));
        if (space < 0) {
            throw new NumberFormatException("not a sample: " + line);
        }
        int end = line.indexOf(' ', space + 1);
        String value = line.substring(space + 1, end < 0 ? line.length() : end);
        values.put(line.substring(0, space), Double.parseDouble(value.replace("Inf", "Infinity")));
    }

    /** A label as the methods here want it. */
    public static String label(String name, Object value) {
        return name + "=\"" + value + "\"";
    }

    /** The series of that name that carry all labels. */
    public Stream<Map.Entry<String, Double>> find(String name, String... labels) {
        // '|' comes after '{'.
        return Stream.of(values.subMap(name, true, name, true), values.subMap(name + "{", name + "|"))
                .flatMap(series -> series.entrySet().stream())
                .filter(series -> List.of(labels).stream().allMatch(series.getKey()::contains));
    }

    /**
     * The sum over the series of that name that carry all labels; 0 where there are none, as of
     * what has not been counted yet.
     */
    public double sum(String name, String... labels) {
        return find(name, labels).mapToDouble(Map.Entry::getValue).sum();
    }

    /** How much such a sum grew since an earlier page. */
    public double grown(Scrape earlier, String name, String... labels) {
        return sum(name, labels) - earlier.sum(name, labels);
    }
}
