/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.corpus;

import io.phasewise.canary.phases.Instants;
import io.phasewise.canary.phases.Timeline;
import io.phasewise.canary.phases.Wait;
import io.phasewise.canary.trip.Delivery;
import io.phasewise.canary.trip.OpenProbe;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * Writes events as lines of numbers. An instant is its distance from another one, so that the lines are short: those of
 * one kind from the line before, those within a line from its first one. {@link EventReader} reads them. What neither
 * splitter nor suspects use is left out: pings' requests, the numbers of pages.
 */
final class EventWriter {
    static final String HEAD = "phasewise-recording 1";

    /** A value that is not known. */
    static final String NONE = "-";

    private final long origin;
    private final long unit;
    private final Map<String, Long> last = new HashMap<>();
    private final Map<String, Integer> names = new HashMap<>();
    private final StringBuilder text = new StringBuilder();

    /**
     * @param origin an instant that is written as 0
     * @param unit nanoseconds; what is less is cut off, so that instants keep their order
     */
    EventWriter(long origin, long unit) {
        this.origin = origin;
        this.unit = unit;
        text.append(HEAD).append(' ').append(unit);
    }

    /** What was written since the last call. */
    String take() {
        String taken = text.toString();
        text.setLength(0);
        return taken;
    }

    void add(Event event) {
        if (event instanceof Event.Page page) {
            page(page);
        } else if (event instanceof Event.Silent silent) {
            line('S').number(silent.broker()).stamp("at", silent.at());
        } else if (event instanceof Event.RoundTrip trip) {
            line('D').number(trip.broker()).stamp("at", trip.at()).duration(trip.nanos());
        } else if (event instanceof Event.Hiccup hiccup) {
            line('H').stamp("at", hiccup.at()).duration(hiccup.nanos());
        } else if (event instanceof Event.Poll poll) {
            line('L').stamp("poll", poll.at()).from(poll.at(), poll.from());
            poll.partitions().forEach(this::number);
        } else if (event instanceof Event.Topic topic) {
            line('T').stamp("at", topic.at()).name(topic.id());
        } else if (event instanceof Event.Ended ended) {
            trip(ended);
        } else if (event instanceof Event.Open open) {
            line('O').stamp("at", open.at());
            open.probes().forEach(probe -> open(probe, open.at()));
        } else if (event instanceof Event.Fault fault) {
            line('X').stamp("at", fault.at()).number(fault.begins() ? 1 : 0);
        }
    }

    private EventWriter line(char kind) {
        text.append('\n').append(kind);
        return this;
    }

    private EventWriter number(long value) {
        text.append(' ').append(value);
        return this;
    }

    private EventWriter none() {
        text.append(' ').append(NONE);
        return this;
    }

    private EventWriter duration(long nanos) {
        return number(Math.floorDiv(nanos, unit));
    }

    private long units(long instant) {
        return Math.floorDiv(instant - origin, unit);
    }

    /** The distance from the last one of this kind. */
    private EventWriter stamp(String kind, long instant) {
        return distance(kind, units(instant));
    }

    private EventWriter distance(String kind, long value) {
        Long before = last.put(kind, value);
        return number(value - (before == null ? 0 : before));
    }

    private EventWriter from(long base, long instant) {
        return instant == MarkPage.UNKNOWN ? none() : number(units(instant) - units(base));
    }

    /** A text without blanks: written once, its number from then on. */
    private EventWriter name(String value) {
        Integer known = names.putIfAbsent(value, names.size());
        if (known != null) {
            return number(known);
        }
        text.append(" =").append(value);
        return this;
    }

    private void page(Event.Page event) {
        MarkPage page = event.page();
        int broker = event.broker();
        line('P').number(broker).stamp("at", event.at()).name(page.boot);
        number((page.active ? 1 : 0) + (page.reportsBusy() ? 2 : 0)).number(page.missed);
        if (page.made() == MarkPage.UNKNOWN) {
            none();
        } else {
            stamp("made " + broker, page.made());
        }
        page.records.forEach(mark -> record(broker, mark));
        for (RequestMark mark : page.requests) {
            if (mark.api != RequestMark.Api.PING) {
                line('q').number(mark.api.ordinal()).name(mark.client).number(mark.processor);
                stamp("q " + broker, mark.received).from(mark.received, mark.dequeued);
                from(mark.dequeued, mark.handled).from(mark.handled, mark.completed);
                from(mark.completed, mark.answered).from(mark.answered, mark.sent);
            }
        }
        for (FetcherMark mark : page.fetchers) {
            line('f').number(mark.follower).number(mark.fetcher).number(mark.processor);
            stamp("f " + broker + " " + mark.follower, mark.received).from(mark.received, mark.dequeued);
            from(mark.dequeued, mark.completed).from(mark.completed, mark.answered);
            from(mark.answered, mark.sent);
            boolean isNumbered = mark.number != MarkPage.UNKNOWN;
            if (mark.cut || isNumbered) {
                number(mark.cut ? 1 : 0);
            }
            if (isNumbered) {
                number(mark.number);
            }
        }
        for (PauseMark mark : page.pauses) {
            line('z').stamp("z " + broker, mark.began).from(mark.began, mark.ended);
        }
        for (BusyMark mark : page.busy) {
            line('b').number(mark.processor).stamp("b " + broker, mark.began).from(mark.began, mark.ended);
            duration(mark.queueFull);
            if (mark.cut) {
                number(1);
            }
        }
        for (FollowedMark mark : page.followed) {
            line('w').number(mark.leader).number(mark.fetcher);
            distance(requests(broker, mark.leader, mark.fetcher), mark.request);
            name(mark.topicId).number(mark.partition).number(mark.leaderEpoch);
            distance("w " + broker + " " + mark.partition, mark.lastOffset);
            duration(mark.gap).duration(mark.appends).duration(mark.pauses);
        }
        for (GapMark mark : page.gaps) {
            line('g').number(mark.leader).number(mark.fetcher);
            distance(requests(broker, mark.leader, mark.fetcher), mark.request);
            duration(mark.gap).duration(mark.appends).duration(mark.pauses);
            if (mark.cut) {
                number(1);
            }
        }
        page.pending.forEach(mark -> pending(broker, mark));
    }

    /** The numbers of the requests of one fetcher thread. */
    static String requests(int follower, int leader, int fetcher) {
        return "requests " + follower + " " + leader + " " + fetcher;
    }

    private void record(int broker, RecordMark mark) {
        line('r').name(mark.topicId).number(mark.partition).number(mark.leaderEpoch);
        distance("r " + broker + " " + mark.partition, mark.firstOffset);
        number(mark.lastOffset - mark.firstOffset);
        stamp("r " + broker, mark.appended).from(mark.appended, mark.received);
        from(mark.appended, mark.appendBegan).from(mark.appended, mark.committed);
        arrivals(mark.appended, mark.arrivals, mark.learned);
    }

    private void arrivals(long base, SortedMap<Integer, Long> arrivals, SortedMap<Integer, Long> learned) {
        arrivals.forEach((follower, at) -> {
            number(follower).from(base, at);
            from(at, learned.getOrDefault(follower, MarkPage.UNKNOWN));
        });
    }

    private void pending(int broker, PendingMark mark) {
        line('n').name(mark.topicId).number(mark.partition).number(mark.leaderEpoch);
        distance("r " + broker + " " + mark.partition, mark.firstOffset);
        if (mark.lastOffset == MarkPage.UNKNOWN) {
            none();
        } else {
            number(mark.lastOffset - mark.firstOffset);
        }
        stamp("r " + broker, mark.appendBegan).from(mark.appendBegan, mark.received);
        from(mark.appendBegan, mark.appended);
        arrivals(mark.appendBegan, mark.arrivals, mark.learned);
    }

    private void trip(Event.Ended event) {
        Trip trip = event.trip();
        line('E').stamp("ended", event.at()).number(trip.partition()).number(trip.leader());
        number(trip.outcome().ordinal()).from(event.at(), trip.dueNanos());
        sent(trip.sent().orElse(null), trip.dueNanos(), trip.partition());
        if (trip.back().isPresent()) {
            Delivery back = trip.back().get();
            from(trip.dueNanos(), back.atNanos());
            if (back.hasAppendTime()) {
                distance("millis", back.appendMillis());
            } else {
                none();
            }
            distance("offset " + trip.partition(), back.offset()).number(back.follower());
            number(back.epoch());
        }
    }

    /** Nothing but {@link #NONE} where a producer reported nothing. */
    private void sent(SendResult sent, long due, int partition) {
        if (sent == null) {
            none();
            return;
        }
        number(sent.dispatches().size());
        sent.dispatches().forEach(each -> from(due, each));
        from(due, sent.isAcknowledged() ? sent.acknowledged() : Instants.UNKNOWN);
        number(sent.broker());
        if (sent.dispatches().isEmpty()
                && !sent.isAcknowledged()
                && sent.waits().isEmpty()) {
            none(); // it may never have been handed over
        } else {
            from(due, sent.handedOver());
        }
        duration(sent.waitedNanos());
        if (sent.offset() == SendResult.NO_OFFSET) {
            none();
        } else {
            distance("offset " + partition, sent.offset());
        }
        number(sent.waits().size());
        sent.waits().forEach(wait -> wait(wait, due));
    }

    private void wait(Wait wait, long due) {
        Timeline front = wait.front();
        from(due, wait.from()).from(wait.from(), wait.until()).from(wait.from(), front.start());
        number(front.segments());
        for (int i = 0; i < front.segments(); i++) {
            number(front.phase(i).ordinal()).from(wait.from(), front.end(i));
        }
    }

    private void open(OpenProbe probe, long at) {
        line('o').number(probe.partition()).number(probe.leader()).from(at, probe.dueNanos());
        from(at, probe.handedOver());
        sent(probe.sent().orElse(null), probe.dueNanos(), probe.partition());
    }

    /** Writes some events. */
    static String text(List<Event> events, long origin, long unit) {
        EventWriter writer = new EventWriter(origin, unit);
        StringBuilder all = new StringBuilder();
        for (Event each : events) {
            writer.add(each);
            all.append(writer.take());
        }
        return all.append('\n').toString();
    }
}
