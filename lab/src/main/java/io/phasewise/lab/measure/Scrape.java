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
 * The series of a /metrics page in the text format. Labels are given as {@code name="value"}, as in
 * the text; see {@link #label}.
 *
 * @param values by series: name with labels, as on the page
 */
public record Scrape(NavigableMap<String, Double> values) {

    /**
     * Reads a page. This costs little, as it happens while the machine is measured.
     *
     * @throws NumberFormatException when it is not such a page
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

    /** A label in the form of the methods of this class. */
    public static String label(String name, Object value) {
        return name + "=\"" + value + "\"";
    }

    /** The series of that name that have all these labels. */
    public Stream<Map.Entry<String, Double>> find(String name, String... labels) {
        // '|' is the character after '{'.
        return Stream.of(values.subMap(name, true, name, true), values.subMap(name + "{", name + "|"))
                .flatMap(series -> series.entrySet().stream())
                .filter(series -> List.of(labels).stream().allMatch(series.getKey()::contains));
    }

    /**
     * The sum over the series of that name that have all these labels; 0 when there are none: a
     * counter may not exist before its first event.
     */
    public double sum(String name, String... labels) {
        return find(name, labels).mapToDouble(Map.Entry::getValue).sum();
    }

    /** By how much that sum grew since an earlier page. */
    public double grown(Scrape earlier, String name, String... labels) {
        return sum(name, labels) - earlier.sum(name, labels);
    }
}
