/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.account.suspect;

import static io.phasewise.canary.account.suspect.MadeUpCluster.exponential;
import static io.phasewise.canary.account.suspect.MadeUpCluster.stalls;
import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.account.Account;
import io.phasewise.canary.account.suspect.MadeUpCluster.Fault;
import io.phasewise.common.phase.Phase;
import io.phasewise.common.phase.Role;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** An hour of what is no fault of anybody name nobody. */
class PlacebosTest {
    private static final List<Integer> ALL = List.of(1, 2, 3);

    static Stream<Arguments> placebos() {
        return Stream.of(
                Arguments.of("nothing", 0.0003, (Fault) (path, leader, due, random) -> {}),
                Arguments.of("every wait exponential with 2 ms", 0.002, (Fault) (path, leader, due, random) -> {}),
                Arguments.of("a pause of 50 to 200 ms of each broker, every ten seconds or so", 0.0003, collections()),
                Arguments.of("an election of 0.4 s every minute", 0.0003, elections()),
                Arguments.of("a busy host: everything takes longer, now more and now less", 0.0003, busyHost()),
                Arguments.of("the host without a processor for a second now and then", 0.0003, hostStalls()),
                Arguments.of("a network whose delay varies by 30 ms", 0.0003, variedNetwork()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("placebos")
    void nameNobody(String what, double healthy, Fault placebo) {
        for (int seed = 0; seed < 2; seed++) {
            MadeUpCluster cluster =
                    new MadeUpCluster(seed).healthy(healthy).with(placebo).withoutOpenProbes();
            for (int i = 0; i < 3600 * 10; i++) {
                assertThat(cluster.tick())
                        .as("named after %s s, with seed %d", cluster.now(), seed)
                        .isEmpty();
            }
        }
    }

    /** Of a number of the second and of the broker: the same for all probes of that second. */
    private static double drawn(long second, int broker) {
        return new SplittableRandom(31 * second + broker).nextDouble();
    }

    private static Fault collections() {
        return (path, leader, due, random) -> {
            for (int broker : ALL) {
                long block = (long) (due / 10);
                double begin = block * 10 + 9 * drawn(block, broker);
                double length = 0.05 + 0.15 * drawn(block, broker + 10);
                if (due >= begin && due < begin + length) {
                    path.add(
                            broker == leader ? Phase.PUBLISH : Phase.COMMIT,
                            broker,
                            Role.PROCESS,
                            begin + length - due);
                }
            }
        };
    }

    private static Fault elections() {
        return stalls(List.of(2), Phase.CATCH_UP, 1, Role.CONTROLLER, 7.7, 60, 0.4);
    }

    private static Fault busyHost() {
        return (path, leader, due, random) -> {
            double hour = 0.03 * (1 + drawn((long) due / 60, 0)) * (1 + drawn((long) due, 0));
            path.add(Phase.PUBLISH, leader, Role.HANDLERS, exponential(random, hour / 2));
            path.add(Phase.PUBLISH, leader, Role.DISK, exponential(random, hour / 3));
            path.add(Phase.FETCH, leader, Role.NETWORK_THREADS, exponential(random, hour / 2));
            path.add(Phase.COMMIT, leader % 3 + 1, Role.FOLLOWER, exponential(random, hour / 2));
            path.add(Phase.PRODUCE, Account.NO_BROKER, Role.CLIENT, exponential(random, hour / 10));
        };
    }

    private static Fault hostStalls() {
        return (path, leader, due, random) -> {
            double within = (due - 13.3) % 47;
            if (within >= 0 && within < 1) {
                path.add(Phase.PUBLISH, leader, Role.PROCESS, 1 - within);
            }
        };
    }

    private static Fault variedNetwork() {
        return (path, leader, due, random) -> {
            double delay = 0.06 + 0.03 * drawn((long) due / 20, leader);
            path.add(Phase.PUBLISH, leader, Role.NETWORK, delay);
            path.add(Phase.FETCH, leader, Role.NETWORK, delay);
        };
    }
}
