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
 *       first out for each leader. A lane that becomes free takes as many of them as one request
 *       holds: if it took one only, a path that takes longer than all lanes together absorb would
 *       make the queue grow without end, and probes late that Kafka would have taken in time.
 *   <li><b>Growth.</b> For each leader the pool wants free lanes for the margin or half of the
 *       probes on lanes or waiting, whichever is more, and opens lanes ahead of need until it has
 *       them or reaches the limit. A lane takes probes only once it is connected, so that no probe
 *       pays for a connection set-up: between two openings the busy lanes can grow by half. What
 *       was opened stays open: it will be needed again, and costs a connection.
 * </ul>
 *
 * <p>A pipelined lane is never busy: all probes share it, and wait only while it is replaced.
 *
 * <p>Deterministic: the same calls give the same answers. Not safe for use by several threads.
 *
 * @param <P> what stands for a probe
 */
final class LanePool<P> {

    private enum State {
        NONE,
        WARMING,
        READY
    }

    private final LaneSettings settings;
    private final boolean shared;
    private final State[] lanes;

    /** By broker id; sorted, so that nothing depends on hashing. */
    private final TreeMap<Integer, LeaderLanes<P>> leaders = new TreeMap<>();

    /** How many lanes there are in each state. */
    private final int[] counts = new int[State.values().length];

    /**
     * An empty pool; {@link #missing} asks for the first lanes.
     *
     * @param settings how many lanes to keep
     */
    LanePool(LaneSettings settings) {
        this.settings = settings;
        this.shared = settings.pipeline().isPresent();
        this.lanes = new State[settings.limit()];
        Arrays.fill(lanes, State.NONE);
        counts[State.NONE.ordinal()] = lanes.length;
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
        Optional<LaneGrant<P>> grant = grantFree(to, probe, now, now);
        if (grant.isEmpty()) {
            to.waiting.add(new LeaderLanes.Waiter<>(probe, now, to.longestHeld()));
        }
        return grant;
    }

    private Optional<LaneGrant<P>> grantFree(LeaderLanes<P> to, P probe, long since, long now) {
        Integer lane = shared ? to.free.peek() : to.free.poll();
        return lane == null ? Optional.empty() : Optional.of(grant(probe, since, to, lane, Optional.empty(), now));
    }

    /**
     * A probe's request was answered or given up: its lane is free for the next ones.
     *
     * @param probe which was granted the lane
     * @param leader its leader
     * @param lane its lane
     * @param now nanoseconds on the canary's monotonic clock
     * @return the grants of the probes that waited longest for this leader, for one request; empty
     *     also while other probes are on the lane, and when this one is not (the lane broke
     *     meanwhile)
     */
    List<LaneGrant<P>> release(P probe, int leader, int lane, long now) {
        LeaderLanes<P> to = leader(leader);
        if (!to.vacate(lane, probe) || lanes[lane] != State.READY) {
            return List.of();
        }
        return serve(to, lane, settings.together(), probe, now);
    }

    /**
     * Gives a lane to those who waited longest, or notes it as free.
     *
     * @param most how many may have it together
     * @param released whose release set it free; null for a new lane
     */
    private List<LaneGrant<P>> serve(LeaderLanes<P> to, int lane, int most, P released, long now) {
        if (to.waiting.isEmpty() || shared) {
            to.free.add(lane);
        }
        if (to.waiting.isEmpty()) {
            return List.of();
        }
        List<LaneGrant<P>> grants = new ArrayList<>();
        while (grants.size() < most && !to.waiting.isEmpty()) {
            LeaderLanes.Waiter<P> next = to.waiting.poll();
            Optional<P> front = Optional.ofNullable(released == null ? next.behind() : released);
            grants.add(grant(next.probe(), next.since(), to, lane, front, now));
        }
        return grants;
    }

    /**
     * A lane that {@link #missing} asked for is connected to every leader.
     *
     * @param lane its number
     * @param now nanoseconds on the canary's monotonic clock
     * @return at most one grant for each leader, for those who waited longest; pipelined, all
     */
    List<LaneGrant<P>> opened(int lane, long now) {
        List<LaneGrant<P>> grants = new ArrayList<>();
        if (lanes[lane] == State.WARMING) {
            set(lane, State.READY);
            // One each: this is not the producer's thread, which would send the first one alone.
            int most = shared ? Integer.MAX_VALUE : 1;
            leaders.values().forEach(to -> grants.addAll(serve(to, lane, most, null, now)));
        }
        return grants;
    }

    private LaneGrant<P> grant(P probe, long since, LeaderLanes<P> to, int lane, Optional<P> front, long now) {
        if (!shared) {
            to.occupy(lane, probe);
        }
        return new LaneGrant<>(probe, to.id, lane, front, since, since + Math.max(0, now - since));
    }

    /**
     * A lane cannot be used any more, or could not be opened. The probes on it are taken off it;
     * what becomes of them is left to the caller.
     *
     * @param lane its number; one that the pool does not know is ignored
     */
    void broken(int lane) {
        if (lanes[lane] != State.NONE) {
            set(lane, State.NONE);
            leaders.values().forEach(leader -> leader.forget(lane));
        }
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
        Optional<LaneGrant<P>> grant = grantFree(to, lost.probe(), lost.waitedSince(), now);
        if (grant.isEmpty()) {
            to.waiting.addFirst(new LeaderLanes.Waiter<>(lost.probe(), lost.waitedSince(), null));
        }
        return grant;
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
     * @param members the brokers that are still in it
     */
    void retainLeaders(Set<Integer> members) {
        leaders.values().removeIf(to -> !members.contains(to.id) && to.load() == 0);
    }

    /**
     * Which lanes to open and connect to every leader; call it after requests and now and then.
     *
     * @return their numbers; report each with {@link #opened} or {@link #broken}
     */
    List<Integer> missing() {
        int warming = count(State.WARMING);
        int missing = settings.initial() - count(State.READY) - warming;
        for (LeaderLanes<P> to : leaders.values()) {
            int coming = to.free.size() + warming;
            int headroom = Math.max(settings.margin(), (to.load() + 1) / 2);
            missing = Math.max(missing, headroom + to.waiting.size() - coming);
        }
        if (missing <= 0 || count(State.NONE) == 0) {
            return List.of();
        }
        List<Integer> open = new ArrayList<>();
        for (int lane = 0; missing > 0 && count(State.NONE) > 0; lane++) {
            if (lanes[lane] == State.NONE) {
                set(lane, State.WARMING);
                open.add(lane);
                missing--;
            }
        }
        return open;
    }

    private void set(int lane, State state) {
        counts[lanes[lane].ordinal()]--;
        lanes[lane] = state;
        counts[state.ordinal()]++;
    }

    private int count(State state) {
        return counts[state.ordinal()];
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
        return new LaneCounts(count(State.READY), count(State.WARMING));
    }
}
