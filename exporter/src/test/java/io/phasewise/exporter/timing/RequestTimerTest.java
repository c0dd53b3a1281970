/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.timing;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.phasewise.exporter.recorder.BucketScheme;
import io.phasewise.exporter.recorder.Totals;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class RequestTimerTest {

    private static final BucketScheme SCHEME = new BucketScheme(3, RequestTiming.classicNanos());
    private static final long DAY = 86_400_000_000_000L;

    private final RequestTimer timer = timer();

    private static RequestTimer timer() {
        return timer((received, dequeued, handled, completed, answered, sent) -> {});
    }

    private static RequestTimer timer(ProduceListener produced) {
        return new RequestTimer(SCHEME, 1, "phasewise-canary", produced);
    }

    @Test
    void phasesAreTheDifferencesOfTheInstants() {
        timer.record(0, "Produce", false, "app", 1_600, 1_000, 1_010, 1_030, 1_100, 1_300, 5, 7);

        assertThat(sums(timer, RequestKind.PRODUCE))
                .containsExactlyEntriesOf(
                        phases(
                                10, // request queue
                                25, // local, with 5 of a callback
                                65, // remote, without them
                                7_000_000, // throttle, from milliseconds
                                200, // response queue
                                300, // response send
                                600)); // total
    }

    @Test
    void theCanarysProduceRequestsAreToldInstantByInstant() {
        List<List<Long>> told = new ArrayList<>();
        RequestTimer telling = timer((a, b, c, d, e, f) -> told.add(List.of(a, b, c, d, e, f)));
        String canary = "phasewise-canary-1";
        telling.record(0, "Produce", false, "app", 1_600, 1_000, 1_010, 1_030, 1_100, 1_300, 0, 0);
        telling.record(1, "Fetch", false, canary, 1_600, 1_000, 1_010, 1_030, 1_100, 1_300, 0, 0);
        telling.record(0, "Produce", false, canary, 1_600, 1_000, 1_010, 1_030, 1_100, 1_300, 0, 0);

        assertThat(told).containsExactly(List.of(1_000L, 1_010L, 1_030L, 1_100L, 1_300L, 1_600L));
    }

    @Test
    void kindsAreToldApart() {
        timer.record(0, "Produce", false, "a", 10, 0, 0, 0, 0, 0, 0, 0);
        timer.record(1, "Fetch", false, "a", 20, 0, 0, 0, 0, 0, 0, 0);
        timer.record(1, "Fetch", true, "a", 40, 0, 0, 0, 0, 0, 0, 0);
        timer.record(3, "Metadata", false, "a", 80, 0, 0, 0, 0, 0, 0, 0);
        timer.record(999, "New", false, "a", 160, 0, 0, 0, 0, 0, 0, 0);

        assertThat(sums(timer, RequestKind.PRODUCE).get(RequestPhase.TOTAL)).isEqualTo(10);
        assertThat(sums(timer, RequestKind.FETCH_CONSUMER).get(RequestPhase.TOTAL)).isEqualTo(20);
        assertThat(sums(timer, RequestKind.FETCH_FOLLOWER).get(RequestPhase.TOTAL)).isEqualTo(40);
        assertThat(sums(timer, RequestKind.OTHER).get(RequestPhase.TOTAL)).isEqualTo(240);
    }

    @Test
    void requestsAreCountedByApi() {
        timer.record(0, "Produce", false, "a", 10, 0, 0, 0, 0, 0, 0, 0);
        timer.record(1, "Fetch", false, "a", 20, 0, 0, 0, 0, 0, 0, 0);
        timer.record(1, "Fetch", true, "a", 40, 0, 0, 0, 0, 0, 0, 0);
        timer.record(1, "Fetch", true, "a", 40, 0, 0, 0, 0, 0, 0, 0);
        timer.record(999, "New", false, "a", 160, 0, 0, 0, 0, 0, 0, 0);

        Map<String, Long> byApi = new TreeMap<>();
        timer.readAll(
                totals -> {
                    for (int slot = 0; slot < totals.counters(); slot++) {
                        if (totals.counter(slot) > 0) {
                            byApi.put(timer.api(slot), totals.counter(slot));
                        }
                    }
                    return null;
                });
        assertThat(byApi)
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of(
                                "Produce", 1L,
                                "FetchConsumer", 1L,
                                "FetchFollower", 2L,
                                "Unknown", 1L));
    }

    @Test
    void theCanaryIsKnownByItsClientId() {
        timer.record(0, "Produce", false, "phasewise-canary-x", 10, 0, 0, 0, 0, 0, 0, 0);
        timer.record(0, "Produce", false, "phasewise", 20, 0, 0, 0, 0, 0, 0, 0);
        timer.record(0, "Produce", false, null, 40, 0, 0, 0, 0, 0, 0, 0);
        timer.record(1, "Fetch", true, "phasewise-canary-x", 80, 0, 0, 0, 0, 0, 0, 0);

        long canary =
                timer.readCanary(
                        totals ->
                                totals.sumNanos(
                                        RequestTimer.histogram(
                                                RequestKind.PRODUCE, RequestPhase.TOTAL)));
        assertThat(canary).isEqualTo(10);
        assertThat(sums(timer, RequestKind.PRODUCE).get(RequestPhase.TOTAL)).isEqualTo(70);
    }

    @Test
    void theCanarysOwnRequestsHaveThePhasesOfAnyOther() {
        timer.record(
                0,
                "Produce",
                false,
                "phasewise-canary-x",
                1_600,
                1_000,
                1_010,
                1_030,
                1_100,
                1_300,
                5,
                7);

        assertThat(timer.<Map<?, ?>>readCanary(totals -> sums(totals, RequestKind.PRODUCE)))
                .isEqualTo(sums(timer, RequestKind.PRODUCE))
                .isEqualTo(phases(10, 25, 65, 7_000_000, 200, 300, 600));
    }

    @Property
    void withInstantsInOrderThePhasesAreKafkas(
            @ForAll long received,
            @ForAll @LongRange(max = DAY) long queued,
            @ForAll @LongRange(max = DAY) long atWork,
            @ForAll @LongRange(max = DAY) long away,
            @ForAll @LongRange(max = DAY) long queuedAgain,
            @ForAll @LongRange(max = DAY) long sending,
            @ForAll @LongRange(max = DAY) long callback,
            @ForAll @LongRange(max = 100_000) long throttle) {
        long dequeued = received + queued;
        long localComplete = dequeued + atWork;
        long responseComplete = localComplete + away;
        long responseDequeued = responseComplete + queuedAgain;
        long now = responseDequeued + sending;
        long calledBack = Math.min(callback, away);
        RequestTimer fresh = timer();
        fresh.record(
                0,
                "Produce",
                false,
                "app",
                now,
                received,
                dequeued,
                localComplete,
                responseComplete,
                responseDequeued,
                calledBack,
                throttle);

        assertThat(sums(fresh, RequestKind.PRODUCE))
                .containsExactlyEntriesOf(
                        phases(
                                Math.max(0, dequeued - received),
                                Math.max(0, localComplete - dequeued + calledBack),
                                Math.max(0, responseComplete - localComplete - calledBack),
                                throttle * 1_000_000,
                                Math.max(0, responseDequeued - responseComplete),
                                Math.max(0, now - responseDequeued),
                                Math.max(0, now - received)));
    }

    @Property
    void whateverTheInstantsTheFivePhasesSumToTheTotal(
            @ForAll @LongRange(min = -DAY, max = DAY) long received,
            @ForAll @LongRange(min = -DAY, max = DAY) long dequeued,
            @ForAll @LongRange(min = -DAY, max = DAY) long localComplete,
            @ForAll @LongRange(min = -DAY, max = DAY) long responseComplete,
            @ForAll @LongRange(min = -DAY, max = DAY) long responseDequeued,
            @ForAll @LongRange(min = -DAY, max = DAY) long now,
            @ForAll @LongRange(min = -DAY, max = DAY) long callback) {
        RequestTimer fresh = timer();
        fresh.record(
                3,
                "Metadata",
                false,
                "app",
                now,
                received,
                dequeued,
                localComplete,
                responseComplete,
                responseDequeued,
                callback,
                0);

        Map<RequestPhase, Long> sums = sums(fresh, RequestKind.OTHER);
        long total = sums.remove(RequestPhase.TOTAL);
        // A negative phase would have been recorded as zero, and the sum would be too large.
        assertThat(sums.values().stream().mapToLong(Long::longValue).sum())
                .isEqualTo(total)
                .isEqualTo(Math.max(0, now - received));
    }

    @Test
    void recordingAllocatesNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        String client = "phasewise-canary-x";
        for (int i = 0; i < 1_000; i++) {
            timer.record(0, "Produce", false, client, i * 37L, 0, 1, 2, 3, 4, 0, 0);
        }
        long before = threads.getThreadAllocatedBytes(thread);
        for (int i = 0; i < 20_000; i++) {
            timer.record(0, "Produce", false, client, i * 37L, 0, 1, 2, 3, 4, 0, 0);
        }
        // Asking costs some bytes; 20,000 objects would be 320,000 at the least.
        assertThat(threads.getThreadAllocatedBytes(thread) - before).isLessThan(10_000);
    }

    private static Map<RequestPhase, Long> sums(RequestTimer timer, RequestKind kind) {
        return timer.readAll(totals -> sums(totals, kind));
    }

    private static Map<RequestPhase, Long> sums(Totals totals, RequestKind kind) {
        Map<RequestPhase, Long> sums = new EnumMap<>(RequestPhase.class);
        for (RequestPhase phase : RequestPhase.values()) {
            sums.put(phase, totals.sumNanos(RequestTimer.histogram(kind, phase)));
        }
        return sums;
    }

    private static Map<RequestPhase, Long> phases(long... nanos) {
        Map<RequestPhase, Long> phases = new EnumMap<>(RequestPhase.class);
        for (RequestPhase phase : RequestPhase.values()) {
            phases.put(phase, nanos[phase.ordinal()]);
        }
        return phases;
    }
}
