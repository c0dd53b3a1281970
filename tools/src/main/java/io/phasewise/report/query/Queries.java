/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.query;

import io.phasewise.common.file.JarResource;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The PromQL of a review: the queries of {@code queries.properties}, filled with what they are
 * asked about.
 */
public final class Queries {

    private static final Pattern PLACE = Pattern.compile("\\$([a-z]+)");

    /** The rules and the dashboards read no other jobs either. */
    static final String CANARY_JOB = "kafka-canary";

    private static final String OF_CANARY = "job=\"" + CANARY_JOB + "\",";
    private static final String OF_BROKER = "job=\"kafka-broker\",broker!=\"\",";
    private static final String OF_NODE = "job=~\"kafka-broker|kafka-controller\",broker!=\"\",";

    /** The labels that tell one canary from another, whichever server scraped it. */
    private static final String ONE_CANARY = "site, instance";

    /** The time between two samples of a counter where there is very much to read. */
    private static final Duration SELDOM = Duration.ofMinutes(30);

    private final Map<String, String> queries = JarResource.properties(Queries.class, "queries.properties");
    private final Map<String, String> matchers;

    private Queries(Map<String, String> matchers) {
        this.matchers = matchers;
    }

    public static Queries of(Question question) {
        String cluster = "cluster=" + quoted(question.cluster());
        String profile = cluster + ",profile=" + quoted(question.profile());
        String site = question.site().map(name -> ",site=" + quoted(name)).orElse("");
        return new Queries(Map.of(
                "cluster", cluster,
                "profile", profile,
                "sites", OF_CANARY + profile,
                "canary", OF_CANARY + profile + site,
                "recorded", profile + site,
                "one", ONE_CANARY,
                "brokers", OF_BROKER + cluster,
                "nodes", OF_NODE + cluster));
    }

    public static Queries of(FleetQuestion question) {
        String clusters = "cluster!=\"\",cluster=~" + quoted(question.pattern());
        return new Queries(Map.of("cluster", clusters, "brokers", OF_BROKER + clusters));
    }

    /** A selector, which is the same for every block. */
    public String selector(String name) {
        return filled(name, matchers);
    }

    /**
     * A query about each block of a window.
     *
     * @param form of the histograms; where it matters, there is a query for each
     */
    String blocks(String name, Window window, Form form) {
        Duration block = window.block();
        Map<String, String> values = new HashMap<>(matchers);
        values.put("block", duration(block));
        values.put("seconds", Long.toString(block.toSeconds()));
        values.put("counter", counterRange(window, form));
        // A second less: Prometheus 2 would count the rate at the block's begin as well.
        values.put("five", duration(block.minusSeconds(1)) + ":5m");
        return filled(named(name, form), values);
    }

    /** A query about a stretch of time. */
    String range(String name, Duration range, Form form) {
        Map<String, String> values = new HashMap<>(matchers);
        values.put("range", duration(range));
        return filled(named(name, form), values);
    }

    /** The name of the query for a form, or the name itself where one query serves all forms. */
    String named(String name, Form form) {
        String recorded = name + (form.recorded() ? ".recorded" : ".raw");
        String whole = recorded + (form.isNative() ? ".native" : ".classic");
        return queries.containsKey(whole) ? whole : queries.containsKey(recorded) ? recorded : name;
    }

    private String filled(String name, Map<String, String> values) {
        return PLACE.matcher(queries.get(name))
                .replaceAll(place -> Matcher.quoteReplacement(values.get(place.group(1))));
    }

    /** A string literal of PromQL. */
    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
    }

    public static String duration(Duration duration) {
        return duration.toSeconds() + "s";
    }

    /**
     * The range over which a counter's rate is that of a block. For long windows of many brokers
     * the counter is sampled every 30 minutes, from the block's begin to its end. After a reset, up
     * to 30 minutes of increase are missed.
     */
    static String counterRange(Window window, Form form) {
        Duration block = window.block();
        if (!form.recorded()) {
            return duration(block);
        }
        Duration step = block.compareTo(SELDOM) < 0 ? block : SELDOM;
        // A second less: Prometheus 2 would read one value more.
        return duration(block.plus(step).minusSeconds(1)) + ":" + duration(step);
    }
}
