/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.phases.Acks;
import io.phasewise.canary.phases.Instants;
import io.phasewise.canary.phases.PhaseBreakdown;
import io.phasewise.canary.phases.Timeline;
import io.phasewise.canary.phases.Wait;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Lanes and attribution together, on a simulated leader whose follower stalls 400 ms of every
 * second: where does the canary say that the time went?
 */
class StalledFollowerTest {

    private static final long MICRO = 1_000;
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000_000_000;
    private static final int PROBES = 4_000;
    private static final int LEADER = 1;

    /** Means over all probes, in milliseconds. */
    private record Means(double produce, double publish, double commit, double fetch, long waits) {

        double delayBesideCommit(Means quiet) {
            return produce - quiet.produce + publish - quiet.publish + fetch - quiet.fetch;
        }

        double share(Means quiet) {
            double commitDelay = commit - quiet.commit;
            return commitDelay / (commitDelay + Math.max(0, delayBesideCommit(quiet)));
        }
    }

    private static final class Probe {
        long due;
        long released;
        Instants instants;
        Timeline request;
        Optional<Probe> front = Optional.empty();
        long granted;
        int lane;
    }

    private enum What {
        DUE,
        RELEASED,
        LANE_OPEN
    }

    private record Event(long at, int order, What what, Probe probe, int lane) {}

    /** One course of the simulation. */
    private static final class Course {
        final Random random = new Random(11);
        final PriorityQueue<Event> events =
                new PriorityQueue<>(
                        (a, b) ->
                                a.at() == b.at()
                                        ? Integer.compare(a.order(), b.order())
                                        : Long.compare(a.at(), b.at()));
        final LanePool<Probe> pool;
        final boolean stalls;
        final boolean criticalPath;
        final List<Probe> done = new ArrayList<>();
        int order;
        long waits;

        Course(int initial, int limit, boolean stalls, boolean criticalPath) {
            this.pool = new LanePool<>(new LaneSettings(initial, limit, initial, 60 * SECOND, 1));
            this.stalls = stalls;
            this.criticalPath = criticalPath;
        }

        Means run() {
            for (int lane : pool.changes(0).open()) {
                pool.opened(lane, 0);
            }
            long due = 0;
            for (int i = 0; i < PROBES; i++) {
                due += (long) (-Math.log(1 - random.nextDouble()) * 50 * MILLI);
                Probe probe = new Probe();
                probe.due = due;
                add(due, What.DUE, probe, 0);
            }
            while (!events.isEmpty()) {
                Event event = events.remove();
                switch (event.what()) {
                    case DUE ->
                            pool.request(event.probe(), LEADER, event.at()).ifPresent(this::send);
                    case RELEASED ->
                            pool.release(event.probe(), LEADER, event.probe().lane, event.at())
                                    .forEach(this::send);
                    case LANE_OPEN -> pool.opened(event.lane(), event.at()).forEach(this::send);
                }
                LanePool.Changes<Probe> step = pool.changes(event.at());
                step.grants().forEach(this::send);
                for (int lane : step.open()) {
                    add(event.at() + 40 * MILLI, What.LANE_OPEN, null, lane);
                }
            }
            return means();
        }

        private void add(long at, What what, Probe probe, int lane) {
            events.add(new Event(at, order++, what, probe, lane));
        }

        private void send(LaneGrant<Probe> grant) {
            Probe probe = grant.probe();
            long t1 = grant.grantedAt() + 50 * MICRO;
            long t2 = t1 + 300 * MICRO + random.nextInt(200_000);
            long t3 = t2 + 500 * MICRO + random.nextInt(400_000);
            long intoSecond = Math.floorMod(t3, SECOND);
            if (stalls && intoSecond < 400 * MILLI) {
                t3 += 400 * MILLI - intoSecond;
            }
            waits += grant.waitedNanos() > 0 ? 1 : 0;
            probe.lane = grant.lane();
            probe.front = grant.front();
            probe.granted = grant.grantedAt();
            probe.released = t3 + 200 * MICRO;
            probe.instants = new Instants(probe.due, t1, t2, t3, t3, t3 + 300 * MICRO);
            add(probe.released, What.RELEASED, probe, 0);
            done.add(probe);
        }

        private Means means() {
            long[] sums = new long[4];
            // Whoever is in front was sent before: its stretch is there.
            for (Probe probe : done) {
                Instants at = probe.instants;
                Timeline delivered = Timeline.ofProbe(at);
                probe.request =
                        Timeline.ofRequest(
                                at.t0(), at.t1(), at.t2(), at.t3(), probe.released, Acks.ALL);
                if (probe.front.isPresent() && criticalPath) {
                    Wait wait = new Wait(probe.front.get().request, at.t0(), probe.granted);
                    delivered = delivered.behind(wait);
                    probe.request = probe.request.behind(wait);
                }
                PhaseBreakdown phases = delivered.breakdown();
                assertThat(phases.total()).isEqualTo(at.t5() - at.t0());
                sums[0] += phases.produce();
                sums[1] += phases.publish();
                sums[2] += phases.commit();
                sums[3] += phases.fetch();
            }
            double scale = 1.0 / done.size() / MILLI;
            return new Means(
                    sums[0] * scale, sums[1] * scale, sums[2] * scale, sums[3] * scale, waits);
        }
    }

    @Test
    void enoughLanesPutTheStallIntoCommitBecauseNobodyWaits() {
        Means quiet = new Course(6, 32, false, false).run();
        Means stalled = new Course(6, 32, true, false).run();
        assertThat(stalled.waits()).isLessThan(PROBES / 100);
        assertThat(stalled.share(quiet)).isGreaterThan(0.97);
    }

    @Test
    void tooFewLanesBlameProduceByPositionAndCommitAlongTheCriticalPath() {
        for (int limit : new int[] {1, 2, 4}) {
            Means quiet = new Course(1, limit, false, false).run();
            Means byPosition = new Course(1, limit, true, false).run();
            Means onPath = new Course(1, limit, true, true).run();
            assertThat(byPosition.share(quiet)).as("%d lanes", limit).isLessThan(0.8);
            assertThat(onPath.share(quiet)).as("%d lanes", limit).isGreaterThan(0.95);
        }
    }
}
