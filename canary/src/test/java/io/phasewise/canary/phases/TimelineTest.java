/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.phases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.phasewise.common.phase.Phase;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Attribution along the critical path, against its definition worked out instant by instant. */
class TimelineTest {

    @Test
    void frontThatWasNeverDispatchedCountsAsProduce() {
        Timeline front = Timeline.failedRequest(0, 100, 100);
        Instants waiting = new Instants(5, 100, 101, 102, 102, 103);
        assertThat(Timeline.ofProbe(waiting).behind(front).breakdown().produce())
                .isEqualTo(95);
    }

    @Test
    void newLaneEndsTheWaitBeforeTheFrontsRelease() {
        Timeline front = Timeline.ofRequest(0, 1, 2, 402, 403, Acks.ALL);
        Instants granted = new Instants(100, 160, 170, 175, 175, 180);
        assertThat(Timeline.ofProbe(granted).behind(new Wait(front, 0, 150)).breakdown())
                .isEqualTo(new PhaseBreakdown(10, 10, 55, 0, 5));
    }

    @Test
    void emptyStretchIsFine() {
        Timeline empty = Timeline.ofProbe(new Instants(7, 7, 7, 7, 7, 7));
        assertThat(empty.breakdown().total()).isZero();
        assertThat(empty.behind(Timeline.ofRequest(0, 1, 2, 3, 9, Acks.ALL))
                        .breakdown()
                        .total())
                .isZero();
    }

    /** One request of a random chain, its stretch as the definition wants it. */
    private record Link(Link front, long t0, long t1, long t2, long t3, long release, boolean failed, Acks acks) {

        /** The definition, word by word: slow and obvious. */
        Phase label(long t) {
            if (front != null && t < t2 && t >= front.t0 && t < front.release) {
                return front.label(t);
            }
            if (t < t1) {
                return Phase.PRODUCE;
            }
            if (failed || t < t2) {
                return Phase.PUBLISH;
            }
            return acks == Acks.ALL && t < t3 ? Phase.COMMIT : Phase.FETCH;
        }

        Timeline timeline(Timeline behind) {
            Timeline own = failed
                    ? Timeline.failedRequest(t0, t1, release)
                    : Timeline.ofRequest(t0, t1, t2, t3, release, acks);
            return behind == null ? own : own.behind(behind);
        }
    }

    private static List<Link> chain(Random random, int length, int step) {
        List<Link> links = new ArrayList<>();
        Link front = null;
        long due = random.nextInt(1000) - 500;
        for (int i = 0; i < length; i++) {
            due += random.nextInt(step) - (random.nextInt(4) == 0 ? 3 : 0);
            long t1 = due + random.nextInt(20);
            boolean afterFront = front != null && random.nextBoolean();
            if (afterFront) {
                t1 = Math.max(t1, front.release());
            }
            long t2 = t1 + random.nextInt(20);
            long t3 = t2 + random.nextInt(random.nextInt(5) == 0 ? 300 : 10);
            long release = t3 + random.nextInt(10);
            boolean failed = random.nextInt(8) == 0;
            Acks acks = random.nextInt(3) == 0 ? Acks.LEADER : Acks.ALL;
            if (failed) {
                t2 = release;
            }
            front = new Link(front, due, t1, t2, t3, release, failed, acks);
            links.add(front);
        }
        return links;
    }

    @Property(tries = 500)
    void chainResolvesAsTheRecursiveDefinitionSays(@ForAll long seed, @ForAll @IntRange(min = 1, max = 25) int length) {
        Timeline front = null;
        for (Link link : chain(new Random(seed), length, 15)) {
            Timeline own = link.timeline(null);
            Timeline timeline = link.timeline(front);
            Map<Phase, Long> charged = new EnumMap<>(Phase.class);
            for (long t = link.t0(); t < link.release(); t++) {
                assertThat(timeline.at(t)).as("at %d of %s", t, link).isEqualTo(link.label(t));
                charged.merge(link.label(t), 1L, Long::sum);
            }
            for (Phase phase : Phase.values()) {
                assertThat(timeline.breakdown().of(phase)).isEqualTo(charged.getOrDefault(phase, 0L));
            }
            assertThat(timeline.breakdown().total()).isEqualTo(own.breakdown().total());
            front = timeline;
        }
    }

    /** A queue: who is in it, each served after the one before. All times are nanoseconds. */
    private static final class Queue {
        final Random random;
        final long gap;
        final long[][] served = new long[2_000][];
        Timeline front;
        long released;

        /** One whose requests are due that far apart, sooner than they can be served. */
        Queue(long seed, long gap) {
            this.random = new Random(seed);
            this.gap = gap;
        }

        void serve(int i) {
            long due = i * gap;
            long t1 = Math.max(released, due);
            long t2 = t1 + 1 + random.nextInt(random.nextInt(20) == 0 ? 60_000 : 3_000);
            long t3 = t2 + 1 + random.nextInt(3_000);
            released = t3 + 1 + random.nextInt(500);
            served[i] = new long[] {t1, t2, t3, released};
            Timeline own = Timeline.ofRequest(due, t1, t2, t3, released, Acks.ALL);
            front = front == null ? own : own.behind(front);
        }

        /** What the requests up to that one are in publish, commit and fetch since it was due. */
        long[] truth(int last) {
            long[] nanos = new long[3];
            for (int i = 0; i <= last; i++) {
                for (int phase = 0; phase < 3; phase++) {
                    long from = Math.max(last * gap, served[i][phase]);
                    nanos[phase] += Math.max(0, served[i][phase + 1] - from);
                }
            }
            return nanos;
        }

        long[] charged() {
            PhaseBreakdown charged = front.breakdown();
            return new long[] {charged.publish(), charged.commit(), charged.fetch()};
        }
    }

    @Property(tries = 50)
    void longChainStaysSmallAndKeepsTheTimeOfEachPhase(@ForAll long seed) {
        // All due at once: each stretch holds all those before it, whole.
        Queue queue = new Queue(seed, 0);
        for (int i = 0; i < queue.served.length; i++) {
            queue.serve(i);
            assertThat(queue.front.segments()).isLessThanOrEqualTo(Timeline.MAX_SEGMENTS);
            assertThat(queue.front.breakdown().total()).isEqualTo(queue.released);
        }
        assertThat(queue.charged()).isEqualTo(queue.truth(queue.served.length - 1));
    }

    /** The figure of the class's documentation; the worst of 200 seeds was 1.5 %. */
    @Property(tries = 20)
    void whoWaitsForAPartOfALongChainIsChargedItsPhases(
            @ForAll long seed, @ForAll @IntRange(min = 500, max = 3_000) int gap) {
        Queue queue = new Queue(seed, gap);
        for (int i = 0; i < queue.served.length; i++) {
            queue.serve(i);
            if (i % 100 == 99) {
                long length = queue.front.end() - queue.front.start();
                long[] truth = queue.truth(i);
                long[] charged = queue.charged();
                for (int phase = 0; phase < truth.length; phase++) {
                    assertThat((double) charged[phase] / length)
                            .as("share of the stretch of request %d, phase %d", i, phase)
                            .isCloseTo((double) truth[phase] / length, within(0.03));
                }
            }
        }
    }
}
