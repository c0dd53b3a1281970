/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One reading of /metrics in text form, for tests. */
record Scrape(String text, Map<String, Double> values) {
    private static final Pattern LINE =
            Pattern.compile("^(\\w+(?:\\{.*\\})?) (\\S+).*$", Pattern.MULTILINE);

    static Scrape of(String text) {
        Map<String, Double> values = new LinkedHashMap<>();
        Matcher matcher = LINE.matcher(text);
        while (matcher.find()) {
            values.put(
                    matcher.group(1),
                    Double.parseDouble(matcher.group(2).replace("Inf", "Infinity")));
        }
        return new Scrape(text, values);
    }

    /** Sum of the series of that name whose labels contain all of those, written as in the text. */
    double sum(String name, String... labels) {
        return values.entrySet().stream()
                .filter(e -> e.getKey().startsWith(name + "{"))
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
