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
import io.phasewise.canary.send.SimulatedConnection.Request;
import io.phasewise.common.phase.Phase;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.kafka.clients.producer.DispatchTimingProducer.Dispatch;
import org.junit.jupiter.api.Test;

/** What requests wait behind, against a connection worked out event by event. */
class RequestQueueTest {

    @Property(tries = 300)
    void whoeverIsReadyAndUnreadIsInThePhaseOfTheRequestThatTheBrokerIsBusyWith(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 40) int length,
            @ForAll @IntRange(min = 1, max = 6) int window,
            @ForAll @IntRange(min = 0, max = 5) int delay) {
        Random random = new Random(seed);
        List<Request> requests = new SimulatedConnection(
                        window,
                        delay,
                        () -> random.nextInt(random.nextInt(4) == 0 ? 60 : 6),
                        () -> random.nextInt(4),
                        at -> at + 1 + random.nextInt(random.nextInt(6) == 0 ? 200 : 8))
                .requests(length);
        RequestQueue queue = new RequestQueue(window);
        for (Request request : requests) {
            List<Wait> waits = queue.waits(request.dispatch(), request.ready());
            Timeline timeline = request.probe(request.dispatch().completed() + 3);
            PhaseBreakdown byPosition = timeline.breakdown();
            for (Wait wait : waits) {
                timeline = timeline.behind(wait);
            }
            for (Request busy : requests) {
                if (busy == request) {
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
    void lingeringIsNotAWait() {
        RequestQueue queue = new RequestQueue(1);
        Timeline front = Timeline.ofRequest(10, 10, 12, 49, 50, Acks.ALL);
        queue.add(new Dispatch(1, 0, 0, 10, 50, true), 10, front, 49);
        Timeline waiting = Timeline.ofProbe(new Instants(15, 51, 52, 53, 53, 54));
        // Due at 15, but its batch was ready at 40 only: from then on it waits for the window.
        for (Wait wait : queue.waits(new Dispatch(1, 1, 0, 51, 60, true), 40)) {
            waiting = waiting.behind(wait);
        }
        assertThat(waiting.breakdown()).isEqualTo(new PhaseBreakdown(25 + 1, 1, 9 + 1, 0, 1 + 1));
    }

    @Test
    void aRequestWhosePredecessorIsNotKnownIsLeftByPosition() {
        RequestQueue queue = new RequestQueue(5);
        assertThat(queue.waits(new Dispatch(1, 7, 3, 30, 40, true), 25)).isEmpty();
    }
}
