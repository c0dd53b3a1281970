/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.prometheus;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A series' value at one instant. */
public final class Sample {
    private final Map<String, String> labels;
    private final Instant time;
    private final double value;

    /**
     * @param labels without those that the expression drops
     * @param value may be NaN or infinite
     */
    public Sample(Map<String, String> labels, Instant time, double value) {
        this.labels = labels;
        this.time = time;
        this.value = value;
    }

    /**
     * The numbers of a series, as the API gives it. Native histograms are left out, as they are no
     * single value.
     *
     * @throws IOException when it has another shape
     */
    public static List<Sample> of(JsonNode series) throws IOException {
        Map<String, String> labels = labels(series);
        List<Sample> samples = new ArrayList<>();
        if (series.has("value")) {
            samples.add(of(labels, series.get("value")));
        }
        for (JsonNode pair : series.path("values")) {
            samples.add(of(labels, pair));
        }
        return samples;
    }

    private static Sample of(Map<String, String> labels, JsonNode pair) throws IOException {
        return new Sample(labels, time(pair), number(pair.path(1)));
    }

    /** The labels of a series, as the API gives it. */
    public static Map<String, String> labels(JsonNode series) {
        Map<String, String> labels = new LinkedHashMap<>();
        series.path("metric")
                .properties()
                .forEach(label -> labels.put(label.getKey(), label.getValue().asText()));
        return labels;
    }

    /**
     * When a sample is from: the first element of what the API gives.
     *
     * @throws IOException when it has another shape
     */
    public static Instant time(JsonNode sample) throws IOException {
        if (!sample.isArray() || !sample.path(0).isNumber()) {
            throw new IOException("unexpected answer: a sample without a time");
        }
        return Instant.ofEpochMilli(Math.round(1000 * sample.path(0).asDouble()));
    }

    /**
     * A number, which the API gives as text.
     *
     * @throws IOException when it is none
     */
    public static double number(JsonNode text) throws IOException {
        try {
            return Double.parseDouble(text.asText().replace("Inf", "Infinity"));
        } catch (NumberFormatException e) {
            throw new IOException("unexpected answer: " + text + " instead of a number", e);
        }
    }

    public Map<String, String> labels() {
        return labels;
    }

    public Instant time() {
        return time;
    }

    public double value() {
        return value;
    }

    @Override
    public String toString() {
        return labels + " " + value + " at " + time;
    }
}
