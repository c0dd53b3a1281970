/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.marks;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.marks.MarkPage;
import io.phasewise.common.marks.RequestMark;
import org.junit.jupiter.api.Test;

class MarkLogTest {

    private final MarkLog log = new MarkLog();

    private void add(int count) {
        for (int i = 0; i < count; i++) {
            log.add(new RequestMark(i, i, i, i, i, i));
        }
    }

    @Test
    void pagesGoOnWhereTheLastOneEnded() {
        add(MarkPage.MOST_MARKS + 10);

        MarkPage first = log.after(0, true);
        MarkPage second = log.after(first.sequence, true);
        MarkPage third = log.after(second.sequence, true);

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

        MarkPage page = log.after(20, true);

        assertThat(page.missed).isEqualTo(30);
        assertThat(page.requests.get(0).answered).isEqualTo(50);
        assertThat(page.sequence).isEqualTo(50 + MarkPage.MOST_MARKS);
    }

    @Test
    void aSequenceOfAnEarlierStartMeansNothing() {
        add(3);

        MarkPage page = log.after(1_000, true);

        assertThat(page.requests).hasSize(3);
        assertThat(page.missed).isZero();
        assertThat(new MarkLog().after(0, true).boot).isNotEqualTo(page.boot);
    }
}
