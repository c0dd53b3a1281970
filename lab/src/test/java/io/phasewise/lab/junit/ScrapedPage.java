/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.junit;

import io.phasewise.lab.measure.Scrape;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A /metrics page for tests: single series, their labels and types. Labels are given in the form of
 * {@link Scrape}.
 *
 * @param text the page
 * @param scrape its series
 */
public record ScrapedPage(String text, Scrape scrape) {
    private static final Pattern LABEL = Pattern.compile("([a-zA-Z_]\\w*)=\"((?:[^\"\\\\]|\\\\.)*)\"");

    /** One line: a series and its value. */
    public record Sample(String name, Map<String, String> labels, double value) {}

    /**
     * Reads a page.
     *
     * @throws NumberFormatException when it is not such a page
     */
    public static ScrapedPage of(String text) {
        return new ScrapedPage(text, Scrape.of(text));
    }

    /** As {@link Scrape#sum}. */
    public double sum(String name, String... labels) {
        return scrape.sum(name, labels);
    }

    /** As {@link Scrape#grown}. */
    public double grown(ScrapedPage earlier, String name, String... labels) {
        return scrape.grown(earlier.scrape, name, labels);
    }

    /**
     * The value of the one series of that name that has all these labels.
     *
     * @throws AssertionError when there is none or more than one; tests can wait for that to change
     */
    public double value(String name, String... labels) {
        List<Double> found = scrape.find(name, labels).map(Map.Entry::getValue).collect(Collectors.toList());
        if (found.size() != 1) {
            throw new AssertionError(name + List.of(labels) + " is there " + found.size() + " times");
        }
        return found.get(0);
    }

    /** All series of a name; empty when there is none. */
    public List<Sample> named(String name) {
        return scrape.find(name).map(ScrapedPage::sample).toList();
    }

    /** All series, in the order of their names. */
    public List<Sample> samples() {
        return scrape.values().entrySet().stream().map(ScrapedPage::sample).toList();
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

    /** The type of the series of this name on the page; {@code none} when it has none. */
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

    /** The names of all series that begin with a prefix, sorted. */
    public Set<String> names(String prefix) {
        return samples().stream()
                .map(Sample::name)
                .filter(name -> name.startsWith(prefix))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
