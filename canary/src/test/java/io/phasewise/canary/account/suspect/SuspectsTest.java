/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.account.suspect;

import static io.phasewise.canary.account.suspect.MadeUpCluster.slow;
import static io.phasewise.canary.account.suspect.MadeUpCluster.stalls;
import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.account.Account;
import io.phasewise.canary.account.suspect.MadeUpCluster.Fault;
import io.phasewise.common.phase.Phase;
import io.phasewise.common.phase.Role;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Faults are named, soon, by their broker and role and no other; and no longer when they are over. */
class SuspectsTest {
    private static final List<Integer> ALL = List.of(1, 2, 3);
    private static final double HEALTHY = 60;
    private static final int CANARY = Account.NO_BROKER;

    private static Fault both(Fault one, Fault other) {
        return (path, leader, due, random) -> {
            one.add(path, leader, due, random);
            other.add(path, leader, due, random);
        };
    }

    private static Arguments fault(String what, Fault fault, double withinSeconds, String... named) {
        return Arguments.of(what, fault, withinSeconds, Set.of(named));
    }

    /** What, how, named after so many seconds in the median, and who: every one of them and nobody else. */
    static Stream<Arguments> faults() {
        Fault coldPublish = slow(List.of(2), Phase.PUBLISH, 2, Role.NETWORK_THREADS, 0.1);
        Fault coldCommit = slow(List.of(2), Phase.COMMIT, 2, Role.NETWORK_THREADS, 3.7);
        Fault coldFetch = slow(List.of(2), Phase.FETCH, 2, Role.NETWORK_THREADS, 1.2);
        return Stream.of(
                fault(
                        "broker 2 paused for a second of every ten",
                        both(
                                stalls(List.of(2), Phase.PUBLISH, 2, Role.PROCESS, HEALTHY, 10, 1),
                                stalls(List.of(1, 3), Phase.COMMIT, 2, Role.PROCESS, HEALTHY, 10, 1)),
                        5,
                        "2 PROCESS"),
                fault(
                        "broker 2 paused for a minute",
                        stalls(ALL, Phase.COMMIT, 2, Role.PROCESS, HEALTHY, 1000, 60),
                        5,
                        "2 PROCESS"),
                fault(
                        "request handlers of broker 1 busy",
                        slow(List.of(1), Phase.PUBLISH, 1, Role.HANDLERS, 0.3),
                        7,
                        "1 HANDLERS"),
                fault(
                        "request handlers of broker 1 a little busy",
                        slow(List.of(1), Phase.PUBLISH, 1, Role.HANDLERS, 0.03),
                        20,
                        "1 HANDLERS"),
                fault("slow disk of broker 3", slow(List.of(3), Phase.PUBLISH, 3, Role.DISK, 0.15), 7, "3 DISK"),
                fault(
                        "slow disk of broker 3 as a follower",
                        slow(List.of(1, 2), Phase.COMMIT, 3, Role.DISK, 0.15),
                        7,
                        "3 DISK"),
                fault("cold reads of broker 2", both(both(coldPublish, coldCommit), coldFetch), 7, "2 NETWORK_THREADS"),
                fault(
                        "cold reads of two brokers",
                        both(coldCommit, slow(List.of(1), Phase.COMMIT, 1, Role.NETWORK_THREADS, 3)),
                        7,
                        "2 NETWORK_THREADS",
                        "1 NETWORK_THREADS"),
                fault("follower 3 slow", slow(List.of(1, 2), Phase.COMMIT, 3, Role.FOLLOWER, 0.4), 7, "3 FOLLOWER"),
                fault(
                        "network of leader 2 slow, to everybody",
                        both(
                                slow(List.of(2), Phase.FETCH, 2, Role.NETWORK, 0.2),
                                both(
                                        slow(List.of(2), Phase.COMMIT, 3, Role.NETWORK, 0.2),
                                        slow(List.of(1, 3), Phase.COMMIT, 2, Role.NETWORK, 0.2))),
                        7,
                        "2 NETWORK"),
                fault(
                        "path from leaders to follower 3 slow",
                        slow(List.of(1, 2), Phase.COMMIT, 3, Role.NETWORK, 0.2),
                        7,
                        "3 NETWORK"),
                fault(
                        "one path between canary and broker 2 slow",
                        slow(List.of(2), Phase.PUBLISH, 2, Role.NETWORK, 0.2),
                        7,
                        "2 NETWORK"),
                fault(
                        "the canary's own path slow",
                        both(
                                slow(List.of(1), Phase.FETCH, 1, Role.NETWORK, 0.2),
                                both(
                                        slow(List.of(2), Phase.FETCH, 2, Role.NETWORK, 0.2),
                                        slow(List.of(3), Phase.FETCH, 3, Role.NETWORK, 0.2))),
                        7,
                        CANARY + " NETWORK"),
                fault(
                        "the canary itself slow",
                        slow(ALL, Phase.PRODUCE, CANARY, Role.CLIENT, 0.2),
                        7,
                        CANARY + " CLIENT"),
                fault(
                        "changes are committed slowly by controller 1",
                        slow(ALL, Phase.CATCH_UP, 1, Role.CONTROLLER, 0.8),
                        7,
                        "1 CONTROLLER"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faults")
    void namedSoonAndNobodyElse(String what, Fault fault, double within, Set<String> who) {
        List<Double> delays = new ArrayList<>();
        for (int seed = 0; seed < 9; seed++) {
            MadeUpCluster cluster = new MadeUpCluster(seed).learned();
            assertThat(cluster.run(HEALTHY + seed / 9.0).suspects().named())
                    .as("nobody, while all is well")
                    .isEmpty();
            double began = cluster.now();
            cluster.with(fault);
            double delay = Double.NaN;
            for (int i = 0; i < 600; i++) {
                Set<String> named = said(cluster.tick());
                assertThat(who).as("all that is named, with seed %d", seed).containsAll(named);
                if (Double.isNaN(delay) && named.equals(who)) {
                    delay = cluster.now() - began;
                }
            }
            assertThat(delay).as("named at all, with seed %d", seed).isNotNaN();
            delays.add(delay);

            cluster.without(fault).run(70);
            assertThat(cluster.suspects().named()).as("named no longer").isEmpty();
        }
        delays.sort(null);
        assertThat(delays.get(4)).as("median of %s", delays).isLessThanOrEqualTo(within);
    }

    private static Set<String> said(Collection<Suspect> named) {
        Set<String> said = new TreeSet<>();
        named.forEach(each -> said.add(each.broker() + " " + each.role()));
        return said;
    }

    @Test
    void coldReadsAreSaidInCommitAndFetchWithTheirSeconds() {
        Fault cold = both(
                slow(List.of(2), Phase.COMMIT, 2, Role.NETWORK_THREADS, 3.7),
                slow(List.of(2), Phase.FETCH, 2, Role.NETWORK_THREADS, 1.2));
        Suspect named = new MadeUpCluster(1)
                .withoutOpenProbes()
                .run(30)
                .with(cold)
                .run(120)
                .suspects()
                .named()
                .get(0);

        assertThat(named.phases()).containsOnlyKeys(Phase.COMMIT, Phase.FETCH);
        assertThat(named.phases().get(Phase.COMMIT)).isBetween(3.7 * 0.8, 3.7 * 1.2);
        assertThat(named.phases().get(Phase.FETCH)).isBetween(1.2 * 0.8, 1.2 * 1.2);
        assertThat(named.leaders()).containsExactly(2);
        assertThat(named.sinceNanos() / 1e9).isBetween(30.0, 36.0);
    }

    @Test
    void aStallThatLastsIsNamedWhileItLasts() {
        Fault gone = stalls(ALL, Phase.COMMIT, 3, Role.PROCESS, 60, 1000, 1000);
        MadeUpCluster cluster = new MadeUpCluster(2).with(gone).run(60);

        assertThat(cluster.suspects().named()).isEmpty();
        assertThat(said(cluster.run(2).suspects().named())).containsExactly("3 PROCESS");
    }

    @Test
    void oneStallOfASecondIsNamedWithinFiveSecondsAlsoWhereNothingIsKnownOfOpenProbes() {
        List<Double> delays = new ArrayList<>();
        for (int seed = 0; seed < 25; seed++) {
            double from = 60 + seed / 25.0;
            MadeUpCluster cluster = new MadeUpCluster(seed)
                    .withoutOpenProbes()
                    .with(stalls(List.of(1), Phase.PUBLISH, 1, Role.HANDLERS, from, 1000, 1))
                    .run(60);
            double delay = Double.NaN;
            for (int i = 0; i < 80 && Double.isNaN(delay); i++) {
                delay = cluster.tick().isEmpty() ? delay : cluster.now() - from;
            }
            assertThat(delay).as("with seed %d", seed).isNotNaN();
            delays.add(delay);
        }
        delays.sort(null);
        assertThat(delays.get(12)).as("median of %s", delays).isBetween(2.0, 5.0);
        assertThat(delays.get(24)).as("longest of %s", delays).isLessThanOrEqualTo(7.0);
    }

    @Test
    void noNetworkAndNoCanaryIsNamedBeforeItHasLearned() {
        MadeUpCluster cluster = new MadeUpCluster(3)
                .with(slow(List.of(2), Phase.FETCH, 2, Role.NETWORK, 1))
                .with(slow(ALL, Phase.PRODUCE, CANARY, Role.CLIENT, 1));
        for (int i = 0; i < 19 * 600; i++) {
            assertThat(cluster.tick()).isEmpty();
        }
        assertThat(cluster.suspects().learnedMinutes()).isBetween(17, 19);
    }

    @Test
    void unknownIsNeverNamed() {
        MadeUpCluster cluster = new MadeUpCluster(4).with(slow(ALL, Phase.COMMIT, 2, Role.UNKNOWN, 5));

        assertThat(cluster.run(120).suspects().named()).isEmpty();
    }

    private static final Account NINE_MILLIS =
            new Account.Builder().add(Phase.PUBLISH, 1, Role.DISK, 9_000_000).build();

    @Test
    void theFollowerOfOneSlowPathIsNotNamedWhileNobodyKnowsWhyAnotherOneIsAwaitedAsLong() {
        Fault onePath = slow(List.of(2), Phase.COMMIT, 3, Role.NETWORK, 0.4);

        MadeUpCluster doubtful = new MadeUpCluster(1).learned();
        doubtful.with(both(onePath, slow(List.of(2), Phase.COMMIT, 1, Role.UNKNOWN, 2)));
        assertThat(doubtful.run(30).suspects().named()).isEmpty();

        MadeUpCluster plain = new MadeUpCluster(1).learned();
        plain.with(both(onePath, slow(List.of(2), Phase.COMMIT, 1, Role.UNKNOWN, 0.1)));
        assertThat(plain.run(30).suspects().named())
                .extracting(each -> each.broker() + " " + each.role())
                .containsExactly("3 NETWORK");
    }

    private static void second(Suspects suspects, int leader, int partition, long second) {
        for (int i = 0; i < 20; i++) {
            suspects.add(leader, partition, second * MadeUpCluster.SECOND + i, NINE_MILLIS);
        }
    }

    /** All accounts of three seconds come with one page. */
    @Test
    void aHealthyWaitIsNotMultipliedWherePagesComeEveryThreeSeconds() {
        Suspects suspects = new Suspects(nanos -> Instant.EPOCH);
        for (int now = 6; now < 600; now++) {
            for (int ago = 5; ago >= 3 && now % 3 == 0; ago--) {
                second(suspects, 1, 1, now - ago);
            }
            suspects.turn(now * MadeUpCluster.SECOND);
            assertThat(suspects.named()).as("after %d s", now).isEmpty();
        }
    }

    @Test
    void aHealthyWaitIsNotMultipliedWhereALeaderTakesAnothersPartition() {
        Suspects suspects = new Suspects(nanos -> Instant.EPOCH);
        for (int now = 0; now < 300; now++) {
            second(suspects, 1, 1, now);
            second(suspects, now < 150 ? 2 : 1, 2, now);
            suspects.turn((now + 1) * MadeUpCluster.SECOND);
            assertThat(suspects.named()).as("after %d s", now).isEmpty();
        }
    }

    @Test
    void severalProfilesNameNoMoreThanOne() {
        List<List<Suspect>> named = new ArrayList<>();
        for (int profile = 0; profile < 4; profile++) {
            List<Suspect> of = new ArrayList<>();
            for (int broker = 0; broker < 10; broker++) {
                of.add(new Suspect(
                        profile * 10 + broker,
                        Role.DISK,
                        Map.of(Phase.PUBLISH, profile == 3 ? 0.1 : 1.0),
                        List.of(1),
                        0));
            }
            named.add(of);
        }
        assertThat(Suspect.merged(named)).hasSize(20);
        assertThat(Suspect.merged(named.subList(2, 4)))
                .as("a tenth of the longest wait is not named beside it")
                .hasSize(10);
    }

    @Test
    void fewerThanFiveProbesNameNobody() {
        for (int probes : List.of(4, 5)) {
            Suspects suspects = new Suspects(nanos -> null);
            suspects.turn(0);
            for (int i = 0; i < probes; i++) {
                suspects.add(
                        1,
                        1,
                        i,
                        new Account.Builder()
                                .add(Phase.COMMIT, 2, Role.DISK, MadeUpCluster.SECOND)
                                .build());
            }
            suspects.turn(3 * MadeUpCluster.SECOND);
            assertThat(suspects.named()).as("%d probes", probes).hasSize(probes == 5 ? 1 : 0);
        }
    }

    @Test
    void aNameIsGoneFifteenSecondsAfterTheLastExcess() {
        double end = 60;
        MadeUpCluster cluster = new MadeUpCluster(5)
                .withoutOpenProbes()
                .with(stalls(List.of(1), Phase.PUBLISH, 1, Role.PROCESS, end - 1, 1000, 1))
                .run(end + 4);
        assertThat(cluster.suspects().named()).isNotEmpty();
        assertThat(cluster.run(11).suspects().named()).isNotEmpty();
        assertThat(cluster.run(6).suspects().named()).isEmpty();
    }

    @Test
    void theSameAccountsGiveTheSameNames() {
        List<List<Suspect>> runs = new ArrayList<>();
        for (int run = 0; run < 2; run++) {
            MadeUpCluster cluster = new MadeUpCluster(6)
                    .learned()
                    .run(HEALTHY)
                    .with(slow(List.of(1, 2), Phase.COMMIT, 3, Role.NETWORK, 0.1))
                    .with(stalls(ALL, Phase.PUBLISH, 1, Role.PROCESS, 0, 7, 1));
            List<Suspect> all = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                all.addAll(cluster.tick());
            }
            runs.add(all);
        }
        assertThat(runs.get(0)).isNotEmpty().isEqualTo(runs.get(1));
    }

    /** Twelve probes a minute. */
    private static void path(
            Suspects suspects, Duration from, Duration until, double seconds, Consumer<Duration> then) {
        Account account = new Account.Builder()
                .add(Phase.PUBLISH, 1, Role.NETWORK, Math.round(seconds * 1e9))
                .add(Phase.PUBLISH, 1, Role.HANDLERS, 1)
                .build();
        for (long second = from.toSeconds(); second < until.toSeconds(); second++) {
            if (second % 5 == 0) {
                suspects.add(1, 1, second * MadeUpCluster.SECOND, account);
            }
            suspects.turn((second + 1) * MadeUpCluster.SECOND);
            then.accept(Duration.ofSeconds(second).minus(from));
        }
    }

    @Test
    void aSlowPathStaysNamedForHoursAndALastingOneIsUsualAfterADay() {
        Suspects suspects = new Suspects(Instant.EPOCH::plusNanos);
        Duration slow = Duration.ofMinutes(30);
        path(suspects, Duration.ZERO, slow, 0.001, now -> {});
        path(suspects, slow, slow.plusDays(1), 0.3, now -> {
            if (now.compareTo(Duration.ofMinutes(1)) > 0 && now.compareTo(Duration.ofHours(22)) < 0) {
                assertThat(said(suspects.named())).as("after %s", now).containsExactly("1 NETWORK");
            } else if (now.compareTo(Duration.ofMinutes(23 * 60 + 20)) > 0) {
                assertThat(suspects.named()).as("after %s", now).isEmpty();
            }
        });
        path(suspects, slow.plusDays(1), slow.plusDays(1).plusMinutes(1), 0.9, now -> {});
        assertThat(said(suspects.named())).as("slower again").containsExactly("1 NETWORK");
    }
}
