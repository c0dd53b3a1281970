/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter;

import io.phasewise.common.file.JarResource;
import java.util.List;
import java.util.regex.Pattern;

/** The columns of the reference that follow from a metric's name: the table metric-advice.csv. */
final class Advice {

    private static final List<String[]> RULES = JarResource.rows(Advice.class, "/metric-advice.csv", 3);

    private Advice() {}

    /** The unit of its value. */
    static String unit(String metric) {
        return first("unit", metric);
    }

    /** What to do when the value is high; empty where nothing follows from that. */
    static String action(String metric) {
        return metric.endsWith("timems_count") ? "" : first("action", metric);
    }

    private static String first(String column, String metric) {
        return RULES.stream()
                .filter(rule -> rule[0].equals(column))
                .filter(rule -> Pattern.compile(rule[1]).matcher(metric).find())
                .map(rule -> rule[2])
                .findFirst()
                .orElse("");
    }
}
