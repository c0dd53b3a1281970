/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.it.Fitness.Ability;
import io.phasewise.canary.it.Fitness.Role;
import io.phasewise.canary.it.KernelSample.Processors;
import io.phasewise.canary.it.KernelSample.ThreadId;
import io.phasewise.canary.it.KernelSample.Waits;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class FitnessTest {
    private static final Role PRODUCER = new Role("producer", "kafka-p", 2);
    private static final Role REQUESTS = new Role("brokers' requests", "data-pl", 6);
    private static final List<Role> PATH = List.of(PRODUCER, REQUESTS);
    private static final ThreadId SENDER = new ThreadId("canary", PRODUCER.name(), 11);
    private static final ThreadId FIRST = new ThreadId("broker 1", REQUESTS.name(), 21);
    private static final ThreadId SECOND = new ThreadId("broker 2", REQUESTS.name(), 31);

    /** Everything ran a hundred times; allowed are 10 ms. */
    private static Fitness judge(Map<ThreadId, Double> waitedMsEach, double steal, double some) {
        Map<ThreadId, Waits> before = new HashMap<>();
        Map<ThreadId, Waits> after = new HashMap<>();
        waitedMsEach.forEach(
                (thread, ms) -> {
                    before.put(thread, new Waits(5_000_000_000L, 7_000));
                    after.put(thread, new Waits(5_000_000_000L + (long) (ms * 1e8), 7_100));
                });
        return Fitness.between(sample(0, 0, 0, before), sample(1, steal, some, after), PATH, 10);
    }

    /**
     * @param steal share of the processors' time
     * @param some share of the time in which somebody waited
     */
    private static KernelSample sample(
            int second, double steal, double some, Map<ThreadId, Waits> threads) {
        return new KernelSample(
                second * 1_000_000_000L,
                OptionalLong.of((long) (some * 1e6)),
                Optional.of(new Processors(50 * second, (long) (steal * 200), 200 * second)),
                threads);
    }

    @Test
    void aMachineThatExplainsLittleIsFit() {
        Fitness fitness = judge(Map.of(SENDER, 1.0, FIRST, 1.0, SECOND, 0.5), 0.01, 1);
        assertThat(fitness.ability()).as(fitness.reason()).isEqualTo(Ability.FIT);
        assertThat(fitness.reason())
                .isEqualTo(
                        "the machine explains 9.0 ms of a request's latency, allowed are 10.0:"
                                + " 1.0 ms by the hypervisor (steal 1.0 %),"
                                + " 2.0 ms in 2 waits for a processor of the producer"
                                + " (1.00 ms each, canary),"
                                + " 6.0 ms in 6 waits for a processor of the brokers' requests"
                                + " (1.00 ms each, broker 1);"
                                + " processors 25 % idle, CPU pressure 100 %");
    }

    @Test
    void theClientsThreadsMayWaitTooLong() {
        Fitness fitness = judge(Map.of(SENDER, 5.1, FIRST, 0.0), 0, 0.3);
        assertThat(fitness.ability()).isEqualTo(Ability.UNFIT);
        assertThat(fitness.reason()).contains("10.2 ms in 2 waits", "of the producer", "canary");
    }

    @Test
    void oneBrokersThreadsMayWaitTooLongThoughTheOthersDoNot() {
        Fitness fitness = judge(Map.of(SENDER, 0.0, FIRST, 0.0, SECOND, 2.0), 0, 0.3);
        assertThat(fitness.ability()).isEqualTo(Ability.UNFIT);
        assertThat(fitness.reason()).contains("12.0 ms in 6 waits", "2.00 ms each, broker 2");
    }

    @Test
    void theHypervisorMayWithholdTooMuch() {
        Fitness fitness = judge(Map.of(SENDER, 0.0, FIRST, 0.0), 0.15, 0);
        assertThat(fitness.ability()).isEqualTo(Ability.UNFIT);
        assertThat(fitness.reason()).contains("15.0 ms by the hypervisor (steal 15.0 %)");
    }

    @Test
    void whatExplainsLittleEachMayExplainTooMuchTogether() {
        assertThat(judge(Map.of(SENDER, 2.0, FIRST, 0.5), 0.04, 0).ability())
                .isEqualTo(Ability.UNFIT);
    }

    @Test
    void threadsThatWaitBeforeTheStretchOrAreNotOnThePathDoNotCount() {
        // Five seconds were waited before, see judge().
        ThreadId other = new ThreadId("canary", "page", 12);
        assertThat(judge(Map.of(SENDER, 0.1, FIRST, 0.1, other, 50.0), 0, 0).ability())
                .isEqualTo(Ability.FIT);
    }

    @Test
    void aThreadThatIsNewCountsFromItsStart() {
        Map<ThreadId, Waits> old = Map.of(SENDER, new Waits(0, 1));
        Map<ThreadId, Waits> more =
                Map.of(SENDER, new Waits(0, 2), FIRST, new Waits(40_000_000, 10));
        assertThat(Fitness.between(sample(0, 0, 0, old), sample(1, 0, 0, more), PATH, 10).ability())
                .isEqualTo(Ability.UNFIT);
    }

    @Test
    void withoutWaitsOfThreadsPressureTells() {
        assertThat(judge(Map.of(), 0, 0.4).ability()).isEqualTo(Ability.FIT);
        Fitness fitness = judge(Map.of(), 0, 0.5);
        assertThat(fitness.ability()).isEqualTo(Ability.UNFIT);
        assertThat(fitness.reason()).contains("12.0 ms in 8 waits of a time slice", "pressure 50");
    }

    @Test
    void whereThreadsOfOneRoleNeverRanNothingCanBeSaid() {
        Fitness fitness = judge(Map.of(SENDER, 0.0), 0, 0);
        assertThat(fitness)
                .isEqualTo(
                        new Fitness(
                                Ability.UNKNOWN,
                                "cannot judge: by schedstat no thread of the brokers' requests ran"
                                        + " (data-pl...)"));
    }

    @Test
    void withoutPressureAndWaitsOfThreadsNothingCanBeSaid() {
        KernelSample little =
                new KernelSample(
                        0, OptionalLong.empty(), Optional.of(new Processors(0, 0, 0)), Map.of());
        assertThat(Fitness.between(little, little, PATH, 10))
                .isEqualTo(
                        new Fitness(
                                Ability.UNKNOWN,
                                "cannot judge: neither /proc/pressure/cpu nor schedstat of the"
                                        + " threads"));
    }

    @Test
    void withoutProcessorTimesNothingCanBeSaid() {
        KernelSample nothing = new KernelSample(0, OptionalLong.of(0), Optional.empty(), Map.of());
        assertThat(Fitness.between(nothing, nothing, PATH, 10).ability())
                .isEqualTo(Ability.UNKNOWN);
    }
}
