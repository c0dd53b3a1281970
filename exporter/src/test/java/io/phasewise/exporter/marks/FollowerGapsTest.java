/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.marks;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.marks.GapMark;
import java.util.List;
import org.junit.jupiter.api.Test;

class FollowerGapsTest {
    private final FollowerGaps gaps = new FollowerGaps();

    @Test
    void gapsAreTakenOutOnceInTheOrderOfTheirThread() {
        FollowerGaps.Fetcher fetcher = gaps.begin(2, 1);
        fetcher.add(10, 5_000_000, 4_000_000, 0);
        fetcher.add(12, 3_000_000, 0, 1_000_000);

        List<GapMark> told = gaps.drain();
        assertThat(told).extracting(each -> each.request).containsExactly(10L, 12L);
        assertThat(told).extracting(each -> each.leader).containsOnly(2);
        assertThat(told).extracting(each -> each.fetcher).containsOnly(1);
        assertThat(told).extracting(each -> each.appends).containsExactly(4_000_000L, 0L);
        assertThat(told).extracting(each -> each.pauses).containsExactly(0L, 1_000_000L);
        assertThat(told).extracting(each -> each.cut).containsOnly(false);
        assertThat(gaps.drain()).isEmpty();
    }

    @Test
    void whatIsOverwrittenIsMissingBeforeTheNext() {
        FollowerGaps.Fetcher fetcher = gaps.begin(2, 1);
        for (int i = 0; i <= FollowerGaps.KEPT; i++) {
            fetcher.add(i, 5_000_000, 0, 0);
        }

        List<GapMark> told = gaps.drain();
        assertThat(told).hasSize(FollowerGaps.KEPT);
        assertThat(told).extracting(each -> each.cut).startsWith(true, false);
    }

    @Test
    void aPageTellsTheLongestAndWhereOthersAreMissing() {
        for (int thread = 0; thread < 3; thread++) {
            FollowerGaps.Fetcher fetcher = gaps.begin(1, thread);
            for (int i = 0; i < FollowerGaps.KEPT; i++) {
                fetcher.add(i, 2_000_000 + i, 0, 0);
            }
        }

        List<GapMark> told = gaps.drain();
        assertThat(told).hasSize(FollowerGaps.MOST_TOLD);
        assertThat(told).allSatisfy(each -> assertThat(each.request).isGreaterThanOrEqualTo(42));
        assertThat(told)
                .filteredOn(each -> each.cut)
                .extracting(each -> each.fetcher)
                .containsExactlyInAnyOrder(0, 1, 2);
    }

    @Test
    void aThreadThatHasEndedIsForgottenOnceItsGapsAreTakenOut() throws Exception {
        Thread fetching = new Thread(() -> gaps.begin(1, 0).add(7, 2_000_000, 0, 0));
        fetching.start();
        fetching.join();

        assertThat(gaps.drain()).hasSize(1);
        for (int i = 0; i < FollowerGaps.MOST_THREADS; i++) {
            assertThat(gaps.begin(1, i)).as("room for %s threads", i + 1).isNotNull();
        }
        assertThat(gaps.begin(1, 0)).as("one more").isNull();
    }
}
