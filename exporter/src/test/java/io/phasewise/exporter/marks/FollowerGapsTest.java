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
        fetcher.add(10, 5_000_000, 4_000_000, 0, false);
        fetcher.add(12, 3_000_000, 0, 1_000_000, false);

        List<GapMark> reported = gaps.drain();
        assertThat(reported).extracting(each -> each.request).containsExactly(10L, 12L);
        assertThat(reported).extracting(each -> each.leader).containsOnly(2);
        assertThat(reported).extracting(each -> each.fetcher).containsOnly(1);
        assertThat(reported).extracting(each -> each.appends).containsExactly(4_000_000L, 0L);
        assertThat(reported).extracting(each -> each.pauses).containsExactly(0L, 1_000_000L);
        assertThat(reported).extracting(each -> each.cut).containsOnly(false);
        assertThat(gaps.drain()).isEmpty();
    }

    @Test
    void whatIsOverwrittenIsMissingBeforeTheNext() {
        FollowerGaps.Fetcher fetcher = gaps.begin(2, 1);
        for (int i = 0; i <= FollowerGaps.KEPT; i++) {
            fetcher.add(i, 5_000_000, 0, 0, false);
        }

        List<GapMark> reported = gaps.drain();
        assertThat(reported).hasSize(FollowerGaps.KEPT);
        assertThat(reported).extracting(each -> each.cut).startsWith(true, false);
    }

    @Test
    void aPageTellsTheLongestAndWhereOthersAreMissing() {
        for (int thread = 0; thread < 3; thread++) {
            FollowerGaps.Fetcher fetcher = gaps.begin(1, thread);
            for (int i = 0; i < FollowerGaps.KEPT; i++) {
                fetcher.add(i, 2_000_000 + i, 0, 0, false);
            }
        }

        List<GapMark> reported = gaps.drain();
        assertThat(reported).hasSize(FollowerGaps.MOST_REPORTED);
        assertThat(reported).allSatisfy(each -> assertThat(each.request).isGreaterThanOrEqualTo(42));
        assertThat(reported)
                .filteredOn(each -> each.cut)
                .extracting(each -> each.fetcher)
                .containsExactlyInAnyOrder(0, 1, 2);
    }

    @Test
    void aThreadThatHasEndedIsForgottenOnceItsGapsAreTakenOut() throws Exception {
        Thread fetching = new Thread(() -> gaps.begin(1, 0).add(7, 2_000_000, 0, 0, false));
        fetching.start();
        fetching.join();

        assertThat(gaps.drain()).hasSize(1);
        for (int i = 0; i < FollowerGaps.MOST_THREADS; i++) {
            assertThat(gaps.begin(1, i)).as("room for %s threads", i + 1).isNotNull();
        }
        assertThat(gaps.begin(1, 0)).as("one more").isNull();
    }

    @Test
    void gapsThatWereNotKeptAreMissingBeforeTheNext() {
        FollowerGaps.Fetcher fetcher = gaps.begin(2, 1);
        fetcher.add(1, 5_000_000, 0, 0, true);
        fetcher.add(2, 5_000_000, 0, 0, false);

        assertThat(gaps.drain()).extracting(each -> each.cut).containsExactly(true, false);
    }

    /** Who reads one page knows of each of its threads whether gaps are missing. */
    @Test
    void theLastGapOfAThreadIsReportedWhereOthersAreLeftOut() {
        FollowerGaps.Fetcher slight = gaps.begin(1, 7);
        slight.add(1, 1_500_000, 0, 0, false);
        slight.add(2, 1_400_000, 0, 0, false);
        for (int thread = 0; thread < 3; thread++) {
            FollowerGaps.Fetcher fetcher = gaps.begin(1, thread);
            for (int i = 0; i < FollowerGaps.KEPT; i++) {
                fetcher.add(i, 2_000_000 + i, 0, 0, false);
            }
        }

        assertThat(gaps.drain())
                .filteredOn(each -> each.fetcher == 7)
                .singleElement()
                .returns(2L, each -> each.request)
                .returns(true, each -> each.cut);
    }
}
