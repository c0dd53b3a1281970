/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.marks;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.marks.BusyMark;
import io.phasewise.common.marks.MarkPage;
import io.phasewise.common.marks.PauseMark;
import io.phasewise.common.marks.PendingMark;
import io.phasewise.common.marks.RequestMark;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MarkLogTest {

    private final MarkLog log = new MarkLog();

    private void add(int count) {
        for (int i = 0; i < count; i++) {
            log.add(new RequestMark(i, i, i, i, i, i));
        }
    }

    private MarkPage page(long after) {
        return log.after(MarkPage.FIRST_FORM, after, log.last(), true, List.of());
    }

    private MarkPage second(long after, long until) {
        return log.after(MarkPage.SECOND_FORM, after, until, true, List.of());
    }

    @Test
    void pagesGoOnWhereTheLastOneEnded() {
        add(MarkPage.MOST_MARKS + 10);

        MarkPage first = page(0);
        MarkPage second = page(first.sequence);
        MarkPage third = page(second.sequence);

        assertThat(first.requests).hasSize(MarkPage.MOST_MARKS);
        assertThat(second.requests).hasSize(10);
        assertThat(second.requests.get(0).answered).isEqualTo(MarkPage.MOST_MARKS);
        assertThat(third.requests).isEmpty();
        assertThat(third.sequence).isEqualTo(second.sequence);
        assertThat(first.missed + second.missed + third.missed).isZero();
        assertThat(second.boot).isEqualTo(first.boot);
    }

    @Test
    void whatGaveWayIsCounted() {
        add(MarkLog.KEPT + 50);

        MarkPage page = page(20);

        assertThat(page.missed).isEqualTo(30);
        assertThat(page.requests.get(0).answered).isEqualTo(50);
        assertThat(page.sequence).isEqualTo(50 + MarkPage.MOST_MARKS);
    }

    @Test
    void aSequenceOfAnEarlierStartMeansNothing() {
        add(3);

        MarkPage page = page(1_000);

        assertThat(page.requests).hasSize(3);
        assertThat(page.missed).isZero();
        assertThat(new MarkLog().after(1, 0, 0, true, List.of()).boot).isNotEqualTo(page.boot);
    }

    @Test
    void aPageOfTheFirstFormPassesOverAnyNumberOfMarksThatItDoesNotHave() {
        for (int i = 0; i < MarkLog.KEPT - 10; i++) {
            log.add(new PauseMark(1, 2));
        }
        add(3);

        MarkPage page = page(0);
        assertThat(page.requests).hasSize(3);
        assertThat(page.isFull()).isFalse();
        assertThat(page.sequence).isEqualTo(log.last());
    }

    /** Otherwise what a reader of the release before needs would come late. */
    @Test
    void whatTheFirstFormDoesNotHaveTakesNoRoomInIt() {
        for (int i = 0; i < MarkPage.MOST_MARKS; i++) {
            log.add(new PauseMark(1, 2));
            add(1);
            log.add(new BusyMark(0, 1, 2, 0));
        }

        MarkPage page = page(0);

        assertThat(page.requests).hasSize(MarkPage.MOST_MARKS);
        assertThat(page.toString()).doesNotContain("busy", "pause");
        assertThat(page.sequence).isGreaterThanOrEqualTo(3 * MarkPage.MOST_MARKS - 1);
    }

    @Test
    void aPageOfTheSecondFormEndsAtTheSequenceThatIsGiven() {
        add(5);

        MarkPage page = second(0, 3);

        assertThat(page.requests).hasSize(3);
        assertThat(page.sequence).isEqualTo(3);
        assertThat(page.isFull()).isFalse();
        assertThat(second(3, 5).requests).hasSize(2);
        assertThat(second(4, 3).sequence)
                .as("it has read the first form before")
                .isEqualTo(4);
    }

    @Test
    void pagesOfTheSecondFormGoOnWhereTheLastOneEnded() {
        add(MarkPage.MOST_LINES + 10);

        MarkPage first = second(0, log.last());
        MarkPage rest = second(first.sequence, log.last());

        assertThat(first.isFull()).isTrue();
        assertThat(first.requests).hasSize(MarkPage.MOST_LINES);
        assertThat(rest.isFull()).isFalse();
        assertThat(rest.requests).hasSize(10);
        assertThat(rest.requests.get(0).sent).isEqualTo(MarkPage.MOST_LINES);
    }

    @Test
    void whatIsPendingComesFirst() {
        add(MarkPage.MOST_LINES);
        PendingMark pending = new PendingMark("t", 0, 1, 2, 3, 4, 5, 6, Map.of(), Map.of());

        MarkPage page = log.after(MarkPage.SECOND_FORM, 0, log.last(), true, List.of(pending));

        assertThat(page.pending).containsExactly(pending);
        assertThat(page.requests).hasSize(MarkPage.MOST_LINES - 1);
        assertThat(page.sequence).isEqualTo(MarkPage.MOST_LINES - 1);
    }
}
