/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.phasewise.experiments.declared.Allowed;
import io.phasewise.experiments.fault.Fault;
import java.time.Duration;
import java.util.List;

/**
 * One fault of the matrix and what is declared of it beforehand; a file of {@code faults/}.
 *
 * @param name the file's
 * @param about what is broken, in a sentence
 * @param fault breaks it
 * @param holds for how long
 * @param layout what it is done to
 * @param given what is so before, while and after it; absent: nothing
 * @param expect what must be seen of it
 */
public record Row(
        String name,
        String about,
        Fault fault,
        Holds holds,
        Layout layout,
        List<Fault> given,
        Expectation expect) {

    /**
     * How long a fault stays.
     *
     * @param brief without the time that alerts take
     * @param full long enough for every window of the rules
     */
    public record Holds(
            @JsonProperty("short") Duration brief, @JsonProperty("long") Duration full) {
        public Holds {
            Allowed.upTo("short", brief, Duration.ofMinutes(10));
            Allowed.upTo("long", full, Duration.ofMinutes(30));
        }
    }

    public Row {
        Allowed.require(about != null, "about", about, "a sentence");
        Allowed.require(fault != null, "fault", fault, "a mapping with a kind");
        Allowed.require(holds != null, "holds", holds, "short and long");
        Allowed.require(expect != null, "expect", expect, "what must be seen");
        given = given == null ? List.of() : List.copyOf(given);
        layout = (layout == null ? Layout.PLAIN : layout).with(fault.needs());
    }

    Row named(String file) {
        return new Row(file, about, fault, holds, layout, given, expect);
    }
}
