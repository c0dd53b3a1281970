/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.account.OwnClients;
import io.phasewise.canary.account.suspect.Suspect;
import io.phasewise.canary.cluster.context.CanaryContext;
import io.phasewise.canary.cluster.context.Contexts;
import io.phasewise.canary.cluster.context.ProfileContext;
import io.phasewise.canary.cluster.reach.BrokerReach;
import io.phasewise.canary.config.Configurations;
import io.phasewise.canary.marks.MarkStore;
import io.phasewise.canary.phases.BrokerClocks;
import io.phasewise.canary.probe.ledger.Probe;
import io.phasewise.canary.topic.TopicState;
import io.phasewise.canary.trip.Delivery;
import io.phasewise.canary.trip.SendResult;
import io.phasewise.common.marks.Mark;
import io.phasewise.common.marks.MarkPage;
import io.phasewise.common.marks.PendingMark;
import io.phasewise.common.marks.RecordMark;
import io.phasewise.common.marks.RequestMark;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A canary of three made-up brokers, of which each leads a partition and follows the others; 20 probes a second and
 * leader. What brokers report comes once a second. Broker 2 stops at some time: no probe of it comes back, its pages
 * come no more, and it fetches nothing.
 */
class StoppedBrokerTest {
    private static final int STOPPED = 2;
    private static final int BROKERS = 3;
    private static final String TOPIC = "kPx0";
    private static final long MICRO = 1_000;
    private static final long MS = 1_000_000;
    private static final long SECOND = 1_000 * MS;
    private static final long GAP = 50 * MS;

    private final MarkStore store = new MarkStore(new OwnClients(Set.of(), Set.of("")), System::nanoTime);
    private final List<List<Mark>> unread = new ArrayList<>();
    private final List<List<PendingMark>> pending = new ArrayList<>();
    private final long[] offsets = new long[BROKERS + 1];
    private long now = 1_000 * SECOND;
    private long stopsAt = Long.MAX_VALUE;
    private boolean isHostCut;
    private final Measurement measurement;

    StoppedBrokerTest() throws Exception {
        CanaryContext context =
                Contexts.context(new PrometheusRegistry(), () -> Instant.ofEpochMilli(now / MS), () -> now);
        measurement = new Measurement(ProfileContext.of(
                Configurations.clusters(Configurations.prod("")).get(0),
                context,
                new BrokerClocks(),
                new BrokerReach(),
                Optional.of(store),
                1));
        List<TopicState.Broker> brokers = new ArrayList<>();
        List<TopicState.Partition> partitions = new ArrayList<>();
        for (int id = 0; id <= BROKERS; id++) {
            unread.add(new ArrayList<>());
            pending.add(new ArrayList<>());
        }
        for (int id = 1; id <= BROKERS; id++) {
            brokers.add(new TopicState.Broker(id, "host-" + id, 9092, null, true));
            List<Integer> replicas = List.of(id, id % BROKERS + 1, (id + 1) % BROKERS + 1);
            partitions.add(new TopicState.Partition(id, id, replicas, replicas));
            measurement.ledger().lead(id, id);
        }
        measurement.look(
                new ProbeAssignment("made-up", new TopicState(brokers, partitions, Map.of(), true, TOPIC), true));
        measurement.polls().entered(now);
    }

    private static long ahead(int broker) {
        return broker * 10_000 * SECOND;
    }

    private boolean isStopped(int broker) {
        return broker == STOPPED && now >= stopsAt;
    }

    private void probe(int leader) {
        Probe probe = measurement.ledger().scheduled(leader, now);
        probe.handedOver(now);
        if (isStopped(leader)) {
            return;
        }
        long there = now + ahead(leader);
        long offset = offsets[leader]++;
        Map<Integer, Long> arrivals = new TreeMap<>();
        Map<Integer, Long> learned = new TreeMap<>();
        for (int follower = 1; follower <= BROKERS; follower++) {
            if (follower != leader && !isStopped(follower)) {
                arrivals.put(follower, there + 1_500 * MICRO);
                learned.put(follower, there + 1_600 * MICRO);
            }
        }
        long received = there + 300 * MICRO;
        if (arrivals.size() < BROKERS - 1) {
            pending.get(leader)
                    .add(new PendingMark(
                            TOPIC,
                            leader,
                            0,
                            offset,
                            offset,
                            received,
                            received + 100 * MICRO,
                            received + 200 * MICRO,
                            arrivals,
                            learned));
            return;
        }
        unread.get(leader)
                .add(new RecordMark(
                        TOPIC,
                        leader,
                        0,
                        offset,
                        offset,
                        received,
                        received + 100 * MICRO,
                        received + 200 * MICRO,
                        there + 1_600 * MICRO,
                        arrivals,
                        learned));
        unread.get(leader)
                .add(new RequestMark(
                        received,
                        received + 50 * MICRO,
                        received + 250 * MICRO,
                        there + 1_600 * MICRO,
                        there + 1_700 * MICRO,
                        there + 1_800 * MICRO));
        measurement
                .ledger()
                .reported(probe, new SendResult(List.of(now), now + 2 * MS, leader, List.of(), now, 0, offset));
        long back = now + 3 * MS;
        measurement.polls().left(back, new int[] {leader}, 1);
        measurement.polls().entered(back);
        measurement
                .ledger()
                .delivered(
                        leader,
                        probe.sequence(),
                        new Delivery(back, Delivery.NO_APPEND_TIME, offset, Delivery.BY_THE_LEADER, 0));
    }

    private void page(int broker) {
        if (isStopped(broker)) {
            // Its request is given up after two seconds.
            if (now - stopsAt >= 2 * SECOND) {
                store.of(broker).silent();
            }
            return;
        }
        MarkPage page = MarkPage.second("boot" + broker, true, 1, 0)
                .withBusy(true)
                .ofBroker(broker)
                .madeAt(now + ahead(broker));
        pending.get(broker).forEach(page::add);
        unread.get(broker).forEach(page::add);
        unread.get(broker).clear();
        if (!(isHostCut && now >= stopsAt)) {
            store.add(broker, MarkPage.parse(page.toString()));
        } else if (now - stopsAt >= 2 * SECOND) {
            store.of(broker).silent();
        }
    }

    /** Lets 50 ms pass. */
    private Set<String> tick() {
        now += GAP;
        long step = now / GAP;
        for (int broker = 1; broker <= BROKERS; broker++) {
            probe(broker);
            if (step % 20 == 5 * broker) {
                page(broker);
            }
        }
        if (step % 2 == 0) {
            measurement.sweep();
        }
        Set<String> named = new TreeSet<>();
        for (Suspect each : measurement.suspects().named()) {
            named.add(each.broker() + " " + each.role());
        }
        return named;
    }

    private void healthy(int seconds) {
        for (int i = 0; i < seconds * 20; i++) {
            assertThat(tick()).as("nobody, while all is well").isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 300, 700, 950})
    void aBrokerThatStopsForGoodIsNamedWithinSevenSecondsAndNobodyElse(long within) {
        healthy(20);
        stopsAt = now + within * MS;
        long named = Long.MAX_VALUE;
        Set<String> who = Set.of();
        while (now < stopsAt + 9 * SECOND) {
            who = tick();
            assertThat(who).isSubsetOf("2 FOLLOWER", "2 PROCESS");
            named = who.isEmpty() ? named : Math.min(named, now);
        }

        assertThat(who).as("by its own probes and by those of the others").containsExactly("2 FOLLOWER", "2 PROCESS");
        assertThat((named - stopsAt) / 1e9).isBetween(0.0, 7.0);
    }

    /** The canary has lost the whole cluster: what it is cut off from it can say nothing of. */
    @Test
    void nobodyIsNamedWhereNoBrokerAnswers() {
        healthy(20);
        isHostCut = true;
        stopsAt = now;
        while (now < stopsAt + 9 * SECOND) {
            assertThat(tick()).isEmpty();
        }
    }
}
