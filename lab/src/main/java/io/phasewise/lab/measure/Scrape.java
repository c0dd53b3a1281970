/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.measure;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The series of a /metrics page in its text form at one instant. Wherever labels are asked for,
 * each is {@code name="value"} as in the text, see {@link #label}.
 *
 * @param text the page
 * @param values by name with labels, as written
 */
public record Scrape(String text, NavigableMap<String, Double> values) {

    private static final Pattern LABEL =
            Pattern.compile("([a-zA-Z_]\\w*)=\"((?:[^\"\\\\]|\\\\.)*)\"");

    /** One line: a series and its value. */
    public record Sample(String name, Map<String, String> labels, double value) {}

    /**
     * Reads a page. It is read while the machine is measured, so this costs little.
     *
     * @throws NumberFormatException when it is a page of something else
     */
    public static Scrape of(String text) {
        NavigableMap<String, Double> values = new TreeMap<>();
        text.lines()
                .filter(line -> !line.startsWith("#") && !line.isBlank())
                .forEach(line -> read(line, values));
        return new Scrape(text, values);
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

    private Stream<Map.Entry<String, Double>> find(String name, String... labels) {
        // '|' comes after '{'.
        return Stream.of(
                        values.subMap(name, true, name, true),
                        values.subMap(name + "{", name + "|"))
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

    /**
     * The value of the one series of that name that carries all labels.
     *
     * @throws AssertionError when there is none or more than one, for tests that wait
     */
    public double value(String name, String... labels) {
        List<Map.Entry<String, Double>> found = find(name, labels).toList();
        if (found.size() != 1) {
            throw new AssertionError(
                    name + List.of(labels) + " is there " + found.size() + " times");
        }
        return found.get(0).getValue();
    }

    /** All series of a name; empty when there is none. */
    public List<Sample> named(String name) {
        return find(name).map(Scrape::sample).toList();
    }

    /** All series, in the order of their names. */
    public List<Sample> samples() {
        return values.entrySet().stream().map(Scrape::sample).toList();
    }

    private static Sample sample(Map.Entry<String, Double> series) {
        String[] nameAndLabels = series.getKey().split("\\{", 2);
        Map<String, String> labels = new LinkedHashMap<>();
        if (nameAndLabels.length > 1) {
            Matcher label = LABEL.matcher(nameAndLabels[1]);
            while (label.find()) {
                labels.put(label.group(1), label.group(2));
            }
        }
        return new Sample(nameAndLabels[0], labels, series.getValue());
    }

    /** The type that the page gives the series of this name; {@code none} where it gives none. */
    public String type(String name) {
        String family = name.replaceFirst("_(count|sum|bucket)$", "");
        return declared(name).or(() -> declared(family)).orElse("none");
    }

    private Optional<String> declared(String family) {
        String type = "# TYPE " + family + " ";
        return text.lines()
                .filter(line -> line.startsWith(type))
                .map(line -> line.substring(type.length()))
                .findFirst();
    }

    /** Names of all series that begin with the prefix, sorted. */
    public Set<String> names(String prefix) {
        Set<String> names = new TreeSet<>();
        values.subMap(prefix, prefix + Character.MAX_VALUE)
                .keySet()
                .forEach(series -> names.add(series.split("\\{", 2)[0]));
        return names;
    }
}
