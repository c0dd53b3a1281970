/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster;

import io.phasewise.canary.cluster.context.CanaryContext;
import io.phasewise.canary.cluster.context.Contexts;
import io.phasewise.canary.cluster.context.ProfileContext;
import io.phasewise.canary.cluster.reach.BrokerReach;
import io.phasewise.canary.cluster.traffic.Measurement;
import io.phasewise.canary.cluster.traffic.ProbeAssignment;
import io.phasewise.canary.config.ClusterConfig;
import io.phasewise.canary.config.Configurations;
import io.phasewise.canary.phases.BrokerClocks;
import io.phasewise.canary.probe.ledger.Ledger;
import io.phasewise.canary.probe.ledger.Probe;
import io.phasewise.canary.topic.TopicState;
import io.phasewise.canary.topic.TopicState.Broker;
import io.phasewise.canary.topic.TopicState.Partition;
import io.phasewise.canary.trip.Delivery;
import io.phasewise.canary.trip.SendResult;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * A program that keeps what a canary keeps of a large cluster: real clocks, ledgers, phases and
 * metrics of 100 brokers by four profiles at the default rate, longer than the loss horizon; the
 * cluster and its answers are made up. Kafka's clients are not in it. Says how much memory it
 * takes.
 */
final class ManyBrokers {
    static final int BROKERS = 100;
    static final int PROFILES = 4;
    private static final int RATE = 20;
    private static final int SECONDS = 75;
    private static final long MICRO = 1_000;
    private static final long MILLI = 1_000_000;

    private final BrokerClocks clocks = new BrokerClocks();
    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final List<Measurement> profiles = new ArrayList<>();
    private final Random random = new Random(1);
    private final CanaryContext context;
    private long now = 1_000_000 * MILLI;

    private ManyBrokers() {
        context = Contexts.context(registry, () -> Instant.ofEpochMilli(now / MILLI), () -> now);
    }

    public static void main(String[] arguments) throws Exception {
        ManyBrokers all = new ManyBrokers();
        long before = used();
        for (int second = 0; second < SECONDS; second++) {
            all.pings();
        }
        long clocks = used() - before;
        require("a few KiB for each broker's clock: " + clocks, clocks < BROKERS * 8 * 1024);
        for (ClusterConfig config : configs()) {
            all.measure(config);
        }
        all.registry.scrape();
        require("room for Kafka's clients: MiB kept " + (used() >> 20), used() < 112 << 20);
        int measured =
                all.profiles.stream().mapToInt(p -> p.ledger().counts().size()).sum();
        require("all brokers measured: " + measured, measured == BROKERS * PROFILES);
        System.exit(0);
    }

    private static void require(String what, boolean holds) {
        System.out.println((holds ? "" : "not so: ") + what);
        if (!holds) {
            System.exit(1);
        }
    }

    private static List<ClusterConfig> configs() throws Exception {
        return Configurations.clusters(Configurations.prod("profiles: {two: {}, three: {}, four: {}}"));
    }

    private static long used() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    /** A second's. */
    private void pings() {
        for (int quarter = 0; quarter < 4; quarter++) {
            for (int broker = 0; broker < BROKERS; broker++) {
                clocks.roundTrip(broker, now, 300 * MICRO + random.nextInt(200_000));
            }
            now += 250 * MILLI;
        }
    }

    private void measure(ClusterConfig config) {
        Measurement profile = new Measurement(
                ProfileContext.of(config, context, clocks, new BrokerReach(), Optional.empty(), random.nextLong()));
        profiles.add(profile);
        profile.look(assignment());
        Ledger ledger = profile.ledger();
        for (int partition = 0; partition < BROKERS; partition++) {
            ledger.lead(partition, partition);
        }
        long[] due = new long[BROKERS];
        long gap = 1_000 * MILLI / RATE / BROKERS;
        for (int i = 0; i < SECONDS * RATE * BROKERS; i++) {
            now += gap;
            probe(profile, i % BROKERS, due, gap);
            if (i % (RATE * BROKERS / 10) == 0) {
                profile.sweep();
            }
            if (i % (RATE * BROKERS) == 0) {
                long at = now;
                pings();
                now = at; // beside the probes
            }
        }
    }

    /** One that comes back now, in a poll of its own: log-normal around 2 ms. */
    private void probe(Measurement profile, int partition, long[] due, long gap) {
        long latency = (long) (2 * MILLI * Math.exp(0.6 * random.nextGaussian()));
        long t0 = Math.max(due[partition] + 1, now - latency);
        due[partition] = t0;
        long t1 = t0 + Math.min(100 * MICRO, now - t0);
        long acknowledged = t0 + (now - t0) * 9 / 10;
        Ledger ledger = profile.ledger();
        Probe probe = ledger.scheduled(partition, t0);
        ledger.acknowledged(probe, acknowledged);
        List<Long> dispatches = List.of(Math.min(t1, acknowledged));
        ledger.reported(probe, SendResult.of(dispatches, acknowledged, partition, List.of(), t0, 0, null));
        profile.polls().entered(now - gap / 2);
        profile.polls().left(now, new int[] {partition}, 1);
        ledger.delivered(
                partition, probe.sequence(), new Delivery(now, (t1 + acknowledged) / 2 / MILLI, probe.sequence()));
    }

    private static ProbeAssignment assignment() {
        List<Broker> brokers = new ArrayList<>();
        List<Partition> partitions = new ArrayList<>();
        for (int id = 0; id < BROKERS; id++) {
            List<Integer> replicas = List.of(id, (id + 1) % BROKERS, (id + 2) % BROKERS);
            brokers.add(new Broker(id, "host-" + id, 9092, null, true));
            partitions.add(new Partition(id, id, replicas, replicas));
        }
        return new ProbeAssignment("large", new TopicState(brokers, partitions, Map.of(), true), true);
    }
}
