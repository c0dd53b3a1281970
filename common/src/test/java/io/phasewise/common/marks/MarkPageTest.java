/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.marks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MarkPageTest {

    private static final String TEXT = "phasewise-marks 1\n"
            + "page boot=b1 active=true sequence=12 missed=3\n"
            + "record topic_id=kPx0 partition=2 leader_epoch=7 first_offset=40 last_offset=41"
            + " received=-9 append_began=-5 appended=0 committed=77 arrivals=2:5,3:70\n"
            + "record topic_id=kPx0 partition=1 leader_epoch=7 first_offset=9 last_offset=9"
            + " append_began=1 appended=2 committed=2 arrivals=\n"
            + "request received=-9 dequeued=-8 handled=1 completed=78 answered=80 sent=81\n";

    @Test
    void whatIsWrittenIsReadAgain() {
        MarkPage page = MarkPage.parse(TEXT);

        assertThat(page).hasToString(TEXT);
        assertThat(page.boot).isEqualTo("b1");
        assertThat(page.active).isTrue();
        assertThat(page.sequence).isEqualTo(12);
        assertThat(page.missed).isEqualTo(3);
        assertThat(page.records).hasSize(2);
        assertThat(page.records.get(0).arrivals).isEqualTo(Map.of(2, 5L, 3, 70L));
        assertThat(page.records.get(0).received).isEqualTo(-9);
        assertThat(page.records.get(1).received).isEqualTo(MarkPage.UNKNOWN);
        assertThat(page.records.get(1).arrivals).isEmpty();
        assertThat(page.requests).singleElement().returns(80L, request -> request.answered);
    }

    @Test
    void whatALaterReleaseAddsIsPassedOver() {
        String later = TEXT.replace("page ", "page broker=1 ")
                .replace("received=-9", "received=-9 taxed=4")
                .concat("handed_out offset=40\n");

        assertThat(MarkPage.parse(later)).hasToString(TEXT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "404 not found",
                "phasewise-marks 3\npage boot=b active=true sequence=1 missed=0\n",
                "phasewise-marks 1\n",
                "phasewise-marks 1\npage boot=b active=true missed=0\n",
                "phasewise-marks 1\npage boot=b active=true sequence=x missed=0\n",
                "phasewise-marks 1\npage boot=b active=true sequence=1 missed=0\nrequest answered=1\n",
                "phasewise-marks 1\npage boot=b active=true sequence=1 missed=0\npage"
            })
    void whatIsNoPageIsRefused(String text) {
        assertThatThrownBy(() -> MarkPage.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void saysWhetherThereAreMore() {
        assertThat(MarkPage.parse(new MarkPage("b", true, 1, 0).toString()).isFull())
                .isFalse();
        assertThat(MarkPage.parse(new MarkPage("b", true, 1, 0).withMore(true).toString())
                        .isFull())
                .isTrue();
    }

    /** Reader and agent may differ by one release, and that of before says nothing of it. */
    @Test
    void aPageOfTheReleaseBeforeIsFullByItsSize() {
        String head = "phasewise-marks 1\npage boot=b active=true sequence=9 missed=0\n";
        String mark = "request received=1 dequeued=2 handled=3 completed=4 answered=5 sent=6\n";

        assertThat(MarkPage.parse(head + mark.repeat(MarkPage.MOST_MARKS)).isFull())
                .isTrue();
        assertThat(MarkPage.parse(head + mark.repeat(MarkPage.MOST_MARKS - 1)).isFull())
                .isFalse();
    }
}
