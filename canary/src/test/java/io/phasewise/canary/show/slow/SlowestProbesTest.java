/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.slow;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.trip.Delivery;
import io.phasewise.canary.trip.Outcome;
import io.phasewise.canary.trip.Trip;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class SlowestProbesTest {
    private static final long START = -7_000_000_000_000L; // nanoTime may be negative
    private static final long MINUTE = Duration.ofMinutes(1).toNanos();

    private record At(long minute, long latency) {}

    @Property(tries = 200)
    void showsExactlyTheSlowestOfTheLastSixtyMinutesAndTheOneUnderWay(
            @ForAll long seed, @ForAll @IntRange(min = 0, max = 7) int keep) {
        Random random = new Random(seed);
        SlowestProbes slowest = new SlowestProbes(keep, START);
        List<At> all = new ArrayList<>();
        long now = START;
        for (int i = 0; i < 600; i++) {
            now += random.nextInt(5) == 0 ? random.nextLong(3 * MINUTE) : random.nextLong(MINUTE / 9);
            if (random.nextInt(200) == 0) {
                now += 50 * MINUTE; // nothing for a while
            }
            long latency = 1 + random.nextInt(1_000_000_000) + i; // hardly two alike
            all.add(new At((now - START) / MINUTE, latency));
            if (slowest.admits(latency, now)) {
                slowest.add(probe(latency), now);
            }
            if (random.nextInt(20) == 0) {
                long oldest = (now - START) / MINUTE - 60;
                assertThat(slowest.slowest(now))
                        .extracting(report -> report.trip().latencyNanos())
                        .containsExactlyElementsOf(all.stream()
                                .filter(at -> at.minute() >= oldest)
                                .map(At::latency)
                                .sorted(Comparator.reverseOrder())
                                .limit(keep)
                                .toList());
            }
        }
    }

    @Test
    void holdsABoundedNumberWhenLatenciesFallAllTheTime() {
        SlowestProbes slowest = new SlowestProbes(5, 0);
        long latency = 1_000_000_000;
        for (long now = 0; now < 200 * MINUTE; now += MINUTE / 20) {
            if (slowest.admits(latency, now)) {
                slowest.add(probe(latency--), now);
            }
        }

        assertThat(slowest.held()).isLessThanOrEqualTo(61 * 5);
    }

    private static ProbeReport probe(long latency) {
        Delivery back = new Delivery(latency, Delivery.NO_APPEND_TIME, 0);
        Trip trip = new Trip(0, 0, 1, 0, Outcome.DELIVERED, Optional.empty(), Optional.of(back), false);
        return new ProbeReport(null, Instant.EPOCH, trip, Optional.empty(), 0);
    }
}
