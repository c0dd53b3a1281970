/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter;

import io.phasewise.common.file.JarResource;
import io.phasewise.lab.kafka.KafkaVersion;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A metric that rules/kafka-broker.yml promises: a row of promised-metrics.csv. The integration
 * tests hold real brokers to that table, and the reference is printed from it.
 *
 * @param name of the series; {@code <phase>} stands for each of {@link #PHASES}
 * @param type as Prometheus' text format has it
 * @param labels that every series of it carries, no more and no less
 * @param least plausible value
 * @param most plausible value, infinite when there is no bound
 * @param presence where it is found
 * @param meaning for the reference: unit, what it counts
 */
record PromisedMetric(
        String name, String type, Set<String> labels, double least, double most, Presence presence, String meaning) {

    /** Where a metric is found. */
    enum Presence {
        /** Every broker, from 3.9 on. */
        ALWAYS(""),
        /** Kafka 4.x only. */
        SINCE_4("Kafka 4"),
        /** Kafka 4.x only, and there only the leader of the metadata quorum. */
        SINCE_4_QUORUM_LEADER("Kafka 4, active controller"),
        /** Only once what it counts has happened. */
        WHEN_IT_HAPPENED("once it happened"),
        /** As the one before, and Kafka 4.x has it from the start. */
        SINCE_4_ELSE_WHEN_IT_HAPPENED("before Kafka 4: once it happened"),
        /** Has no value (NaN) where there is nothing to average. */
        MAYBE_WITHOUT_VALUE("NaN without events"),
        /** Only where tiered storage is switched on. */
        TIERED("tiered storage");

        private final String note;

        Presence(String note) {
            this.note = note;
        }
    }

    /** Where the time of a request goes, in the order in which it does. */
    static final List<String> PHASES =
            List.of("requestqueue local remote throttle responsequeue responsesend total".split(" "));

    /** The table promised-metrics.csv. */
    static final List<PromisedMetric> ALL = JarResource.rows(PromisedMetric.class, "/promised-metrics.csv", 7).stream()
            .map(PromisedMetric::of)
            .toList();

    private static PromisedMetric of(String[] cells) {
        return new PromisedMetric(
                cells[0],
                cells[1],
                cells[2].isEmpty() ? Set.of() : Set.of(cells[2].split(" ")),
                cells[3].isEmpty() ? Double.NEGATIVE_INFINITY : Double.parseDouble(cells[3]),
                cells[4].isEmpty() ? Double.POSITIVE_INFINITY : Double.parseDouble(cells[4]),
                Presence.valueOf(cells[5].toUpperCase(Locale.ROOT)),
                cells[6]);
    }

    /** The names of the series of the whole table. */
    static Set<String> allNames() {
        return ALL.stream().flatMap(each -> each.names().stream()).collect(Collectors.toSet());
    }

    /** The names of the series, one unless it is one for each phase. */
    List<String> names() {
        return name.contains("<phase>")
                ? PHASES.stream().map(phase -> name.replace("<phase>", phase)).toList()
                : List.of(name);
    }

    /** Each of its series as the reference lists it. */
    Stream<OwnMetric> listed() {
        String note = presence.note.isEmpty() ? "" : " (" + presence.note + ")";
        String sorted = String.join(", ", new TreeSet<>(labels));
        return names().stream()
                .map(each -> new OwnMetric(each, type, sorted, Advice.unit(each), meaning + note, Advice.action(each)));
    }

    /** Whether a broker of this version must have it after a little traffic. */
    boolean isDueIn(KafkaVersion version) {
        return switch (presence) {
            case ALWAYS, WHEN_IT_HAPPENED, MAYBE_WITHOUT_VALUE, TIERED -> true;
            case SINCE_4, SINCE_4_QUORUM_LEADER, SINCE_4_ELSE_WHEN_IT_HAPPENED -> !version.isBefore4();
        };
    }

    /** On how many brokers it must be found, at least, where it is due. */
    int leastBrokers(int brokers) {
        return switch (presence) {
            case TIERED -> 0;
            case WHEN_IT_HAPPENED, SINCE_4_QUORUM_LEADER -> 1;
            default -> brokers;
        };
    }

    /** Whether the value makes sense. */
    boolean isPlausible(double value) {
        return presence == Presence.MAYBE_WITHOUT_VALUE && Double.isNaN(value) || value >= least && value <= most;
    }
}
