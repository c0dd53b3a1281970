/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * However late and in however large heaps the scheduler comes round, every arrival is handed over
 * exactly once, at the instant at which it was due, in order: nothing is skipped or shifted.
 */
class MergedArrivalsPropertyTest {
    private static final Set<Integer> PARTITIONS = Set.of(0, 1, 2);

    private record Arrival(int partition, long due) {}

    @Property(tries = 200)
    void noPauseSkipsOrShiftsAnArrival(@ForAll long seed) {
        Random random = new Random(seed);
        MergedArrivals arrivals = new MergedArrivals();
        arrivals.serve(PARTITIONS, p -> new PoissonArrivals(0, 20, seed, p));
        List<Arrival> handedOver = new ArrayList<>();
        long now = 0;
        for (int i = 0; i < 100; i++) {
            now += random.nextInt(10) == 0 ? 5_000_000_000L : random.nextInt(100_000_000);
            arrivals.drain(now, (p, due) -> handedOver.add(new Arrival(p, due)));
        }

        for (int partition : PARTITIONS) {
            assertThat(handedOver.stream().filter(a -> a.partition() == partition))
                    .extracting(Arrival::due)
                    .containsExactlyElementsOf(arrivals(new PoissonArrivals(0, 20, seed, partition), now));
        }
        assertThat(handedOver).extracting(Arrival::due).isSorted();
    }

    private static List<Long> arrivals(Arrivals arrivals, long until) {
        List<Long> due = new ArrayList<>();
        for (long next = arrivals.next(); next <= until; next = arrivals.next()) {
            due.add(next);
        }
        return due;
    }
}
