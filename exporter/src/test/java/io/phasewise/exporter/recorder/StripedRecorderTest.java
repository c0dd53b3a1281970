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

    private final BucketScheme scheme =
            new BucketScheme(7, new long[] {10_000, 1_000_000, 31_500_000, 1_000_000_000});

    @Test
    void aReadingShowsWhatWasRecorded() {
        StripedRecorder recorder = new StripedRecorder(scheme, 2, 1, 1);
        group(recorder, 0, 5_000);
        group(recorder, 1_000_000, 2_000_000_000);

        recorder.read(
                totals -> {
                    assertThat(totals.classicCounts(0)).containsExactly(1, 1, 0, 0, 0);
                    assertThat(totals.classicCounts(1)).containsExactly(1, 0, 0, 0, 1);
                    assertThat(totals.sumNanos(0)).isEqualTo(1_000_000);
                    assertThat(totals.sumNanos(1)).isEqualTo(2_000_005_000L);
                    assertThat(totals.zeroCount(0)).isOne();
                    assertThat(totals.zeroCount(1)).isZero();
                    assertThat(totals.counter(0)).isEqualTo(2);
                    assertThat(buckets(totals, 0)).containsExactly(index(1_000_000), 1L);
                    assertThat(buckets(totals, 1))
                            .containsExactly(index(5_000), 1L, index(2_000_000_000), 1L);
                    return null;
                });
    }

    @Test
    void theNextReadingAddsToTheOneBefore() {
        StripedRecorder recorder = new StripedRecorder(scheme, 1, 1, 2);
        for (int reading = 1; reading <= 5; reading++) {
            group(recorder, 1_000);
            long expected = reading;
            recorder.read(
                    totals -> {
                        assertThat(totals.counter(0)).isEqualTo(expected);
                        assertThat(totals.sumNanos(0)).isEqualTo(expected * 1_000);
                        assertThat(buckets(totals, 0)).containsExactly(index(1_000), expected);
                        return null;
                    });
        }
    }

    @Test
    void aNativeBucketThatAClassicBoundSplitsIsShownOnce() {
        StripedRecorder recorder = new StripedRecorder(scheme, 1, 0, 1);
        assertThat(scheme.cell(31_500_001)).isEqualTo(scheme.cell(31_500_000) + 1);
        assertThat(index(31_500_001)).isEqualTo(index(31_500_000));
        for (long nanos : new long[] {31_500_000, 31_500_001, 31_500_001}) {
            long ticket = recorder.enter(0);
            recorder.record(0, ticket, 0, nanos);
            recorder.exit(0, ticket);
        }
        recorder.read(
                totals -> {
                    assertThat(buckets(totals, 0)).containsExactly(index(31_500_000), 3L);
                    assertThat(totals.classicCounts(0)).containsExactly(0, 0, 1, 2, 0);
                    return null;
                });
    }

    @Test
    void negativeDurationsCountAsZero() {
        StripedRecorder recorder = new StripedRecorder(scheme, 1, 1, 1);
        group(recorder, -5);
        recorder.read(
                totals -> {
                    assertThat(totals.zeroCount(0)).isOne();
                    assertThat(totals.sumNanos(0)).isZero();
                    return null;
                });
    }

    @Test
    void aGroupThatIsNotWholeComesWithALaterReading() {
        StripedRecorder recorder = new StripedRecorder(scheme, 1, 1, 1);
        group(recorder, 1_000);
        long ticket = recorder.enter(0);
        recorder.record(0, ticket, 0, 2_000);

        assertThat(sum(recorder)).isZero();
        // Others go on meanwhile, and a further reading neither loses nor shows them early.
        group(recorder, 4_000);
        assertThat(sum(recorder)).isZero();

        recorder.exit(0, ticket);
        assertThat(sum(recorder)).isEqualTo(3_000);
        assertThat(sum(recorder)).isEqualTo(7_000);
        assertThat(recorder.<Long>read(totals -> totals.counter(0))).isEqualTo(2);
    }

    private static long sum(StripedRecorder recorder) {
        return recorder.read(totals -> totals.sumNanos(0));
    }

    @Test
    void readingsAreNeverTornWhileThreadsRecord() throws Exception {
        int groups = 60_000;
        StripedRecorder recorder = new StripedRecorder(scheme, 2, 1, 2);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<Future<?>> writers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            writers.add(
                    threads.submit(
                            () -> {
                                for (int g = 0; g < groups; g++) {
                                    long nanos = ThreadLocalRandom.current().nextLong(1L << 34);
                                    group(recorder, nanos, nanos);
                                }
                            }));
        }
        threads.shutdown();
        long[] before = new long[2];
        while (!threads.isTerminated()) {
            recorder.read(
                    totals -> {
                        // The same durations went to both: whatever moment this is, they agree.
                        assertThat(totals.sumNanos(0)).isEqualTo(totals.sumNanos(1));
                        assertThat(buckets(totals, 0)).isEqualTo(buckets(totals, 1));
                        assertThat(count(totals, 0)).isEqualTo(totals.counter(0));
                        assertThat(totals.counter(0)).isGreaterThanOrEqualTo(before[0]);
                        assertThat(totals.sumNanos(0)).isGreaterThanOrEqualTo(before[1]);
                        before[0] = totals.counter(0);
                        before[1] = totals.sumNanos(0);
                        return null;
                    });
        }
        for (Future<?> writer : writers) {
            writer.get();
        }
        // A reading or two later nothing is missing.
        recorder.read(totals -> null);
        assertThat(recorder.<Long>read(totals -> totals.counter(0))).isEqualTo(4L * groups);
        assertThat(recorder.<Long>read(totals -> count(totals, 1))).isEqualTo(4L * groups);
    }

    private void group(StripedRecorder recorder, long... nanos) {
        int stripe = recorder.stripe();
        long ticket = recorder.enter(stripe);
        recorder.count(stripe, ticket, 0);
        for (int histogram = 0; histogram < nanos.length; histogram++) {
            recorder.record(stripe, ticket, histogram, nanos[histogram]);
        }
        recorder.exit(stripe, ticket);
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
