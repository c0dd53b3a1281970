/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.send;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Decides which lane each probe takes, who waits for one, and how many lanes there are. A lane
 * stands for one producer with at most one produce request in flight to each broker; owning
 * producers, sending and timing are left to the caller.
 *
 * <ul>
 *   <li><b>Assignment.</b> A lane may be busy with one leader and free for another. A probe takes
 *       the lane that has been free for its leader longest: load spreads evenly, and no connection
 *       falls idle for so long that a broker closes it.
 *   <li><b>Waiting.</b> When every ready lane is busy with its leader a probe waits, first in,
 *       first out for each leader.
 *   <li><b>Growth.</b> For each leader the pool wants free lanes for the margin or half of the
 *       probes on lanes or waiting, whichever is more, and opens lanes ahead of need until it has
 *       them or reaches the limit. A lane takes probes only once it is connected, so that no probe
 *       pays for a connection set-up: between two openings the busy lanes can grow by half.
 *   <li><b>Shrinking.</b> When two periods of quiet in a row needed fewer lanes, the surplus is
 *       drained and closed.
 * </ul>
 *
 * <p>Deterministic: the same calls give the same answers. Not safe for use by several threads.
 *
 * @param <P> what stands for a probe
 */
final class LanePool<P> {

    private enum State {
        NONE,
        WARMING,
        READY,
        DRAINING
    }

    private final LaneSettings settings;
    private final State[] lanes;

    /** By broker id; sorted, so that nothing depends on hashing. */
    private final TreeMap<Integer, LeaderLanes<P>> leaders = new TreeMap<>();

    private int ready;
    private int warming;
    private int draining;

    private boolean periodOpen;
    private long periodStart;
    private int peak;
    private int previousPeak;

    /**
     * An empty pool; {@link #changes} asks for the first lanes.
     *
     * @param settings how many lanes to keep
     */
    LanePool(LaneSettings settings) {
        this.settings = settings;
        this.lanes = new State[settings.limit()];
        Arrays.fill(lanes, State.NONE);
    }

    /**
     * A probe asks for a lane.
     *
     * @param probe not null
     * @param leader broker id of its leader
     * @param now nanoseconds on the canary's monotonic clock
     * @return its grant, or empty when it waits
     */
    Optional<LaneGrant<P>> request(P probe, int leader, long now) {
        LeaderLanes<P> to = leader(leader);
        Integer lane = to.free.poll();
        if (lane == null) {
            to.waiting.add(new LeaderLanes.Waiter<>(probe, now, to.longestHeld()));
            notePeak(to);
            return Optional.empty();
        }
        to.occupy(lane, probe);
        notePeak(to);
        return Optional.of(new LaneGrant<>(probe, leader, lane, Optional.empty(), now, now));
    }

    /**
     * A probe's request was answered or given up: its lane is free for the next one.
     *
     * @param probe the one that was granted the lane
     * @param leader its leader
     * @param lane its lane
     * @param now nanoseconds on the canary's monotonic clock
     * @return the grant of the probe that waited longest for this leader, or empty; empty also when
     *     the probe does not hold the lane (it broke in the meantime)
     */
    Optional<LaneGrant<P>> release(P probe, int leader, int lane, long now) {
        LeaderLanes<P> to = leader(leader);
        if (!to.vacate(lane, probe)) {
            return Optional.empty();
        }
        if (lanes[lane] != State.READY) {
            return Optional.empty();
        }
        LeaderLanes.Waiter<P> next = to.waiting.poll();
        if (next == null) {
            to.free.add(lane);
            return Optional.empty();
        }
        return Optional.of(grant(next, to, lane, Optional.of(probe), now));
    }

    /**
     * A lane that {@link #changes} asked for is connected to every leader.
     *
     * @param lane its number
     * @param now nanoseconds on the canary's monotonic clock
     * @return at most one grant for each leader, for those who waited longest
     */
    List<LaneGrant<P>> opened(int lane, long now) {
        if (lanes[lane] != State.WARMING) {
            return List.of();
        }
        warming--;
        return makeReady(lane, now);
    }

    private List<LaneGrant<P>> makeReady(int lane, long now) {
        lanes[lane] = State.READY;
        ready++;
        List<LaneGrant<P>> grants = new ArrayList<>();
        for (LeaderLanes<P> to : leaders.values()) {
            if (to.isOccupied(lane)) {
                continue;
            }
            LeaderLanes.Waiter<P> next = to.waiting.poll();
            if (next == null) {
                to.free.add(lane);
            } else {
                grants.add(grant(next, to, lane, Optional.ofNullable(next.behind()), now));
            }
        }
        return grants;
    }

    private LaneGrant<P> grant(
            LeaderLanes.Waiter<P> waiter,
            LeaderLanes<P> to,
            int lane,
            Optional<P> front,
            long now) {
        to.occupy(lane, waiter.probe());
        long waited = Math.max(0, now - waiter.since());
        return new LaneGrant<>(
                waiter.probe(), to.id, lane, front, waiter.since(), waiter.since() + waited);
    }

    /**
     * A lane cannot be used any more, or could not be opened. Probes on it are off it; what becomes
     * of them is the caller's business.
     *
     * @param lane its number; one that the pool does not know is ignored
     */
    void broken(int lane) {
        forget(lane);
    }

    /**
     * A granted lane broke before its probe was sent: the probe asks again. It goes before those
     * who wait, and its wait counts from its first request.
     *
     * @param lost the grant
     * @param now nanoseconds on the canary's monotonic clock
     * @return its new grant, or empty when it waits
     */
    Optional<LaneGrant<P>> requestAgain(LaneGrant<P> lost, long now) {
        LeaderLanes<P> to = leader(lost.leader());
        LeaderLanes.Waiter<P> again =
                new LeaderLanes.Waiter<>(lost.probe(), lost.waitedSince(), null);
        Integer lane = to.free.poll();
        if (lane == null) {
            to.waiting.addFirst(again);
            notePeak(to);
            return Optional.empty();
        }
        LaneGrant<P> grant = grant(again, to, lane, Optional.empty(), now);
        notePeak(to);
        return Optional.of(grant);
    }

    /**
     * Waiting probes are given up: for each leader, those at the head of its queue. Looks at one
     * more for each leader than it gives up.
     *
     * @param overdue whether a probe has waited for too long
     * @return the probes given up
     */
    List<P> giveUp(Predicate<P> overdue) {
        List<P> given = new ArrayList<>();
        for (LeaderLanes<P> to : leaders.values()) {
            while (!to.waiting.isEmpty() && overdue.test(to.waiting.peek().probe())) {
                given.add(to.waiting.poll().probe());
            }
        }
        return given;
    }

    /**
     * Forgets brokers that have left the cluster, once no probe for them is on a lane or waits.
     *
     * @param members the brokers that have not
     */
    void retainLeaders(Set<Integer> members) {
        leaders.values().removeIf(to -> !members.contains(to.id) && to.load() == 0);
    }

    /** What is to be done and what it sets free. */
    record Step<P>(LaneChanges changes, List<LaneGrant<P>> grants) {}

    /**
     * Adjusts the number of lanes; call it after requests and at least once every quiet period.
     *
     * @param now nanoseconds on the canary's monotonic clock
     * @return lanes to open and to close, and grants for probes whose wait a revived lane ended
     */
    Step<P> changes(long now) {
        rollPeriod(now);
        List<LaneGrant<P>> grants = new ArrayList<>();
        List<Integer> open = grow(now, grants);
        List<Integer> close = closeDrained();
        LaneChanges changes =
                open.isEmpty() && close.isEmpty() ? LaneChanges.NONE : new LaneChanges(open, close);
        return new Step<>(changes, grants);
    }

    private List<Integer> grow(long now, List<LaneGrant<P>> grants) {
        int missing = settings.initial() - ready - warming;
        for (LeaderLanes<P> to : leaders.values()) {
            int coming = to.free.size() + warming;
            missing = Math.max(missing, headroom(to.load()) + to.waiting.size() - coming);
        }
        // A draining lane is connected: taking it back costs nothing.
        for (int lane = 0; lane < lanes.length && missing > 0 && draining > 0; lane++) {
            if (lanes[lane] == State.DRAINING) {
                draining--;
                grants.addAll(makeReady(lane, now));
                missing--;
            }
        }
        List<Integer> open = new ArrayList<>();
        for (int lane = 0; lane < lanes.length && missing > 0; lane++) {
            if (lanes[lane] == State.NONE) {
                lanes[lane] = State.WARMING;
                warming++;
                open.add(lane);
                missing--;
            }
        }
        return open;
    }

    private int headroom(int load) {
        return Math.max(settings.margin(), (load + 1) / 2);
    }

    private void notePeak(LeaderLanes<P> leader) {
        peak = Math.max(peak, leader.load());
    }

    private void rollPeriod(long now) {
        if (!periodOpen) {
            periodOpen = true;
            periodStart = now;
            previousPeak = Integer.MAX_VALUE;
        }
        if (now - periodStart < settings.quietNanos()) {
            return;
        }
        int needed = Math.max(peak, previousPeak);
        if (needed < Integer.MAX_VALUE) {
            drain(Math.max(settings.initial(), needed + headroom(needed)));
        }
        previousPeak = peak;
        peak = leaders.values().stream().mapToInt(LeaderLanes::load).max().orElse(0);
        periodStart = now;
    }

    private void drain(int wanted) {
        for (int lane = lanes.length - 1; lane >= 0 && ready + warming > wanted; lane--) {
            if (lanes[lane] == State.READY) {
                lanes[lane] = State.DRAINING;
                ready--;
                draining++;
                for (LeaderLanes<P> leader : leaders.values()) {
                    leader.free.remove((Integer) lane);
                }
            }
        }
    }

    private List<Integer> closeDrained() {
        List<Integer> close = new ArrayList<>();
        for (int lane = 0; lane < lanes.length && draining > 0; lane++) {
            if (lanes[lane] == State.DRAINING && isIdle(lane)) {
                forget(lane);
                close.add(lane);
            }
        }
        return close;
    }

    private boolean isIdle(int lane) {
        for (LeaderLanes<P> leader : leaders.values()) {
            if (leader.isOccupied(lane)) {
                return false;
            }
        }
        return true;
    }

    private void forget(int lane) {
        switch (lanes[lane]) {
            case WARMING -> warming--;
            case READY -> ready--;
            case DRAINING -> draining--;
            case NONE -> {
                return;
            }
        }
        lanes[lane] = State.NONE;
        for (LeaderLanes<P> leader : leaders.values()) {
            leader.forget(lane);
        }
    }

    private LeaderLanes<P> leader(int id) {
        return leaders.computeIfAbsent(id, this::newLeader);
    }

    private LeaderLanes<P> newLeader(int id) {
        LeaderLanes<P> leader = new LeaderLanes<>(id);
        for (int lane = 0; lane < lanes.length; lane++) {
            if (lanes[lane] == State.READY) {
                leader.free.add(lane);
            }
        }
        return leader;
    }

    /** How many lanes there are now. */
    LaneCounts counts() {
        return new LaneCounts(ready, warming, draining);
    }
}
