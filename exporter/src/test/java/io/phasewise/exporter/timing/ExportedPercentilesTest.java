/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.timing;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.exporter.recorder.BucketScheme;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.NativeHistogramBuckets;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/**
 * Percentiles that Prometheus computes from what is exported, against the exact ones of the same
 * durations.
 */
class ExportedPercentilesTest {

    private static final BucketScheme SCHEME = new BucketScheme(7, RequestTiming.classicNanos());
    private static final String METRIC = "kafka_request_phase_seconds";
    private static final double[] SHARES = {0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 0.9999};

    /** The width of a bucket of schema 7. */
    private static final double BOUND = Math.pow(2, 1.0 / 128) - 1;

    @Property
    void noSampleWhateverIsFurtherOffThanABucketIsWide(
            @ForAll @Size(min = 1, max = 200) List<@LongRange(min = 200, max = 4_000_000_000_000L) Long> sample) {
        long[] nanos = sample.stream().mapToLong(Long::longValue).toArray();
        assertThat(worstError(nanos)).isLessThanOrEqualTo(BOUND + 1e-12);
    }

    @Test
    void classicBucketsHoldWhatTookNoLongerThanTheirBounds() {
        long[] nanos = {5_000, 100_000, 100_001, 2_000_000, 2_000_000, 700_000_000_000L};
        ClassicHistogramBuckets classic = exported(nanos).getClassicBuckets();

        long below = 0;
        for (int i = 0; i < classic.size(); i++) {
            below += classic.getCount(i);
            double bound = classic.getUpperBound(i);
            assertThat(below)
                    .as("up to %s s", bound)
                    .isEqualTo(
                            Arrays.stream(nanos).filter(n -> n / 1e9 <= bound).count());
        }
    }

    private static double worstError(long[] nanos) {
        HistogramDataPointSnapshot series = exported(nanos);
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        double worst = 0;
        for (double share : SHARES) {
            double exact = sorted[(int) Math.ceil(share * sorted.length) - 1] / 1e9;
            worst = Math.max(worst, Math.abs(quantile(series, share) / exact - 1));
        }
        return worst;
    }

    /** What a scrape shows of requests that took this long. */
    private static HistogramDataPointSnapshot exported(long[] nanos) {
        RequestTimer timer = new RequestTimer(SCHEME, 2, "canary", new RequestListener() {});
        for (long each : nanos) {
            timer.record(0, "Produce", false, "app", "1", 0, each, 0, 0, 0, 0, 0, 0, 0);
        }
        Labels total = Labels.of("request", "Produce", "phase", "total");
        return new TimingCollector(timer)
                .collect().stream()
                        .filter(metric -> metric.getMetadata().getName().equals(METRIC))
                        .flatMap(metric -> ((HistogramSnapshot) metric).getDataPoints().stream())
                        .filter(series -> series.getLabels().equals(total))
                        .findFirst()
                        .orElseThrow();
    }

    /** {@code histogram_quantile} of Prometheus on a native histogram of positive values. */
    private static double quantile(HistogramDataPointSnapshot series, double share) {
        NativeHistogramBuckets buckets = series.getNativeBucketsForPositiveValues();
        double rank = share * series.getCount();
        double below = series.getNativeZeroCount();
        for (int i = 0; i < buckets.size(); i++) {
            double inBucket = buckets.getCount(i);
            if (below + inBucket >= rank) {
                double position = (rank - below) / inBucket;
                return Math.pow(2, (buckets.getBucketIndex(i) - 1 + position) / 128);
            }
            below += inBucket;
        }
        throw new AssertionError("rank " + rank + " is past the end");
    }
}
