/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.series;

import static java.util.stream.Collectors.toMap;

import io.phasewise.common.file.JarResource;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A series as {@code series.csv} declares it.
 *
 * @param name as it is exported, a counter's with {@code _total}
 * @param type histogram, native histogram, counter or gauge
 * @param labels their names, in the order of their values; without those that all series carry
 * @param help a sentence or more
 * @param whenHigh what to do when the value is high; may be empty
 */
record Series(String name, String type, List<String> labels, String help, String whenHigh) {
    private static final int COLUMNS = 5;

    /** All there are, by name, in the order of the reference. */
    static Map<String, Series> declared() {
        return JarResource.text(Series.class, "series.csv")
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(Series::parse)
                .collect(toMap(Series::name, each -> each, (a, b) -> a, LinkedHashMap::new));
    }

    private static Series parse(String line) {
        String[] cells = line.split("\\|", COLUMNS);
        List<String> labels = Arrays.stream(cells[2].split(","))
                .map(String::strip)
                .filter(label -> !label.isEmpty())
                .toList();
        return new Series(cells[0].strip(), cells[1].strip(), labels, cells[3].strip(), cells[4].strip());
    }

    /** As Prometheus's client has it: it adds a counter's {@code _total} itself. */
    MetricMetadata metadata() {
        return new MetricMetadata(name.replaceFirst("_total$", ""), help);
    }

    boolean isCounter() {
        return type.equals("counter");
    }
}
