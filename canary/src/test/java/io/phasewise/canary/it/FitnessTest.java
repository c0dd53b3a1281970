/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phasewise.canary.it.Fitness.Role;
import io.phasewise.canary.it.KernelSample.ThreadId;
import io.phasewise.canary.it.KernelSample.Waits;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FitnessTest {
    private static final Role PRODUCER = new Role("producer", "kafka-p", 2);
    private static final Role REQUESTS = new Role("brokers' requests", "data-pl", 6);
    private static final List<Role> PATH = List.of(PRODUCER, REQUESTS);
    private static final ThreadId SENDER = new ThreadId("canary", PRODUCER, 11);
    private static final ThreadId FIRST = new ThreadId("broker 1", REQUESTS, 21);
    private static final ThreadId SECOND = new ThreadId("broker 2", REQUESTS, 31);

    /** Everything ran a hundred times; allowed are 10 ms. */
    private static Fitness judge(Map<ThreadId, Double> waitedMsEach, double steal) {
        Map<ThreadId, Waits> before = new HashMap<>();
        Map<ThreadId, Waits> after = new HashMap<>();
        waitedMsEach.forEach(
                (thread, ms) -> {
                    before.put(thread, new Waits(5_000_000_000L, 7_000));
                    after.put(thread, new Waits(5_000_000_000L + (long) (ms * 1e8), 7_100));
                });
        return between(before, steal, after);
    }

    private static Fitness between(
            Map<ThreadId, Waits> before, double steal, Map<ThreadId, Waits> after) {
        return Fitness.between(
                new KernelSample(0, 0, before),
                new KernelSample((long) (steal * 200), 200, after),
                PATH,
                10);
    }

    @Test
    void aMachineThatExplainsLittleIsFit() {
        Fitness fitness = judge(Map.of(SENDER, 1.0, FIRST, 1.0, SECOND, 0.5), 0.01);
        assertThat(fitness.fit()).as(fitness.reason()).isTrue();
        assertThat(fitness.reason())
                .contains(
                        "explains 9.0 ms of a request's latency, allowed are 10.0: 1.0 ms by",
                        "6.0 ms in 6 waits for a processor of the brokers' requests (1.00 ms each,"
                                + " broker 1)");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "the client's threads,               5.1, 0.0, 0.0, 0",
        "one broker's though not the other's, 0.0, 0.0, 2.0, 0",
        "the hypervisor,                     0.0, 0.0, 0.0, 0.15",
        "a little of each,                   2.0, 0.5, 0.0, 0.04",
    })
    void anyOfThemMayExplainTooMuch(
            String who, double sender, double first, double second, double steal) {
        Fitness fitness = judge(Map.of(SENDER, sender, FIRST, first, SECOND, second), steal);
        assertThat(fitness.fit()).as(fitness.reason()).isFalse();
    }

    @Test
    void threadsThatWaitBeforeTheStretchOrAreNotOnThePathDoNotCount() {
        // Five seconds were waited before, see judge().
        ThreadId other = new ThreadId("canary", new Role("page", "page", 0), 12);
        assertThat(judge(Map.of(SENDER, 0.1, FIRST, 0.1, other, 50.0), 0).fit()).isTrue();
    }

    @Test
    void aThreadThatIsNewCountsFromItsStart() {
        Map<ThreadId, Waits> old = Map.of(SENDER, new Waits(0, 1));
        Map<ThreadId, Waits> more =
                Map.of(SENDER, new Waits(0, 2), FIRST, new Waits(40_000_000, 10));
        assertThat(between(old, 0, more).fit()).isFalse();
    }

    @Test
    void whereThreadsOfOneRoleNeverRanNothingCanBeSaid() {
        assertThatThrownBy(() -> judge(Map.of(SENDER, 0.0), 0))
                .isInstanceOf(AssertionError.class)
                .hasMessage("cannot judge: by schedstat no thread of the brokers' requests ran");
    }
}
