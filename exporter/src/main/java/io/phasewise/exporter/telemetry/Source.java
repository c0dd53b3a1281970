/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import io.phasewise.common.telemetry.PushedMetrics;

/**
 * A metric that a client pushes, by the name that it has on the wire. Names and units are those of
 * KIP-714 and of the Kafka clients' own documentation: times are in milliseconds, sizes in bytes.
 */
final class Source {

    private static final String MEAN = ".avg";
    private static final String HIGHEST = ".max";

    /** Position among all sources. */
    final int index;

    /** As in a subscription, and in a push. */
    final String wireName;

    /** Name of the library that alone means this by the name; empty for all others. */
    final String library;

    final Form form;

    /** How the points of one push, one for each broker or partition, become one value. */
    enum Form {
        MEAN,
        HIGHEST,
        SUM,
        COUNT
    }

    /**
     * @param name without the prefix that all have; its end says the form; after an at sign the
     *     library
     */
    Source(int index, String name) {
        String[] parts = name.split("@", 2);
        this.index = index;
        this.wireName = PushedMetrics.PREFIX + parts[0];
        this.library = parts.length == 1 ? "" : parts[1];
        this.form = wireName.endsWith(MEAN)
                ? Form.MEAN
                : wireName.endsWith(HIGHEST) ? Form.HIGHEST : wireName.endsWith(".total") ? Form.COUNT : Form.SUM;
    }

    /** Name on the wire of the highest for a mean, and of the mean for a highest; null for others. */
    String twin() {
        String stem = wireName.substring(0, wireName.lastIndexOf('.'));
        return form == Form.MEAN ? stem + HIGHEST : form == Form.HIGHEST ? stem + MEAN : null;
    }
}
