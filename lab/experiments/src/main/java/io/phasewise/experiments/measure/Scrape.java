/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.measure;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The series of a /metrics page in its text form at one instant.
 *
 * @param values by name with labels, as written
 */
public record Scrape(Map<String, Double> values) {
    private static final Pattern LINE =
            Pattern.compile("^([\\w:]+(?:\\{.*?\\})?) ([^\\s#]+)", Pattern.MULTILINE);

    /**
     * Reads a page.
     *
     * @throws NumberFormatException when it is a page of something else
     */
    public static Scrape of(String text) {
        Map<String, Double> values = new LinkedHashMap<>();
        Matcher matcher = LINE.matcher(text);
        while (matcher.find()) {
            values.put(
                    matcher.group(1),
                    Double.parseDouble(matcher.group(2).replace("Inf", "Infinity")));
        }
        return new Scrape(values);
    }

    /**
     * The sum over the series of that name that carry all labels, each {@code name="value"}; 0
     * where there are none, as of what has not been counted yet.
     */
    public double sum(String name, String... labels) {
        double sum = 0;
        for (Map.Entry<String, Double> series : values.entrySet()) {
            String key = series.getKey();
            boolean named = key.equals(name) || key.startsWith(name + "{");
            if (named && List.of(labels).stream().allMatch(key::contains)) {
                sum += series.getValue();
            }
        }
        return sum;
    }

    /** How much such a sum grew since an earlier page. */
    public double grown(Scrape earlier, String name, String... labels) {
        return sum(name, labels) - earlier.sum(name, labels);
    }
}
