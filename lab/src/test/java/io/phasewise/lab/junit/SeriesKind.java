/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.junit;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * What the number of series grows with, and the cardinality budget: how many series each kind may
 * have. The bounds are about a tenth above what was measured; see docs/reference/sizing.md.
 */
public enum SeriesKind {
    /** For each broker's exporter, whatever the broker does. */
    BROKER("broker", 500, 1_750, "instance"),
    /** For each of the busiest topics of a broker ({@code topics.top}). */
    TOPIC("busy topic of a broker", 7, 7, "instance topic"),
    /** For each client that pushes to a broker ({@code clients.top}). */
    CLIENT("client that pushes to a broker", 16, 16, "instance client_id group software_name software_version"),
    /** For each canary's process. */
    CANARY("canary", 115, 190, "instance"),
    /** For each profile of each cluster that a canary measures. */
    PROFILE("cluster and profile of a canary", 260, 470, "instance cluster profile"),
    /** For each leader to which a profile sends probes. */
    LEADER("leader of these", 132, 630, "instance cluster profile leader"),
    /** Recorded by rules, for each profile of each cluster. */
    RECORDED_PROFILE("recorded: cluster and profile", 225, 1_100, "cluster profile"),
    /** Recorded by rules, for each leader of a profile. */
    RECORDED_LEADER("recorded: leader of these", 125, 1_000, "cluster profile leader"),
    /** Recorded by rules, for each broker. */
    RECORDED_BROKER("recorded: broker", 50, 50, "cluster broker");

    /** Ids of nodes have up to nine digits here; a larger or a negative number is no broker. */
    private static final Pattern BROKER_NODE = Pattern.compile("node-\\d{1,9}");

    private final String title;
    private final int budget;
    private final int classicBudget;
    private final List<String> unit;

    SeriesKind(String title, int budget, int classicBudget, String unit) {
        this.title = title;
        this.budget = budget;
        this.classicBudget = classicBudget;
        this.unit = List.of(unit.split(" "));
    }

    /** What the kind grows with, in a few words. */
    public String title() {
        return title;
    }

    /**
     * How many series one more of it may add.
     *
     * @param classic without native histograms: then each bucket is a series
     */
    public int budget(boolean classic) {
        return classic ? classicBudget : budget;
    }

    /** Whether it is recorded by rules, not scraped. */
    public boolean isRecorded() {
        return name().startsWith("RECORDED_");
    }

    /** The labels that distinguish one from another. */
    public List<String> unit() {
        return unit;
    }

    /** Which one this series belongs to; empty when its labels do not say. */
    public Optional<Map<String, String>> unitOf(Map<String, String> labels) {
        Map<String, String> values = new TreeMap<>();
        for (String label : unit) {
            values.put(label, labels.getOrDefault(label, ""));
        }
        // The last label decides; clients may omit any.
        boolean told = this == CLIENT || !values.get(unit.get(unit.size() - 1)).isEmpty();
        return told ? Optional.of(values) : Optional.empty();
    }

    /**
     * The kind of a series.
     *
     * @param labels with {@code __name__}
     * @return empty when it belongs neither to a canary nor to a broker, and is not recorded
     *     from these
     */
    public static Optional<SeriesKind> of(Map<String, String> labels) {
        String name = labels.getOrDefault("__name__", "");
        if (name.startsWith("kafka_canary:") || name.startsWith("kafka_broker:")) {
            return Optional.of(recorded(labels));
        }
        return switch (labels.getOrDefault("job", "")) {
            case "kafka-broker" -> Optional.of(broker(name, labels));
            case "kafka-canary" -> Optional.of(canary(labels));
            default -> Optional.empty();
        };
    }

    private static SeriesKind recorded(Map<String, String> labels) {
        if (labels.containsKey("leader")) {
            return RECORDED_LEADER;
        }
        return labels.containsKey("broker") ? RECORDED_BROKER : RECORDED_PROFILE;
    }

    private static SeriesKind broker(String name, Map<String, String> labels) {
        if (name.startsWith("kafka_client_")) {
            return CLIENT;
        }
        return labels.containsKey("topic") ? TOPIC : BROKER;
    }

    private static SeriesKind canary(Map<String, String> labels) {
        if (!labels.containsKey("cluster")) {
            return CANARY;
        }
        boolean ofLeader = labels.containsKey("leader")
                || labels.containsKey("broker")
                || labels.containsKey("partition")
                || BROKER_NODE.matcher(labels.getOrDefault("node_id", "")).matches();
        return ofLeader ? LEADER : PROFILE;
    }
}
