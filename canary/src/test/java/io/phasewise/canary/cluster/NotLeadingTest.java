/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.supervise.Problem;
import io.phasewise.canary.topic.TopicState;
import io.phasewise.canary.topic.TopicState.Broker;
import io.phasewise.canary.topic.TopicState.Partition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NotLeadingTest {
    private static final long PATIENCE = NotLeading.PATIENCE.toNanos();
    private static final long MINUTE = NotLeading.ASK_AGAIN.toNanos();

    private final List<Integer> asked = new ArrayList<>();
    private Optional<String> fault = Optional.of("log directory /d2 of that broker is offline");
    private final NotLeading notLeading = new NotLeading(broker -> {
        asked.add(broker);
        return fault;
    });

    /** Brokers 1 and 7; 7 should lead partition 0. */
    private static TopicState state(boolean live, int leader, Integer... inSync) {
        return new TopicState(
                List.of(new Broker(1, "h", 1, null, true), new Broker(7, "h", 1, null, live)),
                List.of(new Partition(0, leader, List.of(7, 1), List.of(inSync))),
                Map.of(),
                true);
    }

    private List<Problem> at(long now, TopicState state) throws InterruptedException {
        return notLeading.update(state, now);
    }

    @Test
    void aBrokerThatIsOutOfSyncForLongIsToldWithItsLogDirectory() throws Exception {
        assertThat(at(0, state(true, 1, 1))).isEmpty();
        assertThat(at(PATIENCE - 1, state(true, 1, 1))).isEmpty();
        assertThat(asked).isEmpty();

        assertThat(at(PATIENCE, state(true, 1, 1)))
                .containsExactly(new Problem(
                        "broker 7",
                        "no probe measures broker 7, although it is up: its replica of partition 0 is not in sync,"
                                + " so that it cannot lead; log directory /d2 of that broker is offline"));
    }

    @Test
    void itIsAskedOnceAMinuteOnly() throws Exception {
        at(0, state(true, 1, 1));
        at(PATIENCE, state(true, 1, 1));
        at(PATIENCE + MINUTE - 1, state(true, 1, 1));
        assertThat(asked).containsExactly(7);

        fault = Optional.empty();
        assertThat(at(PATIENCE + MINUTE, state(true, 1, 1)))
                .singleElement()
                .asString()
                .contains("see its log, and whether it catches up");
        assertThat(asked).containsExactly(7, 7);
    }

    @Test
    void whoeverLeadsOrCouldLeadOrIsDownIsNotTold() throws Exception {
        for (TopicState each : List.of(state(true, 7, 7, 1), state(true, 1, 7, 1), state(false, 1, 1))) {
            assertThat(at(0, each)).isEmpty();
            assertThat(at(2 * PATIENCE, each)).isEmpty();
        }
        assertThat(asked).isEmpty();
    }

    @Test
    void oneThatIsBackInSyncStartsAnew() throws Exception {
        at(0, state(true, 1, 1));
        at(PATIENCE, state(true, 7, 7, 1));
        assertThat(at(2 * PATIENCE, state(true, 1, 1))).isEmpty();
    }
}
