/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.series;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** A series as its row of a {@link SeriesTable} declares it. */
public final class DeclaredSeries {
    private static final String FLAG = "flag";
    private static final List<String> TYPES = List.of("counter", "gauge", FLAG, "histogram", "native histogram");

    private final String name;
    private final String type;
    private final List<String> labels;
    private final String help;
    private final String whenHigh;

    /**
     * @param cells of its row
     * @throws IllegalArgumentException when the row is none of a series
     */
    DeclaredSeries(String[] cells) {
        require(
                cells.length == SeriesTable.COLUMNS,
                cells[0],
                "expected name; type; labels; help; what to do when it is high (which may be empty)");
        name = cells[0];
        type = cells[1];
        labels = Arrays.stream(cells[2].split(","))
                .map(String::strip)
                .filter(label -> !label.isEmpty())
                .collect(Collectors.toUnmodifiableList());
        help = cells[3];
        whenHigh = cells[4].strip();
        require(name.matches("[a-z][a-z0-9_]*"), name, "a name has small letters, digits and _");
        require(TYPES.contains(type), name, "type is \"" + type + "\"; allowed: " + String.join(", ", TYPES));
        require(name.endsWith("_total") == type.equals("counter"), name, "counters, and no others, end in _total");
        require(help.endsWith("."), name, "the help is a sentence or more, and has no semicolon");
    }

    private static void require(boolean holds, String name, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(name + ": " + otherwise);
        }
    }

    /** As it is exported; of a histogram without its suffixes. */
    public String name() {
        return name;
    }

    /** Counter, gauge, histogram or native histogram. */
    public String type() {
        return type.equals(FLAG) ? "gauge" : type;
    }

    /** Names, in the order of their values; without those that all series carry. */
    public List<String> labels() {
        return labels;
    }

    /** A sentence or more. */
    public String help() {
        return help;
    }

    /** What to do when the value is high; may be empty. */
    public String whenHigh() {
        return whenHigh;
    }

    /** What its value is measured in, for people. */
    public String unit() {
        if (type.equals(FLAG)) {
            return "0 or 1";
        }
        if (name.contains("_seconds")) {
            return "s";
        }
        if (name.contains("bytes")) {
            return "bytes";
        }
        if (name.endsWith("_ratio")) {
            return "share, 0 to 1";
        }
        return name.endsWith("_info") ? "1" : "count";
    }
}
