/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.timing;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.phasewise.common.marks.MarkPage;
import io.phasewise.common.marks.RequestMark;
import io.phasewise.exporter.marks.MarkAdvice;
import io.phasewise.exporter.marks.MarksPart;
import io.phasewise.exporter.recorder.BucketScheme;
import io.phasewise.exporter.recorder.Totals;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;
import scala.Option;

class RequestTimerTest {

    private static final BucketScheme SCHEME = new BucketScheme(3, RequestTiming.classicNanos());
    private static final long DAY = 86_400_000_000_000L;

    /** Of {@link #produce}, nanoseconds. */
    private static final Map<RequestPhase, Long> PHASES = Map.of(
            RequestPhase.REQUEST_QUEUE, 10L,
            RequestPhase.LOCAL, 25L, // with 5 of a callback
            RequestPhase.REMOTE, 65L, // without them
            RequestPhase.THROTTLE, 7_000_000L, // from milliseconds
            RequestPhase.RESPONSE_QUEUE, 200L,
            RequestPhase.RESPONSE_SEND, 300L,
            RequestPhase.TOTAL, 600L);

    private final List<List<Object>> told = new ArrayList<>();
    private final RequestTimer timer = timer(new RequestListener() {
        @Override
        public void ofCanary(
                RequestMark.Api api, String client, int by, long a, long b, long c, long d, long e, long f) {
            told.add(List.of(api, client, by, a, b, c, d, e, f));
        }

        @Override
        public void ofFollower(String client, String connection, int by, long a, long b, long d, long e, long f) {
            told.add(List.of(client, connection, by, a, b, d, e, f));
        }
    });

    private static RequestTimer timer(RequestListener listener) {
        return new RequestTimer(SCHEME, 1, "phasewise-canary", listener);
    }

    private void produce(String clientId) {
        timer.record(0, "Produce", false, clientId, "c1", 4, 1_600, 1_000, 1_010, 1_030, 1_100, 1_300, 5, 7);
    }

    private void request(int apiId, String api, boolean follower, String clientId, long total) {
        timer.record(apiId, api, follower, clientId, "c1", 4, total, 0, 0, 0, 0, 0, 0, 0);
    }

    @Test
    void phasesAreTheDifferencesOfTheInstants() {
        produce("app");

        assertThat(sums(RequestKind.PRODUCE)).isEqualTo(PHASES);
    }

    @Test
    void theCanarysOwnRequestsHaveThePhasesOfAnyOther() {
        produce("phasewise-canary-x");
        request(0, "Produce", false, "phasewise", 20);
        request(0, "Produce", false, null, 40);
        request(1, "Fetch", true, "phasewise-canary-x", 80);

        assertThat(timer.<Map<?, ?>>readCanary(totals -> sums(totals, RequestKind.PRODUCE)))
                .isEqualTo(PHASES);
        assertThat(total(RequestKind.PRODUCE)).isEqualTo(600 + 20 + 40);
    }

    @Test
    void theCanarysRequestsAreToldInstantByInstant() {
        produce("app");
        produce("phasewise-canary-x");

        assertThat(told)
                .containsExactly(List.of(
                        RequestMark.Api.PRODUCE,
                        "phasewise-canary-x",
                        4,
                        1_000L,
                        1_010L,
                        1_030L,
                        1_100L,
                        1_300L,
                        1_600L));
    }

    /** Every client asks for versions when it connects, and only the pings time it. */
    @Test
    void ofTheCanarysRequestsItsFetchesAndPingsAreToldToo() {
        request(1, "Fetch", false, "phasewise-canary-x-consumer", 10);
        request(18, "ApiVersions", false, "phasewise-canary-x-ping", 10);
        request(18, "ApiVersions", false, "phasewise-canary-x-consumer", 10);
        request(18, "ApiVersions", false, "somebody-ping", 10);
        request(3, "Metadata", false, "phasewise-canary-x-ping", 10);
        request(1, "Fetch", false, "app", 10);

        assertThat(told).extracting(each -> each.get(0)).containsExactly(RequestMark.Api.FETCH, RequestMark.Api.PING);
    }

    @Test
    void followersFetchesAreToldWithTheirConnection() {
        request(1, "Fetch", true, "broker-2-fetcher-0", 10);

        assertThat(told).containsExactly(List.of("broker-2-fetcher-0", "c1", 4, 0L, 0L, 0L, 0L, 10L));
    }

    @Test
    void kindsAreToldApartAndCountedByApi() {
        request(0, "Produce", false, "a", 10);
        request(1, "Fetch", false, "a", 20);
        request(1, "Fetch", true, "a", 40);
        request(1, "Fetch", true, "a", 40);
        request(3, "Metadata", false, "a", 80);
        request(999, "New", false, "a", 160);

        assertThat(total(RequestKind.PRODUCE)).isEqualTo(10);
        assertThat(total(RequestKind.FETCH_CONSUMER)).isEqualTo(20);
        assertThat(total(RequestKind.FETCH_FOLLOWER)).isEqualTo(80);
        assertThat(total(RequestKind.OTHER)).isEqualTo(240);
        Totals totals = timer.readAll(all -> all);
        Map<String, Long> byApi = new TreeMap<>();
        for (int slot = 0; slot < totals.counters(); slot++) {
            if (totals.counter(slot) > 0) {
                byApi.put(timer.api(slot), totals.counter(slot));
            }
        }
        assertThat(byApi.toString()).isEqualTo("{FetchConsumer=1, FetchFollower=2, Metadata=1, Produce=1, Unknown=1}");
    }

    /** Instants are relative to any origin, as those of System.nanoTime are. */
    @Property
    void whateverTheInstantsTheFivePhasesSumToTheTotal(
            @ForAll long origin,
            @ForAll @Size(6) List<@LongRange(min = -DAY, max = DAY) Long> instants,
            @ForAll @LongRange(min = -DAY, max = DAY) long callback) {
        long[] at = instants.stream().mapToLong(instant -> origin + instant).toArray();
        RequestTimer fresh = timer(new RequestListener() {});
        fresh.record(3, "Metadata", false, "app", "c1", 4, at[0], at[1], at[2], at[3], at[4], at[5], callback, 0);

        Map<RequestPhase, Long> sums = fresh.readAll(totals -> sums(totals, RequestKind.OTHER));
        long total = sums.remove(RequestPhase.TOTAL);
        // A negative phase would have been recorded as zero, and the sum would be too large.
        assertThat(sums.values().stream().mapToLong(Long::longValue).sum())
                .isEqualTo(total)
                .isEqualTo(Math.max(0, at[0] - at[1]));
    }

    @Test
    void recordingAllocatesNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        RequestTimer fresh = timer(new RequestListener() {});
        long[] allocated = new long[2];
        for (int round = 0; round < 2; round++) {
            long before = threads.getThreadAllocatedBytes(thread);
            for (int i = 0; i < 20_000; i++) {
                fresh.record(1, "Fetch", i % 2 == 0, "phasewise-canary-x", "c1", 4, i * 37L, 0, 0, 0, 0, 0, 0, 0);
            }
            allocated[round] = threads.getThreadAllocatedBytes(thread) - before;
        }
        // Asking costs some bytes; 20,000 objects would be 320,000 at the least.
        assertThat(allocated[1]).isLessThan(10_000);
    }

    /** With the listener that a broker has, while a record waits for that follower. */
    @Test
    void followersFetchesAllocateNothing() {
        MarksPart marks = new MarksPart("phasewise-canary", new long[] {1_000_000}, new PrometheusRegistry());
        RequestTimer fresh = timer(marks);
        TopicPartition partition = new TopicPartition("phasewise-canary", 0);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        long[] allocated = new long[2];
        marks.enable(true);
        try {
            MarkAdvice.isMarked(partition);
            MarkAdvice.leaderAppends(partition, Option.apply(Uuid.randomUuid()), 4, Set.of(1, 2), 1);
            MarkAdvice.logAppends("/data", true, 0);
            MarkAdvice.firstAppended(0);
            MarkAdvice.logAppended(0);
            for (int round = 0; round < 2; round++) {
                long before = threads.getThreadAllocatedBytes(thread);
                for (int i = 0; i < 20_000; i++) {
                    fresh.record(1, "Fetch", true, "broker-2-fetcher-0", "c1", 4, i * 37L, 0, 0, 0, 0, 0, 0, 0);
                }
                allocated[round] = threads.getThreadAllocatedBytes(thread) - before;
            }
            assertThat(MarkPage.parse(marks.page(2, 0)).fetchers)
                    .as("they were kept")
                    .isNotEmpty();
        } finally {
            marks.enable(false);
        }
        assertThat(allocated[1]).isLessThan(10_000);
    }

    private long total(RequestKind kind) {
        return sums(kind).get(RequestPhase.TOTAL);
    }

    private Map<RequestPhase, Long> sums(RequestKind kind) {
        return timer.readAll(totals -> sums(totals, kind));
    }

    private static Map<RequestPhase, Long> sums(Totals totals, RequestKind kind) {
        return Arrays.stream(RequestPhase.values())
                .collect(Collectors.toMap(
                        phase -> phase, phase -> totals.sumNanos(RequestTimer.histogram(kind, phase))));
    }
}
