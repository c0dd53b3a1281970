/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.split;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.account.Account;
import io.phasewise.canary.account.OwnClients;
import io.phasewise.canary.marks.MarkStore;
import io.phasewise.canary.phases.Acks;
import io.phasewise.canary.phases.Attribution;
import io.phasewise.canary.phases.BrokerClocks;
import io.phasewise.canary.phases.Instants;
import io.phasewise.canary.phases.LeaderInstants;
import io.phasewise.canary.phases.PollLog;
import io.phasewise.canary.phases.ProbeEstimate;
import io.phasewise.canary.trip.OpenProbe;
import io.phasewise.canary.trip.SendResult;
import io.phasewise.common.marks.BusyMark;
import io.phasewise.common.marks.FetcherMark;
import io.phasewise.common.marks.FollowedMark;
import io.phasewise.common.marks.MarkPage;
import io.phasewise.common.marks.PauseMark;
import io.phasewise.common.marks.PendingMark;
import io.phasewise.common.marks.RecordMark;
import io.phasewise.common.phase.Role;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Whatever brokers report, and however far off: an account so far sums to the probe's age, and no part is negative. */
class OpenAccountsPropertyTest {
    private static final String TOPIC = "kPx0";
    private static final int BROKERS = 4;
    private static final long NOW = 10_000_000_000L;

    /** One state of things. */
    private static final class State {
        final Random random;
        final MarkStore store = new MarkStore(new OwnClients(Set.of(), Set.of("")), System::nanoTime);
        final Splitter splitter;
        final long[] ahead = new long[BROKERS];
        final Set<Role> seen = EnumSet.noneOf(Role.class);

        State(long seed) {
            random = new Random(seed);
            splitter = new Splitter(
                    new PhaseEstimator(
                            random.nextBoolean() ? Acks.ALL : Acks.LEADER,
                            Attribution.CRITICAL_PATH,
                            new PollLog(60_000_000_000L, 1_024),
                            new BrokerClocks()),
                    Optional.of(store),
                    new OwnWaits(
                            "consumer",
                            false,
                            random.nextInt(3) * 1_000_000L,
                            5_000_000_000L,
                            (from, to) -> Math.max(0, to - from) / (1 + random.nextInt(9))),
                    (reason, leader) -> {},
                    List.of((trip, breakdown) -> {}));
            splitter.topic(TOPIC);
            for (int broker = 0; broker < BROKERS; broker++) {
                ahead[broker] = random.nextLong() / 4;
                if (random.nextInt(5) > 0) {
                    long at = ahead[broker];
                    store.of(broker)
                            .learn(
                                    new ProbeEstimate(0, 0, 0, 0, 0, 0, Acks.ALL, 0, 0, (from, to) -> 0, List.of()),
                                    new LeaderInstants(at, at, at, at, new TreeMap<>(), at, at));
                }
                page(broker);
                if (random.nextInt(3) == 0) {
                    store.of(broker).silent();
                }
            }
        }

        /** Mostly within the last seconds, on a broker's clock; sometimes anywhere. */
        long there(int broker) {
            return random.nextInt(100) == 0
                    ? random.nextLong()
                    : ahead[broker] + NOW - (long) (random.nextDouble() * 4_000_000_000L);
        }

        Map<Integer, Long> some(int broker) {
            Map<Integer, Long> arrivals = new TreeMap<>();
            for (int follower = 0; follower < BROKERS; follower++) {
                if (follower != broker && random.nextBoolean()) {
                    arrivals.put(follower, there(broker));
                }
            }
            return arrivals;
        }

        void page(int broker) {
            long made = random.nextBoolean() ? there(broker) : ahead[broker] + NOW - random.nextInt(900_000_000);
            MarkPage page = MarkPage.second("boot" + broker, true, 1, 0)
                    .withBusy(true)
                    .ofBroker(broker)
                    .madeAt(made);
            for (int i = 0; i < 40; i++) {
                long began = there(broker);
                boolean appended = random.nextInt(4) > 0;
                page.add(new PendingMark(
                        TOPIC,
                        random.nextInt(2),
                        5,
                        i + 12,
                        appended ? i + 12 + random.nextInt(3) : MarkPage.UNKNOWN,
                        random.nextInt(6) == 0 ? MarkPage.UNKNOWN : began - random.nextInt(5_000_000),
                        began,
                        appended ? began + random.nextInt(50_000_000) : MarkPage.UNKNOWN,
                        some(broker),
                        Map.of()));
            }
            for (int i = 0; i < 4; i++) {
                page.add(new RecordMark(
                        TOPIC,
                        random.nextInt(2),
                        5,
                        i,
                        i,
                        there(broker),
                        there(broker),
                        there(broker),
                        there(broker),
                        some(broker),
                        Map.of()));
                page.add(new BusyMark(i % 3, there(broker), there(broker), random.nextInt(5_000_000)));
                long received = there(broker) - 1_000_000_000;
                long sent = received + random.nextInt(2_000_000_000);
                page.add(new FetcherMark(
                        random.nextInt(BROKERS),
                        0,
                        i % 3,
                        received,
                        there(broker),
                        there(broker),
                        sent - random.nextInt(50_000_000),
                        sent));
            }
            for (int i = 0; i < 12; i++) {
                page.add(new FollowedMark(
                        random.nextInt(BROKERS),
                        0,
                        i,
                        TOPIC,
                        random.nextInt(2),
                        5,
                        i * 3,
                        random.nextInt(900_000_000),
                        random.nextInt(900_000_000),
                        random.nextInt(3) * 50_000_000L));
            }
            page.add(new PauseMark(there(broker), there(broker)));
            store.add(broker, MarkPage.parse(page.toString()));
        }

        OpenProbe probe() {
            long due = NOW - 100_000_000 - (long) (random.nextDouble() * 3_000_000_000L);
            long handedOver = random.nextInt(4) == 0 ? Instants.UNKNOWN : due + random.nextInt(20_000_000);
            SendResult sent = null;
            if (handedOver != Instants.UNKNOWN && random.nextInt(3) == 0) {
                List<Long> dispatches = new ArrayList<>();
                for (int i = random.nextInt(3); i >= 0; i--) {
                    dispatches.add(handedOver + dispatches.size() * 30_000_000L);
                }
                boolean acknowledged = random.nextInt(4) > 0;
                sent = new SendResult(
                        dispatches,
                        acknowledged ? due + random.nextInt(2_000_000_000) : Instants.UNKNOWN,
                        random.nextInt(BROKERS),
                        List.of(),
                        handedOver,
                        0,
                        acknowledged && random.nextInt(4) > 0 ? random.nextInt(24) : SendResult.NO_OFFSET);
            }
            return new OpenProbe(
                    random.nextInt(2), random.nextInt(BROKERS), due, handedOver, Optional.ofNullable(sent));
        }

        void run() {
            List<OpenProbe> open = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                open.add(probe());
            }
            List<Long> sums = new ArrayList<>();
            splitter.open(open, NOW, (account, leader) -> sums.add(sum(account)));
            assertThat(sums)
                    .containsExactlyInAnyOrderElementsOf(
                            open.stream().map(probe -> NOW - probe.dueNanos()).toList());
        }

        long sum(Account account) {
            long sum = 0;
            for (int part = 0; part < account.size(); part++) {
                assertThat(account.nanos(part)).isPositive();
                seen.add(account.role(part));
                sum += account.nanos(part);
            }
            return sum;
        }
    }

    @Property
    void anAccountSoFarSumsToTheAge(@ForAll long seed) {
        new State(seed).run();
    }

    @Test
    void theStatesHaveAllRolesThatAnOpenProbeCanWaitFor() {
        Set<Role> seen = EnumSet.noneOf(Role.class);
        for (int seed = 0; seed < 50; seed++) {
            State state = new State(seed);
            state.run();
            seen.addAll(state.seen);
        }

        assertThat(seen)
                .contains(
                        Role.CLIENT,
                        Role.HANDLERS,
                        Role.DISK,
                        Role.PROCESS,
                        Role.NETWORK_THREADS,
                        Role.FOLLOWER,
                        Role.UNKNOWN);
    }
}
