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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SecondFormTest {

    private static final String HEAD = "phasewise-marks 2\npage boot=b1 active=true sequence=12 missed=3";

    private static final String TEXT = HEAD + " more=true broker=4 made=99 busy=true missed_fetchers=2\n"
            + "record topic_id=kPx0 partition=2 leader_epoch=7 first_offset=40 last_offset=41"
            + " received=-9 append_began=-5 appended=0 committed=77 arrivals=2:5:6,3:70\n"
            + "request api=produce client=phasewise-canary-a processor=2 received=-9 dequeued=-8 handled=1"
            + " completed=78 answered=80 sent=81\n"
            + "request api=ping client=a+b%3Dc received=1 dequeued=2 handled=3 completed=4 answered=5 sent=6\n"
            + "fetcher follower=2 fetcher=1 processor=3 received=1 dequeued=2 completed=3 answered=4 sent=5\n"
            + "fetcher follower=2 fetcher=1 processor=3 received=6 dequeued=7 completed=8 answered=9 sent=10 cut=true number=6\n"
            + "pause began=10 ended=90000010\n"
            + "busy processor=3 began=1 ended=2000001 queue_full=7\n"
            + "busy processor=3 began=5000000 ended=9000000 queue_full=0 cut=true\n"
            + "followed leader=1 fetcher=0 request=900 topic_id=kPx0 partition=2 leader_epoch=7 last_offset=41 gap=30"
            + " appends=20 pauses=0\n"
            + "gap leader=1 fetcher=0 request=898 gap=2000000 appends=1900000 pauses=5\n"
            + "gap leader=1 fetcher=0 request=899 gap=1000001 appends=0 pauses=0 cut=true\n"
            + "pending topic_id=kPx0 partition=2 leader_epoch=7 first_offset=42 last_offset=42 received=80"
            + " append_began=81 appended=82 arrivals=3:83:84\n"
            + "pending topic_id=kPx0 partition=0 leader_epoch=7 first_offset=5 append_began=81 arrivals=\n";

    @Test
    void whatIsWrittenIsReadAgain() {
        MarkPage page = MarkPage.parse(TEXT);

        assertThat(page).hasToString(TEXT);
        assertThat(page.form).isEqualTo(MarkPage.SECOND_FORM);
        assertThat(page.isFull()).isTrue();
        assertThat(page.broker()).isEqualTo(4);
        assertThat(page.made()).isEqualTo(99);
        assertThat(page.missedFetchers()).isEqualTo(2);
        assertThat(page.records.get(0).arrivals).isEqualTo(Map.of(2, 5L, 3, 70L));
        assertThat(page.records.get(0).learned).isEqualTo(Map.of(2, 6L));
        assertThat(page.requests)
                .extracting(each -> each.api)
                .containsExactly(RequestMark.Api.PRODUCE, RequestMark.Api.PING);
        assertThat(page.requests.get(0).processor).isEqualTo(2);
        assertThat(page.requests.get(1).processor).isEqualTo(MarkPage.UNKNOWN_ID);
        assertThat(page.requests.get(1).client).isEqualTo("a b=c");
        assertThat(page.reportsBusy()).isTrue();
        assertThat(page.fetchers).extracting(each -> each.answered).containsExactly(4L, 9L);
        assertThat(page.fetchers).extracting(each -> each.cut).containsExactly(false, true);
        assertThat(page.fetchers).extracting(each -> each.number).containsExactly(MarkPage.UNKNOWN, 6L);
        assertThat(page.pauses).singleElement().returns(90_000_010L, each -> each.ended);
        assertThat(page.busy).extracting(each -> each.queueFull).containsExactly(7L, 0L);
        assertThat(page.busy).extracting(each -> each.cut).containsExactly(false, true);
        assertThat(page.followed).singleElement().returns(20L, each -> each.appends);
        assertThat(page.pending.get(0).learned).isEqualTo(Map.of(3, 84L));
        assertThat(page.pending.get(1).appended).isEqualTo(MarkPage.UNKNOWN);
        assertThat(page.pending.get(1).lastOffset).isEqualTo(MarkPage.UNKNOWN);
        assertThat(page.pending.get(1).received).isEqualTo(MarkPage.UNKNOWN);
    }

    @Test
    void whatIsNotKnownIsNotSaid() {
        MarkPage page = MarkPage.second("b1", true, 12, 3);

        assertThat(page).hasToString(HEAD + "\n");
        MarkPage read = MarkPage.parse(page.toString());
        assertThat(read.broker()).isEqualTo(MarkPage.UNKNOWN_ID);
        assertThat(read.made()).isEqualTo(MarkPage.UNKNOWN);
        assertThat(read.missedFetchers()).isZero();
        assertThat(read.reportsBusy()).isFalse();
        assertThat(read.isFull()).isFalse();
    }

    @Test
    void whatALaterReleaseAddsIsPassedOver() {
        String later = TEXT.replace("page ", "page release=9 ")
                .replace("arrivals=2:5:6,", "arrivals=2:5:6:7,")
                .replace("gap=30", "gap=30 waits=4")
                .concat("handed_out offset=40\n")
                .concat("request api=share_fetch received=1\n");

        assertThat(MarkPage.parse(later)).hasToString(TEXT);
    }

    /** A reader of the release before, and one that does not ask for the second form. */
    @Test
    void inTheFirstFormIsOnlyWhatItAlwaysHad() {
        MarkPage first = new MarkPage("b1", true, 12, 3).ofBroker(4).madeAt(99);
        MarkPage second = MarkPage.parse(TEXT);
        for (Mark each : second.records) {
            first.add(each);
        }
        second.requests.forEach(first::add);
        second.fetchers.forEach(first::add);
        second.pauses.forEach(first::add);
        second.busy.forEach(first::add);
        second.followed.forEach(first::add);
        second.gaps.forEach(first::add);
        second.pending.forEach(first::add);

        assertThat(first)
                .hasToString("phasewise-marks 1\n"
                        + "page boot=b1 active=true sequence=12 missed=3\n"
                        + "record topic_id=kPx0 partition=2 leader_epoch=7 first_offset=40 last_offset=41"
                        + " received=-9 append_began=-5 appended=0 committed=77 arrivals=2:5,3:70\n"
                        + "request received=-9 dequeued=-8 handled=1 completed=78 answered=80 sent=81\n");
    }

    @Test
    void aPageTakesAsManyMarksAsItMayHaveAndIsReadWithThem() {
        MarkPage page = MarkPage.second("b1", true, 1, 0);
        PauseMark pause = new PauseMark(1, 2);
        for (int i = 0; i < MarkPage.MOST_LINES; i++) {
            assertThat(page.add(pause)).isTrue();
        }

        assertThat(page.add(pause)).isFalse();
        assertThat(MarkPage.parse(page.toString()).pauses).hasSize(MarkPage.MOST_LINES);
        assertThatThrownBy(() -> MarkPage.parse(page + "pause began=1 ended=2\n"))
                .hasMessageContaining("more than 4096 marks");
    }

    @Test
    void aPageIsNoLongerThanItMayBe() {
        MarkPage page = MarkPage.second("b".repeat(100), true, Long.MAX_VALUE, Long.MAX_VALUE)
                .withMore(true)
                .ofBroker(Integer.MAX_VALUE)
                .madeAt(Long.MIN_VALUE + 1)
                .withBusy(true)
                .withMissedFetchers(Long.MAX_VALUE);
        String client = "é".repeat(RequestMark.LONGEST_CLIENT + 1);
        RequestMark longest = new RequestMark(RequestMark.Api.FETCH, client, 1, 1, 2, 3, 4, 5, 6);
        int taken = 0;
        while (page.add(longest)) {
            taken++;
        }

        assertThat(taken).isLessThan(MarkPage.MOST_LINES);
        assertThat(page.toString().length()).isBetween(MarkPage.MOST_BYTES - 3_000, MarkPage.MOST_BYTES);
        assertThat(MarkPage.parse(page.toString()).requests)
                .hasSize(taken)
                .allMatch(each -> each.client.equals(client.substring(1)));
        assertThatThrownBy(() -> MarkPage.parse(page + "pause a=" + "b".repeat(MarkPage.MOST_BYTES) + "\n"))
                .hasMessageContaining("longer than");
    }

    @Test
    void aPageThatIsCutOffIsRefusedWhereverItIsCut() {
        for (int length = 0; length < TEXT.length(); length++) {
            String cut = TEXT.substring(0, length);
            if (cut.endsWith("\n") && cut.startsWith(HEAD)) {
                continue; // that is a page with fewer marks
            }
            assertThatThrownBy(() -> MarkPage.parse(cut)).as(cut).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "pause began=1; pause without ended",
                "pause began=1 ended=; pause: ended= is no number",
                "pause began=1 ended=99999999999999999999; ended=99999999999999999999 is no number",
                "busy processor=4294967296 began=1 ended=2; processor=4294967296 is no number of 32 bits",
                "busy began=1 ended=2; busy without processor",
                "request received=1; request without api",
                "request api=fetch client=%zz; request: client=%zz is no text",
                "pending topic_id=a partition=1 leader_epoch=1 first_offset=1 append_began=1; pending without arrivals",
                "record topic_id=a partition=1 leader_epoch=1 first_offset=1 last_offset=1 append_began=1 committed=1"
                        + " arrivals=; record without appended",
                "record topic_id=a partition=1 leader_epoch=1 first_offset=1 append_began=1 appended=1 committed=1"
                        + " arrivals=; record without last_offset",
                "fetcher follower=x; fetcher: follower=x is no number",
                "followed leader=1 fetcher=0 request=1 partition=2; followed without topic_id",
                "gap leader=1 fetcher=0 request=1 gap=2; gap without appends"
            })
    void whatIsWrongWithALineIsSaid(String line, String wrong) {
        assertThatThrownBy(() -> MarkPage.parse(HEAD + "\n" + line + "\n"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(wrong);
    }

    @ParameterizedTest
    @ValueSource(strings = {"arrivals=a:1", "arrivals=1:b", "arrivals=1:2:c", "arrivals=99999999999:2"})
    void arrivalsThatAreNoneAreRefused(String arrivals) {
        String line = "record topic_id=a partition=1 leader_epoch=1 first_offset=1 last_offset=1 append_began=1"
                + " appended=1 committed=1 ";

        assertThatThrownBy(() -> MarkPage.parse(HEAD + "\n" + line + arrivals + "\n"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("record: arrivals=");
    }

    @Test
    void onlyTheBeginningOfAWrongValueIsRepeated() {
        assertThatThrownBy(() -> MarkPage.parse(HEAD + "\npause began=" + "x".repeat(10_000) + " ended=1\n"))
                .message()
                .hasSizeLessThan(100);
    }

    /** The release before numbered no fetches. */
    @Test
    void whatWasFollowedNeedsNoNumberOfTheFetch() {
        String line = "followed leader=1 fetcher=0 topic_id=kPx0 partition=2 leader_epoch=7 last_offset=41 gap=30"
                + " appends=20 pauses=0\n";
        MarkPage page = MarkPage.parse(HEAD + "\n" + line);

        assertThat(page.followed)
                .singleElement()
                .returns(MarkPage.UNKNOWN, each -> each.request)
                .returns(30L, each -> each.gap);
        assertThat(page.toString()).endsWith(line);
    }
}
