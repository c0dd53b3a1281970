/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix.row;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.phasewise.common.file.JarResource;
import io.phasewise.experiments.cluster.ClusterSpec;
import io.phasewise.experiments.declared.Allowed;
import io.phasewise.experiments.declared.Declaration;
import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.fault.kinds.FaultKinds;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One row of the fault matrix: a fault, and what must be seen of it. Each is a file of {@code
 * faults/}.
 *
 * @param name of the file, without its ending
 * @param about what is broken, in one sentence
 * @param faults that are begun, in this order
 * @param holds for how long they stay
 * @param layout of the cluster that they are begun on
 * @param given faults in force before, during and after it; absent: none
 * @param expect what must be seen of it
 */
public record Row(
        String name,
        String about,

        @FaultKinds @JsonProperty("fault") @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
        List<Fault> faults,

        Holds holds,
        ClusterSpec layout,
        @FaultKinds List<Fault> given,
        Expectation expect) {

    /**
     * How long a fault stays.
     *
     * @param brief too short for most alerts
     * @param full long enough for every window of the rules
     */
    public record Holds(
            @JsonProperty("short") Duration brief,
            @JsonProperty("long") Duration full) {
        public Holds {
            Allowed.upTo("short", brief, Duration.ofMinutes(10));
            Allowed.upTo("long", full, Duration.ofMinutes(30));
        }
    }

    public Row {
        Allowed.require(about != null, "about", about, "a sentence");
        Allowed.require(faults != null, "fault", faults, "a mapping with a kind, or several");
        Allowed.require(holds != null, "holds", holds, "short and long");
        Allowed.require(expect != null, "expect", expect, "what must be seen");
        given = given == null ? List.of() : List.copyOf(given);
        layout = (layout == null ? ClusterSpec.PLAIN : layout)
                .behindLinks(need(faults, Fault.Need.PERMISSIONS), need(faults, Fault.Need.CLOCK));
    }

    private static boolean need(List<Fault> faults, Fault.Need need) {
        return faults.stream().anyMatch(fault -> fault.needs().contains(need));
    }

    /**
     * The first reason why this machine cannot run the row, a sentence for people; empty where it can.
     * Only the faults of the row are asked, not those given.
     *
     * @param data where brokers keep their data
     * @throws InterruptedException when interrupted
     */
    public Optional<String> obstacle(Path data) throws InterruptedException {
        Optional<String> first = Optional.empty();
        for (Fault fault : faults) {
            first = first.isPresent() ? first : fault.obstacle(data);
        }
        return first;
    }

    /** All rows, in the order in which they run. */
    public static List<Row> all() {
        return Declaration.all("/faults/", Row::read);
    }

    /** The text of a row's file. */
    public static String text(String name) {
        return JarResource.text(Row.class, "/faults/" + name + ".yml");
    }

    /** The texts of all rows' files, by name. */
    public static Map<String, String> texts() {
        Map<String, String> texts = new LinkedHashMap<>();
        all().forEach(row -> texts.put(row.name(), text(row.name())));
        return texts;
    }

    /**
     * Reads a row.
     *
     * @throws IllegalArgumentException names the file, the key and what is allowed
     */
    public static Row read(String name, String text) {
        Row row = Declaration.read(name + ".yml", text, Row.class);
        return new Row(name, row.about, row.faults, row.holds, row.layout, row.given, row.expect);
    }
}
