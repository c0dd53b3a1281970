/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.send;

import static io.phasewise.canary.send.StallingFollower.MICRO;
import static io.phasewise.canary.send.StallingFollower.MILLI;
import static io.phasewise.canary.send.StallingFollower.PROBES;
import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.phases.Acks;
import io.phasewise.canary.phases.Instants;
import io.phasewise.canary.phases.Timeline;
import io.phasewise.canary.phases.Wait;
import io.phasewise.canary.send.StallingFollower.Means;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lanes and attribution together, in a simulation: where does it say that a stall's time went? */
class StalledFollowerTest {
    private static final int LEADER = 1;

    private static final class Probe {
        final long due;
        long released;
        Timeline request;
        int lane;

        Probe(long due) {
            this.due = due;
        }
    }

    private record Event(long at, int order, Consumer<Long> what) {}

    /** One course of the simulation. */
    private static final class Course {
        final PriorityQueue<Event> events =
                new PriorityQueue<>(
                        Comparator.comparingLong(Event::at).thenComparingInt(Event::order));
        final StallingFollower follower;
        final LanePool<Probe> pool;
        final boolean criticalPath;
        int order;
        long waits;

        Course(int initial, int limit, boolean stalls, boolean criticalPath) {
            long quiet = 60_000 * MILLI;
            this.pool = new LanePool<>(new LaneSettings(initial, limit, initial, quiet, 1));
            this.follower = new StallingFollower(stalls);
            this.criticalPath = criticalPath;
        }

        Means run() {
            for (int lane : pool.changes(0).open()) {
                pool.opened(lane, 0);
            }
            for (int i = 0; i < PROBES; i++) {
                Probe probe = new Probe(follower.nextDue());
                then(probe.due, at -> pool.request(probe, LEADER, at).ifPresent(this::send));
            }
            while (!events.isEmpty()) {
                Event event = events.remove();
                event.what().accept(event.at());
                LanePool.Changes<Probe> step = pool.changes(event.at());
                step.grants().forEach(this::send);
                for (int lane : step.open()) {
                    then(event.at() + 40 * MILLI, at -> pool.opened(lane, at).forEach(this::send));
                }
            }
            return follower.means();
        }

        private void then(long at, Consumer<Long> what) {
            events.add(new Event(at, order++, what));
        }

        private void send(LaneGrant<Probe> grant) {
            Probe probe = grant.probe();
            long t1 = grant.grantedAt() + 50 * MICRO;
            long t2 = t1 + 300 * MICRO + follower.random.nextInt(200_000);
            long t3 = follower.committed(t2);
            long t5 = t3 + 300 * MICRO;
            waits += grant.waitedNanos() > 0 ? 1 : 0;
            probe.lane = grant.lane();
            probe.released = t3 + 200 * MICRO;
            then(
                    probe.released,
                    at -> pool.release(probe, LEADER, probe.lane, at).forEach(this::send));
            Timeline delivered = Timeline.ofProbe(new Instants(probe.due, t1, t2, t3, t3, t5));
            probe.request = Timeline.ofRequest(probe.due, t1, t2, t3, probe.released, Acks.ALL);
            if (grant.front().isPresent() && criticalPath) {
                // Whoever is in front was sent before: its stretch is there.
                Wait wait = new Wait(grant.front().get().request, probe.due, grant.grantedAt());
                delivered = delivered.behind(wait);
                probe.request = probe.request.behind(wait);
            }
            follower.add(delivered.breakdown(), t5 - probe.due);
        }
    }

    @Test
    void enoughLanesPutTheStallIntoCommitBecauseNobodyWaits() {
        Means quiet = new Course(6, 32, false, false).run();
        Course stalled = new Course(6, 32, true, false);

        assertThat(stalled.run().minus(quiet).shareOfCommit()).isGreaterThan(0.97);
        assertThat(stalled.waits).isLessThan(PROBES / 100);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void tooFewLanesBlameProduceByPositionAndCommitAlongTheCriticalPath(int limit) {
        Means quiet = new Course(1, limit, false, false).run();
        Means byPosition = new Course(1, limit, true, false).run();
        Means onPath = new Course(1, limit, true, true).run();

        assertThat(byPosition.minus(quiet).shareOfCommit()).isLessThan(0.8);
        assertThat(onPath.minus(quiet).shareOfCommit()).isGreaterThan(0.95);
    }
}
