/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What one scrape returned: reads Prometheus' text format as far as the tests of an exporter need
 * it. Fetching it is left to {@link ExportingCluster}.
 *
 * @param samples in the order of the text
 * @param types by metric family, in lower case as in the text
 */
public record Scrape(List<Sample> samples, Map<String, String> types) {

    /** One line: a series and its value. */
    public record Sample(String name, Map<String, String> labels, double value) {}

    private static final Pattern TYPE = Pattern.compile("# TYPE (\\S+) (\\S+)");
    private static final Pattern SERIES = Pattern.compile("([a-zA-Z_:][\\w:]*)(\\{.*})? (\\S+)");
    private static final Pattern LABEL =
            Pattern.compile("([a-zA-Z_]\\w*)=\"((?:[^\"\\\\]|\\\\.)*)\"");

    /**
     * Reads the text.
     *
     * @throws IllegalArgumentException for a line that is neither a comment nor a sample
     */
    public static Scrape parse(String text) {
        List<Sample> samples = new ArrayList<>();
        Map<String, String> types = new HashMap<>();
        for (String line : text.split("\n")) {
            Matcher type = TYPE.matcher(line);
            if (type.matches()) {
                types.put(type.group(1), type.group(2));
            } else if (!line.isBlank() && !line.startsWith("#")) {
                samples.add(sample(line));
            }
        }
        return new Scrape(List.copyOf(samples), Map.copyOf(types));
    }

    private static Sample sample(String line) {
        Matcher series = SERIES.matcher(line);
        if (!series.matches()) {
            throw new IllegalArgumentException("not a sample: " + line);
        }
        Map<String, String> labels = new LinkedHashMap<>();
        if (series.group(2) != null) {
            Matcher label = LABEL.matcher(series.group(2));
            while (label.find()) {
                labels.put(label.group(1), label.group(2));
            }
        }
        return new Sample(series.group(1), labels, Double.parseDouble(series.group(3)));
    }

    /** All series of a name; empty when there is none. */
    public List<Sample> named(String name) {
        return samples.stream().filter(sample -> sample.name().equals(name)).toList();
    }

    /**
     * The value of the one series that has the name and, among others, these labels.
     *
     * @param labels name, value, name, value, ...
     * @throws AssertionError when there is none or more than one
     */
    double value(String name, String... labels) {
        Map<String, String> wanted = new TreeMap<>();
        for (int i = 0; i < labels.length; i += 2) {
            wanted.put(labels[i], labels[i + 1]);
        }
        List<Sample> found =
                named(name).stream()
                        .filter(sample -> sample.labels().entrySet().containsAll(wanted.entrySet()))
                        .toList();
        if (found.size() != 1) {
            throw new AssertionError(name + wanted + " is there " + found.size() + " times");
        }
        return found.get(0).value();
    }

    /** The type that the text gives the series of this name. */
    String type(String name) {
        String family = name;
        if (!types.containsKey(family)) {
            family = name.replaceFirst("_(count|sum|bucket)$", "");
        }
        return types.getOrDefault(family, "none");
    }

    /** Names of all series that begin with the prefix, sorted. */
    TreeSet<String> names(String prefix) {
        TreeSet<String> names = new TreeSet<>();
        for (Sample sample : samples) {
            if (sample.name().startsWith(prefix)) {
                names.add(sample.name());
            }
        }
        return names;
    }
}
