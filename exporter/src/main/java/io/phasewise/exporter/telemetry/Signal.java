/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import io.phasewise.exporter.series.SeriesRegistry;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.Unit;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.Collectors;

/** A metric of this endpoint that is made of what clients push: a row of the table. */
final class Signal {

    private static final double SECONDS_PER_MILLISECOND = 1e-3;

    /** How the values of several clients become one. */
    enum Kind {
        /** Sum and count, from which a mean over any time and any clients follows. */
        MEAN(null),
        /** Of the clients that live. */
        HIGHEST(Math::max),
        /** Of the clients that live. */
        LOWEST(Math::min),
        /** Of the clients that live. */
        SUM(Double::sum),
        /** Of all clients that ever were. */
        TOTAL(null);

        /** Makes one of the values of two clients that live; null where all that were count. */
        final DoubleBinaryOperator fold;

        Kind(DoubleBinaryOperator fold) {
            this.fold = fold;
        }

        /** Whether it is gone with the client. */
        boolean isGauge() {
            return fold != null;
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
     * @param row name, which ends in its unit and, of a {@link Kind#TOTAL}, in _total; kind;
     *     weight; sources; help
     */
    Signal(int index, String[] row) {
        this.index = index;
        this.kind = Kind.valueOf(row[1].toUpperCase(Locale.ROOT));
        Unit unit = SeriesRegistry.unit(row[0]);
        this.metadata = new MetricMetadata(SeriesRegistry.plain(row[0]), row[4], unit);
        this.scale = unit == Unit.SECONDS ? SECONDS_PER_MILLISECOND : 1;
        this.weight = row[2].isEmpty() ? null : ClientMetrics.source(row[2]);
        this.sources =
                Arrays.stream(row[3].split(" ")).map(ClientMetrics::source).collect(Collectors.toUnmodifiableList());
    }
}
