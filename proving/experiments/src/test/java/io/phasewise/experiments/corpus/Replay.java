/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.corpus;

import io.phasewise.canary.account.Account;
import io.phasewise.canary.account.OwnClients;
import io.phasewise.canary.account.suspect.Suspects;
import io.phasewise.canary.marks.MarkStore;
import io.phasewise.canary.phases.Acks;
import io.phasewise.canary.phases.Attribution;
import io.phasewise.canary.phases.Breakdown;
import io.phasewise.canary.phases.BrokerClocks;
import io.phasewise.canary.phases.PollLog;
import io.phasewise.canary.split.OwnWaits;
import io.phasewise.canary.split.PhaseEstimator;
import io.phasewise.canary.split.Splitter;
import io.phasewise.canary.split.TripReader;
import io.phasewise.canary.trip.Trip;
import io.phasewise.common.marks.RequestMark;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * Gives a splitter and suspects what a recording has, by a clock of its own. They are put together as in {@code
 * Measurement}. A recording is far shorter than what suspects learn from, so its quiet beginning, again and again, stands
 * for the minutes before it.
 */
final class Replay {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long TICK = TimeUnit.MILLISECONDS.toNanos(100);

    /** Until clocks are known, and pages have come. */
    private static final long FIRST = 5 * SECOND;

    private final List<Event.Hiccup> hiccups = new ArrayList<>();
    private final PollLog polls = new PollLog(60 * SECOND, 32_768);
    private final BrokerClocks clocks = new BrokerClocks();
    private final String consumer;
    private final MarkStore store;
    private final List<Split> split = new ArrayList<>();
    private final List<Step> steps = new ArrayList<>();
    private long now;

    /**
     * A probe that came back.
     *
     * @param breakdown its phases, with its account
     */
    record Split(Trip trip, Breakdown breakdown) {}

    /** What suspects are told. */
    private interface Step {
        void tell(Suspects suspects);
    }

    /** A second was judged. */
    private record Turn(long at) implements Step {
        @Override
        public void tell(Suspects suspects) {
            suspects.turn(at);
        }
    }

    /**
     * Who was named at an instant.
     *
     * @param who as {@link Case} writes them
     */
    record Named(long at, TreeSet<String> who) {}

    /**
     * What came of it.
     *
     * @param judged from this instant on
     * @param begins when the fault begins
     * @param ends when it ends
     * @param named once for each second
     */
    record Result(long judged, long begins, long ends, List<Split> split, List<Named> named) {}

    private Replay(List<Event> events) {
        consumer = consumer(events);
        store = new MarkStore(new OwnClients(Set.of(consumer), Set.of("")), () -> now);
    }

    static Result of(List<Event> events) {
        return new Replay(events).play(events);
    }

    private Result play(List<Event> events) {
        long begins = faultAt(events, true);
        long ends = faultAt(events, false);
        OwnWaits own = new OwnWaits(consumer, false, 0, 5 * SECOND, this::stalled);
        Splitter splitter = new Splitter(
                new PhaseEstimator(Acks.ALL, Attribution.CRITICAL_PATH, polls, clocks),
                Optional.of(store),
                own,
                (reason, leader) -> {},
                List.of((TripReader) this::take));
        long tick = events.get(0).at();
        for (Event event : events) {
            for (; tick - event.at() < 0; tick += TICK) {
                now = tick;
                splitter.turn(now);
            }
            now = event.at();
            give(event, splitter);
        }
        return new Result(
                events.get(0).at() + FIRST,
                begins,
                ends,
                split,
                name(events.get(0).at() + FIRST, begins));
    }

    private static long faultAt(List<Event> events, boolean begins) {
        return events.stream()
                .filter(each -> each instanceof Event.Fault fault && fault.begins() == begins)
                .findFirst()
                .orElseThrow()
                .at();
    }

    /** The client id of the canary's consumer. */
    private static String consumer(List<Event> events) {
        for (Event event : events) {
            if (event instanceof Event.Page page) {
                for (RequestMark request : page.page().requests) {
                    if (request.api == RequestMark.Api.FETCH) {
                        return request.client;
                    }
                }
            }
        }
        return "";
    }

    private void give(Event event, Splitter splitter) {
        if (event instanceof Event.Page page) {
            store.add(page.broker(), page.page());
        } else if (event instanceof Event.Silent silent) {
            store.of(silent.broker()).silent();
        } else if (event instanceof Event.RoundTrip trip) {
            clocks.roundTrip(trip.broker(), trip.at(), trip.nanos());
        } else if (event instanceof Event.Hiccup hiccup) {
            hiccups.add(hiccup);
        } else if (event instanceof Event.Poll poll) {
            int[] partitions =
                    poll.partitions().stream().mapToInt(Integer::intValue).toArray();
            polls.entered(poll.from());
            polls.left(poll.at(), partitions, partitions.length);
        } else if (event instanceof Event.Topic topic) {
            splitter.topic(topic.id());
        } else if (event instanceof Event.Ended ended) {
            splitter.add(ended.trip());
        } else if (event instanceof Event.Open open) {
            splitter.turn(now);
            splitter.open(open.probes(), now, (soFar, leader) -> steps.add(suspects -> suspects.open(leader, soFar)));
            steps.add(new Turn(now));
        }
    }

    private long stalled(long from, long to) {
        long nanos = 0;
        for (Event.Hiccup each : hiccups) {
            nanos += Math.max(0, Math.min(to, each.at()) - Math.max(from, each.at() - each.nanos()));
        }
        return nanos;
    }

    private void take(Trip trip, Breakdown breakdown) {
        split.add(new Split(trip, breakdown));
        Account account = breakdown.account();
        steps.add(suspects ->
                suspects.add(trip.leader(), trip.partition(), trip.delivery().atNanos(), account));
    }

    private List<Named> name(long from, long begins) {
        Suspects suspects = new Suspects(at -> Instant.EPOCH.plusNanos(at));
        learn(suspects, from, begins);
        List<Named> named = new ArrayList<>();
        for (Step step : steps) {
            step.tell(suspects);
            if (step instanceof Turn turn && turn.at - from >= 0) {
                TreeSet<String> who = new TreeSet<>();
                suspects.named()
                        .forEach(each -> who.add((each.broker() == Account.NO_BROKER ? "none" : each.broker()) + " "
                                + Case.label(each.role())));
                named.add(new Named(turn.at, who));
            }
        }
        return named;
    }

    /** Lets the quiet beginning pass as often as it must. */
    private void learn(Suspects suspects, long from, long begins) {
        int seconds = (int) ((begins - from) / SECOND);
        List<List<Split>> quiet = new ArrayList<>();
        for (int i = 0; i < seconds; i++) {
            long second = from + i * SECOND;
            quiet.add(split.stream()
                    .filter(each -> each.trip.delivery().atNanos() - second >= 0
                            && each.trip.delivery().atNanos() - second < SECOND)
                    .toList());
        }
        int all = 60 * (Suspects.MINUTES_TO_LEARN + 1);
        long before = from - FIRST - (all + 10) * SECOND;
        for (int i = 0; i < all; i++) {
            long second = before + i * SECOND;
            for (Split each : quiet.get(i % seconds)) {
                suspects.add(each.trip.leader(), each.trip.partition(), second, each.breakdown.account());
            }
            suspects.turn(second);
        }
    }
}
