/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.corpus;

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
import io.phasewise.common.phase.Phase;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntToLongFunction;

/** Reads what {@link EventWriter} has written. */
final class EventReader {
    private static final Phase[] PHASES = Phase.values();

    private final IntToLongFunction ahead;
    private final long origin;
    private final Map<String, Long> last = new HashMap<>();
    private final List<String> names = new ArrayList<>();
    private final List<Event> events = new ArrayList<>();
    private final Map<Integer, Long> sequences = new HashMap<>();
    private long unit;
    private String[] parts;
    private int next;

    /** Whose page is being read; null between pages. */
    private MarkPage page;

    private int broker;

    /** Whose open probes are being read. */
    private List<OpenProbe> open;

    private long openAt;

    /**
     * @param origin the instant that was written as 0
     * @param ahead by broker how far its clock is to be ahead of what was written
     */
    EventReader(long origin, IntToLongFunction ahead) {
        this.origin = origin;
        this.ahead = ahead;
    }

    /**
     * Reads all events. What was cut off in the midst of the last line is left out.
     *
     * @throws IOException when this is no recording
     */
    List<Event> read(BufferedReader lines) throws IOException {
        String head = lines.readLine();
        if (head == null || !head.startsWith(EventWriter.HEAD + " ")) {
            throw new IOException("no recording: " + head);
        }
        unit = Long.parseLong(head.substring(EventWriter.HEAD.length() + 1));
        String line = lines.readLine();
        while (line != null) {
            String following = lines.readLine();
            parts = line.split(" ");
            next = 1;
            try {
                line();
            } catch (RuntimeException cut) {
                if (following != null) {
                    throw new IOException("not to be read: " + line, cut);
                }
            }
            line = following;
        }
        return events;
    }

    private void line() {
        switch (parts[0].charAt(0)) {
            case 'P' -> page();
            case 'r' -> page.add(record());
            case 'q' -> page.add(request());
            case 'f' -> page.add(fetcher());
            case 'z' -> page.add(pause());
            case 'b' -> page.add(busy());
            case 'w' -> page.add(followed());
            case 'g' -> page.add(gap());
            case 'n' -> page.add(pending());
            case 'S' -> {
                int id = id();
                events.add(new Event.Silent(stamp("at"), id));
            }
            case 'D' -> {
                int id = id();
                long at = stamp("at");
                events.add(new Event.RoundTrip(at, id, duration()));
            }
            case 'H' -> {
                long at = stamp("at");
                events.add(new Event.Hiccup(at, duration()));
            }
            case 'L' -> poll();
            case 'T' -> {
                long at = stamp("at");
                events.add(new Event.Topic(at, name()));
            }
            case 'E' -> trip();
            case 'O' -> {
                openAt = stamp("at");
                open = new ArrayList<>();
                events.add(new Event.Open(openAt, open));
            }
            case 'o' -> open.add(openProbe());
            case 'X' -> {
                long at = stamp("at");
                events.add(new Event.Fault(at, number() == 1));
            }
            default -> throw new IllegalArgumentException(parts[0]);
        }
    }

    private boolean more() {
        return next < parts.length;
    }

    private boolean isNone() {
        if (parts[next].equals(EventWriter.NONE)) {
            next++;
            return true;
        }
        return false;
    }

    private long number() {
        return Long.parseLong(parts[next++]);
    }

    private int id() {
        return Math.toIntExact(number());
    }

    private long duration() {
        return number() * unit;
    }

    private long distance(String kind) {
        long value = last.getOrDefault(kind, 0L) + number();
        last.put(kind, value);
        return value;
    }

    private long stamp(String kind) {
        return origin + distance(kind) * unit;
    }

    private long stampOfBroker(String kind) {
        return stamp(kind + " " + broker) + ahead.applyAsLong(broker);
    }

    private long from(long base) {
        return isNone() ? MarkPage.UNKNOWN : base + number() * unit;
    }

    private String name() {
        String text = parts[next++];
        if (text.startsWith("=")) {
            names.add(text.substring(1));
            return text.substring(1);
        }
        return names.get(Integer.parseInt(text));
    }

    private void page() {
        broker = id();
        long at = stamp("at");
        String boot = name();
        long flags = number();
        long missed = number();
        long sequence = sequences.merge(broker, 1L, Long::sum);
        page = MarkPage.second(boot, (flags & 1) != 0, sequence, missed)
                .ofBroker(broker)
                .withBusy((flags & 2) != 0);
        if (!isNone()) {
            page.madeAt(stampOfBroker("made"));
        }
        events.add(new Event.Page(at, broker, page));
    }

    private RecordMark record() {
        String topic = name();
        int partition = id();
        int epoch = id();
        long first = distance("r " + broker + " " + partition);
        long lastOffset = first + number();
        long appended = stampOfBroker("r");
        long received = from(appended);
        long began = from(appended);
        long committed = from(appended);
        Map<Integer, Long> arrivals = new TreeMap<>();
        Map<Integer, Long> learned = new TreeMap<>();
        arrivals(appended, arrivals, learned);
        return new RecordMark(
                topic, partition, epoch, first, lastOffset, received, began, appended, committed, arrivals, learned);
    }

    private void arrivals(long base, Map<Integer, Long> arrivals, Map<Integer, Long> learned) {
        while (more()) {
            int follower = id();
            long at = from(base);
            arrivals.put(follower, at);
            long known = from(at);
            if (known != MarkPage.UNKNOWN) {
                learned.put(follower, known);
            }
        }
    }

    private PendingMark pending() {
        String topic = name();
        int partition = id();
        int epoch = id();
        long first = distance("r " + broker + " " + partition);
        long lastOffset = isNone() ? MarkPage.UNKNOWN : first + number();
        long began = stampOfBroker("r");
        long received = from(began);
        long appended = from(began);
        Map<Integer, Long> arrivals = new TreeMap<>();
        Map<Integer, Long> learned = new TreeMap<>();
        arrivals(began, arrivals, learned);
        return new PendingMark(
                topic, partition, epoch, first, lastOffset, received, began, appended, arrivals, learned);
    }

    private RequestMark request() {
        RequestMark.Api api = RequestMark.Api.values()[id()];
        String client = name();
        int processor = id();
        long received = stampOfBroker("q");
        long dequeued = from(received);
        long handled = from(dequeued);
        long completed = from(handled);
        long answered = from(completed);
        return new RequestMark(
                api, client, processor, received, dequeued, handled, completed, answered, from(answered));
    }

    private FetcherMark fetcher() {
        int follower = id();
        int fetcher = id();
        int processor = id();
        long received = stamp("f " + broker + " " + follower) + ahead.applyAsLong(broker);
        long dequeued = from(received);
        long completed = from(dequeued);
        long answered = from(completed);
        long sent = from(answered);
        boolean cut = more() && number() == 1;
        long number = more() ? number() : MarkPage.UNKNOWN;
        return new FetcherMark(
                follower, fetcher, processor, received, dequeued, completed, answered, sent, cut, number);
    }

    private PauseMark pause() {
        long began = stampOfBroker("z");
        return new PauseMark(began, from(began));
    }

    private BusyMark busy() {
        int processor = id();
        long began = stampOfBroker("b");
        long ended = from(began);
        long full = duration();
        return new BusyMark(processor, began, ended, full, more() && number() == 1);
    }

    private FollowedMark followed() {
        int leader = id();
        int fetcher = id();
        long request = distance(EventWriter.requests(broker, leader, fetcher));
        String topic = name();
        int partition = id();
        int epoch = id();
        long offset = distance("w " + broker + " " + partition);
        long gap = duration();
        long appends = duration();
        return new FollowedMark(leader, fetcher, request, topic, partition, epoch, offset, gap, appends, duration());
    }

    private GapMark gap() {
        int leader = id();
        int fetcher = id();
        long request = distance(EventWriter.requests(broker, leader, fetcher));
        long gap = duration();
        long appends = duration();
        long pauses = duration();
        return new GapMark(leader, fetcher, request, gap, appends, pauses, more() && number() == 1);
    }

    private void poll() {
        long at = stamp("poll");
        long from = from(at);
        List<Integer> partitions = new ArrayList<>();
        while (more()) {
            partitions.add(id());
        }
        events.add(new Event.Poll(at, from, partitions));
    }

    private void trip() {
        long at = stamp("ended");
        int partition = id();
        int leader = id();
        Outcome outcome = Outcome.values()[id()];
        long due = from(at);
        Optional<SendResult> sent = sent(due, partition);
        Optional<Delivery> back = Optional.empty();
        if (more()) {
            long delivered = from(due);
            long millis = isNone() ? Delivery.NO_APPEND_TIME : distance("millis");
            long offset = distance("offset " + partition);
            int follower = id();
            back = Optional.of(new Delivery(delivered, millis, offset, follower, id()));
        }
        events.add(new Event.Ended(at, new Trip(partition, 0, leader, due, outcome, sent, back, false)));
    }

    private Optional<SendResult> sent(long due, int partition) {
        if (isNone()) {
            return Optional.empty();
        }
        List<Long> dispatches = new ArrayList<>();
        for (int left = id(); left > 0; left--) {
            dispatches.add(from(due));
        }
        long acknowledged = from(due);
        int to = id();
        long given = from(due);
        long handedOver = given == MarkPage.UNKNOWN ? 0 : given;
        long waited = duration();
        long offset = isNone() ? SendResult.NO_OFFSET : distance("offset " + partition);
        List<Wait> waits = new ArrayList<>();
        for (int left = id(); left > 0; left--) {
            waits.add(behind(due));
        }
        long answered = acknowledged == MarkPage.UNKNOWN ? Instants.UNKNOWN : acknowledged;
        return Optional.of(new SendResult(dispatches, answered, to, waits, handedOver, waited, offset));
    }

    private Wait behind(long due) {
        long from = from(due);
        long until = from(from);
        long start = from(from);
        int segments = id();
        int[] phases = new int[segments];
        long[] ends = new long[segments];
        for (int i = 0; i < segments; i++) {
            phases[i] = id();
            ends[i] = from(from);
        }
        Timeline front = Timeline.failedRequest(start, start, segments == 0 ? start : ends[segments - 1]);
        long began = start;
        for (int i = 0; i < segments; i++) {
            front = front.behind(new Wait(all(PHASES[phases[i]], began, ends[i]), began, ends[i]));
            began = ends[i];
        }
        return new Wait(front, from, until);
    }

    /** A stretch of one phase; a request is never in catch_up. */
    private static Timeline all(Phase phase, long from, long to) {
        return switch (phase) {
            case PRODUCE -> Timeline.ofRequest(from, to, to, to, to, Acks.ALL);
            case PUBLISH -> Timeline.failedRequest(from, from, to);
            case COMMIT -> Timeline.ofRequest(from, from, from, to, to, Acks.ALL);
            case CATCH_UP, FETCH -> Timeline.ofRequest(from, from, from, from, to, Acks.ALL);
        };
    }

    private OpenProbe openProbe() {
        int partition = id();
        int leader = id();
        long due = from(openAt);
        long handedOver = from(openAt);
        return new OpenProbe(
                partition,
                leader,
                due,
                handedOver == MarkPage.UNKNOWN ? Instants.UNKNOWN : handedOver,
                sent(due, partition));
    }
}
