/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.marks;

import io.phasewise.exporter.recorder.BucketScheme;
import io.phasewise.exporter.recorder.Stripe;
import io.phasewise.exporter.recorder.StripedRecorder;
import io.phasewise.exporter.recorder.Totals;
import io.phasewise.exporter.series.SeriesRegistry;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** How long the appends of all partitions took, by role of the broker and directory of the log. */
final class AppendTimes implements MultiCollector {

    /** Seven directories have histograms of their own; further ones share the last. */
    private static final int MOST_DIRECTORIES = 8;

    private static final String OTHERS = "other";

    /** Buckets 2.2 % wide. */
    private static final int SCHEMA = 5;

    private static final MetricMetadata APPENDS = SeriesRegistry.metadata("kafka_log_append_seconds");

    private final StripedRecorder recorder;

    /** Replaced when a directory is met for the first time. */
    private volatile String[] directories = {};

    /**
     * @param classicNanos bounds of the classic buckets
     */
    AppendTimes(long[] classicNanos) {
        recorder = new StripedRecorder(new BucketScheme(SCHEMA, classicNanos), 2 * MOST_DIRECTORIES, 0, 1);
    }

    /** Records an append. */
    void record(String directory, boolean leader, long nanos) {
        int histogram = 2 * index(directory) + (leader ? 0 : 1);
        Stripe stripe = recorder.stripe();
        long ticket = stripe.enter();
        try {
            stripe.record(ticket, histogram, nanos);
        } finally {
            stripe.exit(ticket);
        }
    }

    private int index(String directory) {
        String[] known = directories;
        for (int i = 0; i < known.length; i++) {
            if (known[i].equals(directory)) {
                return i;
            }
        }
        return known.length == MOST_DIRECTORIES ? MOST_DIRECTORIES - 1 : added(directory);
    }

    private synchronized int added(String directory) {
        String[] known = directories;
        if (List.of(known).contains(directory) || known.length == MOST_DIRECTORIES) {
            return index(directory);
        }
        String[] more = Arrays.copyOf(known, known.length + 1);
        more[known.length] = more.length == MOST_DIRECTORIES ? OTHERS : directory;
        directories = more;
        return known.length;
    }

    @Override
    public MetricSnapshots collect() {
        return new MetricSnapshots(
                new HistogramSnapshot(APPENDS, recorder.<List<HistogramDataPointSnapshot>>read(this::series)));
    }

    private List<HistogramDataPointSnapshot> series(Totals totals) {
        List<HistogramDataPointSnapshot> series = new ArrayList<>();
        String[] known = directories;
        for (int i = 0; i < known.length; i++) {
            series.add(totals.snapshot(2 * i, Labels.of("role", "leader", "log_dir", known[i])));
            series.add(totals.snapshot(2 * i + 1, Labels.of("role", "follower", "log_dir", known[i])));
        }
        return series;
    }
}
