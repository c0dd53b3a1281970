/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class StripedRecorderTest {

    private final BucketScheme scheme = new BucketScheme(7, new long[] {10_000, 1_000_000, 31_500_000, 1_000_000_000});

    @Test
    void aReadingShowsWhatWasRecorded() {
        StripedRecorder recorder = new StripedRecorder(scheme, 2, 1, 1);
        group(recorder, 0, 5_000);
        group(recorder, 1_000_000, 2_000_000_000);

        Totals totals = read(recorder);
        assertThat(totals.classicCounts(0)).containsExactly(1, 1, 0, 0, 0);
        assertThat(totals.classicCounts(1)).containsExactly(1, 0, 0, 0, 1);
        assertThat(totals.sumNanos(0)).isEqualTo(1_000_000);
        assertThat(totals.sumNanos(1)).isEqualTo(2_000_005_000L);
        assertThat(totals.zeroCount(0)).isOne();
        assertThat(totals.zeroCount(1)).isZero();
        assertThat(totals.counter(0)).isEqualTo(2);
        assertThat(buckets(totals, 0)).containsExactly(index(1_000_000), 1L);
        assertThat(buckets(totals, 1)).containsExactly(index(5_000), 1L, index(2_000_000_000), 1L);
    }

    @Test
    void theNextReadingAddsToTheOneBefore() {
        StripedRecorder recorder = new StripedRecorder(scheme, 1, 1, 2);
        for (long reading = 1; reading <= 5; reading++) {
            group(recorder, 1_000);
            Totals totals = read(recorder);
            assertThat(totals.counter(0)).isEqualTo(reading);
            assertThat(totals.sumNanos(0)).isEqualTo(reading * 1_000);
            assertThat(buckets(totals, 0)).containsExactly(index(1_000), reading);
        }
    }

    @Test
    void aNativeBucketThatAClassicBoundSplitsIsShownOnce() {
        StripedRecorder recorder = new StripedRecorder(scheme, 1, 1, 1);
        assertThat(scheme.cell(31_500_001)).isEqualTo(scheme.cell(31_500_000) + 1);
        assertThat(index(31_500_001)).isEqualTo(index(31_500_000));
        for (long nanos : new long[] {31_500_000, 31_500_001, 31_500_001}) {
            group(recorder, nanos);
        }

        Totals totals = read(recorder);
        assertThat(buckets(totals, 0)).containsExactly(index(31_500_000), 3L);
        assertThat(totals.classicCounts(0)).containsExactly(0, 0, 1, 2, 0);
    }

    @Test
    void negativeDurationsCountAsZero() {
        StripedRecorder recorder = new StripedRecorder(scheme, 1, 1, 1);
        group(recorder, -5);

        Totals totals = read(recorder);
        assertThat(totals.zeroCount(0)).isOne();
        assertThat(totals.sumNanos(0)).isZero();
    }

    @Test
    void aGroupThatIsNotWholeComesWithALaterReading() {
        StripedRecorder recorder = new StripedRecorder(scheme, 1, 1, 1);
        group(recorder, 1_000);
        Stripe stripe = recorder.stripe();
        long ticket = stripe.enter();
        stripe.record(ticket, 0, 2_000);

        assertThat(sum(recorder)).isZero();
        // Others go on meanwhile, and a further reading neither loses nor shows them early.
        group(recorder, 4_000);
        assertThat(sum(recorder)).isZero();

        stripe.exit(ticket);
        assertThat(sum(recorder)).isEqualTo(3_000);
        assertThat(sum(recorder)).isEqualTo(7_000);
        assertThat(read(recorder).counter(0)).isEqualTo(2);
    }

    private static long sum(StripedRecorder recorder) {
        return read(recorder).sumNanos(0);
    }

    /** Shows what there is until the next reading: no other thread of these tests reads. */
    private static Totals read(StripedRecorder recorder) {
        return recorder.read(totals -> totals);
    }

    @Test
    void readingsAreNeverTornWhileThreadsRecord() throws Exception {
        int groups = 60_000;
        StripedRecorder recorder = new StripedRecorder(scheme, 2, 1, 2);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<Future<?>> writers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            writers.add(threads.submit(() -> record(recorder, groups)));
        }
        threads.shutdown();
        long count = 0;
        long sum = 0;
        while (!threads.isTerminated()) {
            Totals totals = read(recorder);
            // The same durations went to both: whatever moment this is, they agree.
            assertThat(totals.sumNanos(0)).isEqualTo(totals.sumNanos(1));
            assertThat(buckets(totals, 0)).isEqualTo(buckets(totals, 1));
            assertThat(count(totals, 0)).isEqualTo(totals.counter(0));
            assertThat(totals.counter(0)).isGreaterThanOrEqualTo(count);
            assertThat(totals.sumNanos(0)).isGreaterThanOrEqualTo(sum);
            count = totals.counter(0);
            sum = totals.sumNanos(0);
        }
        for (Future<?> writer : writers) {
            writer.get();
        }
        // A reading or two later nothing is missing.
        read(recorder);
        assertThat(read(recorder).counter(0)).isEqualTo(4L * groups);
        assertThat(count(read(recorder), 1)).isEqualTo(4L * groups);
    }

    private void record(StripedRecorder recorder, int groups) {
        for (int i = 0; i < groups; i++) {
            long nanos = ThreadLocalRandom.current().nextLong(1L << 34);
            group(recorder, nanos, nanos);
        }
    }

    private void group(StripedRecorder recorder, long... nanos) {
        Stripe stripe = recorder.stripe();
        long ticket = stripe.enter();
        stripe.count(ticket, 0);
        for (int histogram = 0; histogram < nanos.length; histogram++) {
            stripe.record(ticket, histogram, nanos[histogram]);
        }
        stripe.exit(ticket);
    }

    private long index(long nanos) {
        return scheme.nativeIndex(scheme.cell(nanos));
    }

    /** Index and count of each, in turn. */
    private static List<Long> buckets(Totals totals, int histogram) {
        return totals.nativeBuckets(histogram).stream()
                .flatMap(bucket -> Stream.of((long) bucket.getBucketIndex(), bucket.getCount()))
                .toList();
    }

    private static long count(Totals totals, int histogram) {
        return LongStream.of(totals.classicCounts(histogram)).sum();
    }
}
