/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.probe.Event;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/** Which lane a probe takes, who waits behind whom, how the pool grows. */
class LanePoolTest {

    private static LanePool<String> pool(int initial, int limit, int margin) {
        return pool(initial, limit, margin, 1);
    }

    private static LanePool<String> pool(int initial, int limit, int margin, int together) {
        LanePool<String> pool = new LanePool<>(new LaneSettings(initial, limit, margin, together));
        openAll(pool, 0);
        return pool;
    }

    private static <T> List<LaneGrant<T>> openAll(LanePool<T> pool, long now) {
        List<LaneGrant<T>> grants = new ArrayList<>();
        for (int lane : pool.missing()) {
            grants.addAll(pool.opened(lane, now));
        }
        return grants;
    }

    @ParameterizedTest(name = "{0}")
    @CsvFileSource(resources = "lanes.csv", delimiter = '|')
    void grantsLanes(String what, String settings, String story, String told) {
        int[] of =
                Arrays.stream(settings.split(" ")).mapToInt(Integer::parseInt).toArray();
        Story pool = new Story(pool(of[0], of[1], of[2], of[3]));
        for (String step : story.split("; ")) {
            pool.happens(step);
        }

        assertThat(pool.told).containsExactly(told.split(" "));
    }

    /** Lets things happen to a pool and notes who got a lane by each. */
    private static final class Story {
        final List<String> told = new ArrayList<>();
        private final LanePool<String> pool;
        private final Map<String, LaneGrant<String>> grants = new HashMap<>();

        Story(LanePool<String> pool) {
            this.pool = pool;
        }

        void happens(String step) {
            String[] words = step.split(" ");
            long at = step.contains(" at ") ? Long.parseLong(words[words.length - 1]) : 0;
            List<LaneGrant<String>> next = grants(words, at);
            next.forEach(grant -> grants.put(grant.probe(), grant));
            if (step.startsWith("ask") && next.isEmpty()) {
                told.add(words[1] + "?");
            }
            next.forEach(grant -> told.add(shown(grant)));
        }

        private List<LaneGrant<String>> grants(String[] words, long at) {
            LaneGrant<String> held = grants.get(words.length > 1 ? words[1] : "");
            switch (words[0]) {
                case "open":
                    return openAll(pool, at);
                case "adjust":
                    pool.missing();
                    return List.of();
                case "count":
                    LaneCounts counts = pool.counts();
                    told.add(counts.ready() + "/" + counts.warming());
                    return List.of();
                case "break":
                    pool.broken(held.lane());
                    return List.of();
                case "retain":
                    pool.retainLeaders(Set.of(Integer.valueOf(words[1])));
                    return List.of();
                case "release":
                    return pool.release(held.probe(), held.leader(), held.lane(), at);
                default:
                    return (words[2].equals("again")
                                    ? pool.requestAgain(held, at)
                                    : pool.request(words[1], Integer.parseInt(words[3]), at))
                            .stream().toList();
            }
        }
    }

    private static String shown(LaneGrant<String> grant) {
        return grant.probe()
                + ":"
                + grant.lane()
                + grant.front().map(front -> "<" + front).orElse("")
                + (grant.waitedNanos() > 0 ? "+" + grant.waitedNanos() : "");
    }

    @Test
    void aPathSlowerThanTheLanesAbsorbMakesNoQueueThatGrows() {
        // 16 lanes are taken within 0.8 s: who comes in the rest of the second waits for the first.
        assertThat(longestWait(16)).isBetween(1L, 250L);
        assertThat(longestWait(1)).as("one probe in each request").isGreaterThan(20_000);
    }

    /** In ms, of 20 probes a second over two minutes: 16 lanes, and a path of 1 s. */
    private static long longestWait(int together) {
        LanePool<Integer> pool = new LanePool<>(new LaneSettings(16, 16, 1, together));
        openAll(pool, 0);
        Deque<LaneGrant<Integer>> underWay = new ArrayDeque<>();
        long longest = 0;
        for (int now = 0; now < 120_000; now++) {
            if (now % 50 == 0) {
                pool.request(now, 1, now).ifPresent(underWay::add);
            }
            while (!underWay.isEmpty() && underWay.peek().grantedAt() + 1_000 <= now) {
                LaneGrant<Integer> answered = underWay.remove();
                longest = Math.max(longest, answered.waitedNanos());
                underWay.addAll(pool.release(answered.probe(), 1, answered.lane(), now));
            }
        }
        return longest;
    }

    @Test
    void stallOfAnyLengthBelowTheLimitMakesNobodyWait() {
        // 20 probes a second, a lane takes 150 ms to open: margin for 3 + 3 sigma.
        int margin = LaneSettings.marginFor(20, 150_000_000);
        LanePool<Integer> pool = new LanePool<>(new LaneSettings(margin, 64, margin, 1));
        openAll(pool, 0);
        Deque<int[]> opening = new ArrayDeque<>();
        for (int i = 0; i < 30; i++) {
            int now = i * 50;
            while (!opening.isEmpty() && opening.peek()[1] <= now) {
                pool.opened(opening.remove()[0], now);
            }
            assertThat(pool.request(i, 1, now)).as("probe %d", i).isPresent();
            for (int lane : pool.missing()) {
                opening.add(new int[] {lane, now + 150});
            }
        }
    }

    @Test
    void givingUpLooksOnlyAtTheHeadOfEachQueue() {
        LanePool<String> pool = pool(1, 1, 1);
        for (int leader = 1; leader <= 3; leader++) {
            for (int i = 0; i < 1_000; i++) {
                pool.request(leader + "-" + i, leader, i);
            }
        }
        List<String> asked = new ArrayList<>();

        List<String> given = pool.giveUp(probe -> {
            asked.add(probe);
            return probe.startsWith("2") && probe.length() == 3;
        });

        assertThat(given).hasSize(9).startsWith("2-1").endsWith("2-9");
        assertThat(asked).as("one more for each leader").hasSize(9 + 3);
        assertThat(pool.giveUp(probe -> true)).hasSize(3 * 999 - 9);
    }

    private enum Kind {
        REQUEST,
        RELEASE,
        OPEN,
        BREAK
    }

    /** Nanoseconds apart; which leader asks, or which of the probes on lanes is released. */
    @Provide
    Arbitrary<List<Event<Kind>>> events() {
        return Event.courses(
                Arbitraries.frequency(
                        Tuple.of(30, Kind.REQUEST),
                        Tuple.of(30, Kind.RELEASE),
                        Tuple.of(10, Kind.OPEN),
                        Tuple.of(1, Kind.BREAK)),
                9,
                Arbitraries.integers().between(0, 35));
    }

    /** Lets events happen to a pool and keeps its own books. */
    private static final class Driver {
        final LaneSettings settings;
        final LanePool<Integer> pool;
        final Map<String, Integer> onLane = new HashMap<>();
        final Map<Integer, Deque<Integer>> waiting = new HashMap<>();
        final Set<Integer> ready = new HashSet<>();
        final Set<Integer> warming = new HashSet<>();
        int probes;
        long now;

        Driver(LaneSettings settings) {
            this.settings = settings;
            pool = new LanePool<>(settings);
        }

        void run(List<Event<Kind>> events) {
            for (Event<Kind> event : events) {
                now += event.gap();
                switch (event.kind()) {
                    case REQUEST -> request(1 + event.pick() % 3);
                    case RELEASE -> release(event.pick());
                    case OPEN -> open();
                    case BREAK -> breakOne();
                }
                adjust();
                check();
            }
            assertThat(pool.giveUp(probe -> true))
                    .as("who waits, each once")
                    .containsExactlyElementsOf(new TreeMap<>(waiting)
                            .values().stream().flatMap(Deque::stream).toList());
        }

        private void request(int leader) {
            int probe = probes++;
            Optional<LaneGrant<Integer>> grant = pool.request(probe, leader, now);
            if (grant.isPresent()) {
                assertThat(grant.get().front()).as("it did not wait").isEmpty();
                assertThat(waiting.getOrDefault(leader, new ArrayDeque<>())).isEmpty();
                take(grant.get());
            } else {
                waiting.computeIfAbsent(leader, id -> new ArrayDeque<>()).add(probe);
            }
        }

        private void take(LaneGrant<Integer> grant) {
            assertThat(ready).as("lane is connected").contains(grant.lane());
            assertThat(onLane.put(grant.leader() + "/" + grant.lane(), grant.probe()))
                    .as("lane was free")
                    .isNull();
        }

        private void takeWaiting(LaneGrant<Integer> grant) {
            assertThat(waiting.get(grant.leader()).remove()).isEqualTo(grant.probe());
            take(grant);
        }

        private void release(int pick) {
            if (onLane.isEmpty()) {
                return;
            }
            List<String> held = onLane.keySet().stream().sorted().toList();
            String place = held.get(pick % held.size());
            int probe = onLane.remove(place);
            int leader = Integer.parseInt(place.split("/")[0]);
            int lane = Integer.parseInt(place.split("/")[1]);
            pool.release(probe, leader, lane, now).forEach(grant -> {
                assertThat(grant.front()).contains(probe);
                assertThat(grant.lane()).isEqualTo(lane);
                takeWaiting(grant);
            });
        }

        private void open() {
            warming.stream().sorted().findFirst().ifPresent(lane -> {
                warming.remove(lane);
                ready.add(lane);
                pool.opened(lane, now).forEach(this::takeWaiting);
            });
        }

        private void breakOne() {
            if (ready.isEmpty()) {
                return;
            }
            int lane = ready.stream().sorted().findFirst().orElseThrow();
            ready.remove(lane);
            pool.broken(lane);
            onLane.keySet().removeIf(place -> place.endsWith("/" + lane));
        }

        private void adjust() {
            warming.addAll(pool.missing());
        }

        private void check() {
            LaneCounts counters = pool.counts();
            assertThat(counters.warming()).isEqualTo(warming.size());
            assertThat(counters.ready()).isEqualTo(ready.size());
            assertThat(ready.size() + warming.size()).isLessThanOrEqualTo(settings.limit());
            waiting.forEach((leader, queue) -> {
                if (!queue.isEmpty()) {
                    long busy = onLane.keySet().stream()
                            .filter(place -> place.startsWith(leader + "/"))
                            .count();
                    assertThat(busy).as("nobody waits while a lane is free").isGreaterThanOrEqualTo(counters.ready());
                }
            });
        }
    }

    @Property(tries = 300)
    void anyCourseOfEventsKeepsTheRules(
            @ForAll @IntRange(min = 1, max = 12) int limit,
            @ForAll @IntRange(min = 1, max = 12) int initial,
            @ForAll @IntRange(min = 1, max = 3) int margin,
            @ForAll("events") List<Event<Kind>> events) {
        LaneSettings settings = new LaneSettings(Math.min(initial, limit), limit, margin, 1);
        new Driver(settings).run(events);
    }
}
