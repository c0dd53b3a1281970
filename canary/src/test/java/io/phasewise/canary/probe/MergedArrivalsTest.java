/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MergedArrivalsTest {
    private final MergedArrivals arrivals = new MergedArrivals();
    private final List<String> handedOver = new ArrayList<>();

    @Test
    void partitionsThatStayKeepTheirSeries() {
        arrivals.serve(Set.of(0, 1), p -> every(10, 0));
        drain(0);
        handedOver.clear();

        arrivals.serve(Set.of(1, 2), p -> every(10, 3));
        drain(20);

        assertThat(handedOver).containsExactly("2@3", "1@10", "2@13", "1@20");
        assertThat(arrivals.nextDue()).isEqualTo(23);
    }

    @Test
    void nothingIsDueWithoutPartitions() {
        arrivals.serve(Set.of(0), p -> every(10, 0));
        arrivals.serve(Set.of(), p -> every(10, 0));

        drain(100);

        assertThat(arrivals.isEmpty()).isTrue();
        assertThat(handedOver).isEmpty();
    }

    @Test
    void theClockMayWrap() {
        long nearEnd = Long.MAX_VALUE - 5;
        arrivals.serve(Set.of(0), p -> every(10, nearEnd));

        drain(nearEnd + 12); // wrapped

        assertThat(handedOver).containsExactly("0@" + nearEnd, "0@" + (nearEnd + 10));
    }

    private void drain(long now) {
        arrivals.drain(now, (partition, due) -> handedOver.add(partition + "@" + due));
    }

    private static Arrivals every(long gap, long start) {
        long[] next = {start - gap};
        return () -> next[0] += gap;
    }
}
