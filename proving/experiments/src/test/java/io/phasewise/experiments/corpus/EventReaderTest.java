/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.phases.Acks;
import io.phasewise.canary.phases.Instants;
import io.phasewise.canary.phases.Timeline;
import io.phasewise.canary.phases.Wait;
import io.phasewise.canary.trip.Delivery;
import io.phasewise.canary.trip.OpenProbe;
import io.phasewise.canary.trip.Outcome;
import io.phasewise.canary.trip.SendResult;
import io.phasewise.canary.trip.Trip;
import io.phasewise.common.marks.BusyMark;
import io.phasewise.common.marks.FetcherMark;
import io.phasewise.common.marks.FollowedMark;
import io.phasewise.common.marks.GapMark;
import io.phasewise.common.marks.MarkPage;
import io.phasewise.common.marks.PauseMark;
import io.phasewise.common.marks.PendingMark;
import io.phasewise.common.marks.RecordMark;
import io.phasewise.common.marks.RequestMark;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EventReaderTest {
    private static final long MS = 1_000_000;

    private static MarkPage page() {
        MarkPage page = MarkPage.second("boot", true, 1, 3).ofBroker(2).madeAt(900 * MS);
        page.withBusy(true);
        page.add(new RecordMark(
                "topic",
                1,
                4,
                7,
                9,
                10 * MS,
                11 * MS,
                12 * MS,
                20 * MS,
                Map.of(1, 15 * MS, 3, 19 * MS),
                Map.of(3, 20 * MS)));
        page.add(new RequestMark(RequestMark.Api.FETCH, "reader", 2, 5 * MS, 6 * MS, 7 * MS, 8 * MS, 9 * MS, 10 * MS));
        page.add(new FetcherMark(3, 0, 1, 1 * MS, 2 * MS, 3 * MS, 4 * MS, 5 * MS, true, 9));
        page.add(new PauseMark(30 * MS, 90 * MS));
        page.add(new BusyMark(1, 30 * MS, 40 * MS, 2 * MS, true));
        page.add(new FollowedMark(1, 0, 41, "topic", 1, 4, 6, 3 * MS, 2 * MS, 1 * MS));
        page.add(new GapMark(1, 0, 42, 5 * MS, 4 * MS, 0, true));
        page.add(new PendingMark(
                "topic", 1, 4, 10, MarkPage.UNKNOWN, MarkPage.UNKNOWN, 50 * MS, MarkPage.UNKNOWN, Map.of(), Map.of()));
        page.add(new PendingMark(
                "topic", 1, 4, 11, 12, 52 * MS, 53 * MS, 54 * MS, Map.of(1, 55 * MS), Map.of(1, 56 * MS)));
        return page;
    }

    private static List<Event> read(String text) throws IOException {
        return new EventReader(0, broker -> 0).read(new BufferedReader(new StringReader(text)));
    }

    /** A new kind of mark is to be written, too, and added to {@link #page}. */
    @Test
    void everyKindOfMarkIsInThePageThatIsWritten() throws ReflectiveOperationException {
        for (Field kind : MarkPage.class.getFields()) {
            if (kind.getType() == List.class) {
                assertThat((List<?>) kind.get(page())).as(kind.getName()).isNotEmpty();
            }
        }
    }

    @Test
    void whatIsWrittenIsRead() throws IOException {
        Timeline front = Timeline.ofRequest(100 * MS, 110 * MS, 120 * MS, 140 * MS, 150 * MS, Acks.ALL)
                .behind(Timeline.failedRequest(90 * MS, 95 * MS, 115 * MS));
        Wait wait = new Wait(front, 105 * MS, 150 * MS);
        SendResult sent =
                new SendResult(List.of(151 * MS, 160 * MS), 190 * MS, 2, List.of(wait), 150 * MS, 45 * MS, 77);
        Trip trip = new Trip(
                1,
                0,
                2,
                105 * MS,
                Outcome.LATE,
                Optional.of(sent),
                Optional.of(new Delivery(200 * MS, 1_700_000_000_123L, 77, Delivery.BY_THE_LEADER, 4)),
                false);
        SendResult given = new SendResult(List.of(), Instants.UNKNOWN, 2, List.of(), 0, 0, SendResult.NO_OFFSET);
        List<Event> events = List.of(
                new Event.Topic(100 * MS, "topic"),
                new Event.Page(101 * MS, 2, page()),
                new Event.Page(1_101 * MS, 2, page()),
                new Event.Silent(1_102 * MS, 3),
                new Event.RoundTrip(1_103 * MS, 3, 2 * MS),
                new Event.Hiccup(1_104 * MS, 30 * MS),
                new Event.Poll(1_105 * MS, 1_090 * MS, List.of(0, 2)),
                new Event.Fault(1_105 * MS, true),
                new Event.Ended(1_106 * MS, trip),
                new Event.Ended(
                        1_107 * MS,
                        new Trip(1, 0, 2, 105 * MS, Outcome.SEND_FAILED, Optional.of(given), Optional.empty(), false)),
                new Event.Open(
                        1_108 * MS,
                        List.of(
                                new OpenProbe(1, 2, 400 * MS, Instants.UNKNOWN, Optional.empty()),
                                new OpenProbe(1, 2, 500 * MS, 501 * MS, Optional.of(sent)))));

        String text = EventWriter.text(events, 0, 1);

        assertThat(EventWriter.text(read(text), 0, 1)).as("written again").isEqualTo(text);
        assertThat(read(text).stream().map(Object::getClass))
                .isEqualTo(events.stream().map(Object::getClass).toList());
        assertThat(((Event.Page) read(text).get(2)).page().toString())
                .isEqualTo(page().toString().replace("sequence=1 ", "sequence=2 "));
        Trip back = ((Event.Ended) read(text).get(8)).trip();
        assertThat(back.delivery()).isEqualTo(trip.delivery());
        assertThat(back.sent().orElseThrow().dispatches()).isEqualTo(sent.dispatches());
        Timeline again = back.sent().orElseThrow().waits().get(0).front();
        assertThat(again.segments()).isEqualTo(front.segments());
        for (long at = 100; at < 150; at++) {
            assertThat(again.at(at * MS)).isEqualTo(front.at(at * MS));
        }
        assertThat(((Event.Open) read(text).get(10)).probes().get(0))
                .isEqualTo(new OpenProbe(1, 2, 400 * MS, Instants.UNKNOWN, Optional.empty()));
    }

    @Test
    void aLineThatIsCutOffIsLeftOut() throws IOException {
        String text =
                EventWriter.text(List.of(new Event.Silent(1 * MS, 1), new Event.RoundTrip(2 * MS, 1, 3 * MS)), 0, 1);

        assertThat(read(text.substring(0, text.length() - 9))).containsExactly(new Event.Silent(1 * MS, 1));
    }
}
