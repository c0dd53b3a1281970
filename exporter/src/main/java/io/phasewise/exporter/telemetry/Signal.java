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
        /**
         * Sum and count, from which a mean over any time and any clients follows; of clients that
         * push how many events there were.
         */
        MEAN(null),
        /** The mean in the last push, of the clients that live and push no number of events. */
        UNCOUNTED(Double::sum),
        /** Pushes with such a mean, of all clients that ever were. */
        PUSHES(null),
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

        /** Whether it is of clients that do not say how many events there were. */
        boolean isUncounted() {
            return this == UNCOUNTED || this == PUSHES;
        }
    }

    /** Position in {@link ClientMetrics#SIGNALS}. */
    final int index;

    final Kind kind;
    final MetricMetadata metadata;

    /** From the unit that clients push to the one shown. */
    final double scale;

    /** Any of them counts the events; empty where no count says whether there were any. */
    final List<Source> weights;

    /** The first that a client pushes is taken. */
    final List<Source> sources;

    /**
     * @param row name, which ends in its unit and, of a counter, in _total; kind; weights; sources;
     *     help
     */
    Signal(int index, String[] row) {
        this.index = index;
        this.kind = Kind.valueOf(row[1].toUpperCase(Locale.ROOT));
        Unit unit = SeriesRegistry.unit(row[0]);
        this.metadata = new MetricMetadata(SeriesRegistry.plain(row[0]), row[4], unit);
        this.scale = unit == Unit.SECONDS ? SECONDS_PER_MILLISECOND : 1;
        this.weights = sources(row[2]);
        this.sources = sources(row[3]);
    }

    private static List<Source> sources(String names) {
        return Arrays.stream(names.split(" "))
                .filter(name -> !name.isEmpty())
                .map(ClientMetrics::source)
                .collect(Collectors.toUnmodifiableList());
    }
}
