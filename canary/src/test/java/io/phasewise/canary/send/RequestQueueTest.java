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
import io.phasewise.common.phase.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.kafka.clients.producer.DispatchTimingProducer.Dispatch;
import org.junit.jupiter.api.Test;

/** What requests wait behind, against a connection worked out event by event. */
class RequestQueueTest {

    /** One request on a connection to a broker that takes one at a time. */
    private record Request(
            long sequence,
            int outstanding,
            long ready,
            long dispatched,
            long read,
            long appended,
            long committed,
            long completed) {

        Dispatch dispatch() {
            return new Dispatch(1, sequence, outstanding, dispatched, completed, true);
        }

        Timeline own() {
            return Timeline.ofRequest(ready, dispatched, appended, committed, completed, Acks.ALL);
        }

        Instants probe() {
            return new Instants(ready, dispatched, appended, committed, committed, completed + 3);
        }
    }

    /**
     * A producer that sends what is ready as soon as the window lets it, and a broker that answers
     * one request before it reads the next.
     */
    private static List<Request> connection(Random random, int length, int window, int delay) {
        List<Request> requests = new ArrayList<>();
        long ready = 0;
        for (int k = 0; k < length; k++) {
            ready += random.nextInt(random.nextInt(4) == 0 ? 60 : 6);
            Request before = k == 0 ? null : requests.get(k - 1);
            long dispatched = before == null ? ready : Math.max(ready, before.dispatched());
            if (k >= window) {
                dispatched = Math.max(dispatched, requests.get(k - window).completed());
            }
            long at = dispatched;
            int outstanding = (int) requests.stream().filter(r -> r.completed() > at).count();
            long read = Math.max(dispatched + delay, before == null ? 0 : before.committed());
            long appended = read + random.nextInt(4);
            long committed = appended + 1 + random.nextInt(random.nextInt(6) == 0 ? 200 : 8);
            requests.add(
                    new Request(
                            k,
                            outstanding,
                            ready,
                            dispatched,
                            read,
                            appended,
                            committed,
                            committed + delay));
        }
        return requests;
    }

    @Property(tries = 300)
    void whoeverIsReadyAndUnreadIsInThePhaseOfTheRequestThatTheBrokerIsBusyWith(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 40) int length,
            @ForAll @IntRange(min = 1, max = 6) int window,
            @ForAll @IntRange(min = 0, max = 5) int delay) {
        List<Request> requests = connection(new Random(seed), length, window, delay);
        RequestQueue queue = new RequestQueue(window);
        for (Request request : requests) {
            List<Wait> waits = queue.waits(request.dispatch(), request.ready());
            Timeline timeline = Timeline.ofProbe(request.probe());
            PhaseBreakdown byPosition = timeline.breakdown();
            for (Wait wait : waits) {
                timeline = timeline.behind(wait);
            }
            for (Request busy : requests) {
                if (busy.sequence() >= request.sequence()) {
                    break;
                }
                for (long t = Math.max(busy.read(), request.ready()); t < busy.committed(); t++) {
                    Phase phase = t < busy.appended() ? Phase.PUBLISH : Phase.COMMIT;
                    // An answer on its way back keeps the window full while the broker goes on.
                    Phase orElse = delay == 0 ? phase : Phase.FETCH;
                    assertThat(timeline.at(t))
                            .as("%s at %d, behind %s", request, t, busy)
                            .isIn(phase, orElse);
                }
            }
            PhaseBreakdown onPath = timeline.breakdown();
            assertThat(onPath.total()).isEqualTo(byPosition.total());
            assertThat(onPath.commit()).isGreaterThanOrEqualTo(byPosition.commit());
            assertThat(onPath.catchUp()).isEqualTo(byPosition.catchUp());
            assertThat(onPath.fetch()).isGreaterThanOrEqualTo(byPosition.fetch());
            queue.add(request.dispatch(), request.ready(), request.own(), request.committed());
        }
    }

    @Test
    void aRequestWithNothingInFrontWaitsForNobody() {
        RequestQueue queue = behindOneFromTenTo(20, 5);

        assertThat(queue.waits(new Dispatch(1, 1, 0, 30, 40, true), 25)).isEmpty();
    }

    @Test
    void lingeringIsNotAWait() {
        RequestQueue queue = behindOneFromTenTo(50, 1);

        Timeline waiting = Timeline.ofProbe(new Instants(15, 51, 52, 53, 53, 54));
        // Due at 15, but its batch was ready at 40 only: from then on it waits for the window.
        for (Wait wait : queue.waits(new Dispatch(1, 1, 0, 51, 60, true), 40)) {
            waiting = waiting.behind(wait);
        }
        assertThat(waiting.breakdown()).isEqualTo(new PhaseBreakdown(25 + 1, 1, 9 + 1, 0, 1 + 1));
    }

    private static RequestQueue behindOneFromTenTo(long completed, int window) {
        RequestQueue queue = new RequestQueue(window);
        long committed = completed - 1;
        queue.add(
                new Dispatch(1, 0, 0, 10, completed, true),
                10,
                Timeline.ofRequest(10, 10, 12, committed, completed, Acks.ALL),
                committed);
        return queue;
    }

    @Test
    void aRequestWhosePredecessorIsNotKnownIsLeftByPosition() {
        RequestQueue queue = new RequestQueue(5);
        assertThat(queue.waits(new Dispatch(1, 7, 3, 30, 40, true), 25)).isEmpty();
    }
}
