/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.series;

import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What a registry says when it is scraped, for tests. */
public final class ScrapedSeries {
    private static final Pattern LINE = Pattern.compile("^(\\w+)(?:\\{(.*?)})? (\\S+)", Pattern.MULTILINE);
    private static final Set<String> COMMON = Set.of("cluster=prod", "profile=default");

    private ScrapedSeries() {}

    /** As OpenMetrics. */
    public static String text(PrometheusRegistry registry) {
        return OpenMetricsTextFormatWriter.create().toDebugString(registry.scrape());
    }

    /**
     * The values by name and labels: {@code a{leader=1}}, without those of cluster prod and profile
     * default.
     */
    public static Map<String, Double> values(PrometheusRegistry registry) {
        Map<String, Double> values = new TreeMap<>();
        LINE.matcher(text(registry)).results().forEach(line -> {
            String labels = line.group(2) == null ? "" : line.group(2);
            String own = Arrays.stream(labels.replace("\"", "").split(","))
                    .filter(label -> !COMMON.contains(label))
                    .collect(Collectors.joining(",", "{", "}"));
            values.put(line.group(1) + own, Double.valueOf(line.group(3)));
        });
        return values;
    }
}
