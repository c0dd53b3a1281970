/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.Unit;
import java.util.List;

/** A metric of this endpoint that is made of what clients push. */
final class Signal {

    private static final double SECONDS_PER_MILLISECOND = 1e-3;

    /** How the values of several clients become one. */
    enum Kind {
        /** Sum and count, from which a mean over any time and any clients follows. */
        MEAN,
        /** Of the clients that live. */
        HIGHEST,
        /** Of the clients that live. */
        LOWEST,
        /** Of the clients that live. */
        SUM,
        /** Of all clients that ever were. */
        TOTAL;

        /** Whether it is gone with the client. */
        boolean isGauge() {
            return this != MEAN && this != TOTAL;
        }
    }

    /** Position in {@link ClientMetrics#SIGNALS}. */
    final int index;

    final Kind kind;
    final MetricMetadata metadata;

    /** From the unit that clients push to the one shown. */
    final double scale;

    /** Counts what a {@link Kind#MEAN} is the mean of; null for other kinds. */
    final Source weight;

    /** The first that a client pushes is taken. */
    final List<Source> sources;

    /**
     * @param name of the metric, which ends in its unit and, of a {@link Kind#TOTAL}, in _total
     */
    Signal(int index, String name, Kind kind, Source weight, List<Source> sources, String help) {
        this.index = index;
        this.kind = kind;
        String plain = name.replaceFirst("_total$", "");
        Unit unit =
                plain.endsWith("_seconds")
                        ? Unit.SECONDS
                        : plain.endsWith("_bytes") ? Unit.BYTES : null;
        this.metadata = new MetricMetadata(plain, help, unit);
        this.scale = unit == Unit.SECONDS ? SECONDS_PER_MILLISECOND : 1;
        this.weight = weight;
        this.sources = List.copyOf(sources);
    }
}
