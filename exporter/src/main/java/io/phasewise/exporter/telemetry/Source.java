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

    /** Position in {@link ClientMetrics#SOURCES}. */
    final int index;

    /** As in a subscription, and in a push. */
    final String wireName;

    final Form form;

    /** How the points of one push, one for each broker or partition, become one value. */
    enum Form {
        MEAN,
        HIGHEST,
        SUM,
        COUNT
    }

    /**
     * @param name without the prefix that all have; its end says the form
     */
    Source(int index, String name) {
        this.index = index;
        this.wireName = PushedMetrics.PREFIX + name;
        this.form = name.endsWith(".avg")
                ? Form.MEAN
                : name.endsWith(".max") ? Form.HIGHEST : name.endsWith(".total") ? Form.COUNT : Form.SUM;
    }
}
