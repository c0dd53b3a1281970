/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.cluster.context.CanaryContext;
import io.phasewise.canary.cluster.context.Contexts;
import io.phasewise.canary.cluster.context.InputListener;
import io.phasewise.canary.cluster.context.ProfileContext;
import io.phasewise.canary.cluster.reach.BrokerReach;
import io.phasewise.canary.config.Configurations;
import io.phasewise.canary.phases.BrokerClocks;
import io.phasewise.canary.probe.ledger.Probe;
import io.phasewise.canary.topic.TopicState;
import io.phasewise.canary.trip.Delivery;
import io.phasewise.canary.trip.OpenProbe;
import io.phasewise.canary.trip.SendResult;
import io.phasewise.canary.trip.Trip;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who listens hears what a profile's splitter and suspects are given. */
class OverheardMeasurementTest {
    private static final long MS = 1_000_000;
    private static final long SECOND = 1_000 * MS;

    private final List<String> heard = new ArrayList<>();
    private long now = 1_000 * SECOND;

    private final class Heard implements InputListener {
        @Override
        public void polled(long from, long to, int[] partitions, int count) {
            heard.add("poll of " + (to - from) / MS + " ms, " + count);
        }

        @Override
        public void topic(String id) {
            heard.add("topic " + id);
        }

        @Override
        public void ended(Trip trip) {
            heard.add("ended, " + trip.latencyNanos() / MS + " ms");
        }

        @Override
        public void open(List<OpenProbe> probes, long at) {
            probes.forEach(each -> heard.add("open, " + (at - each.dueNanos()) / MS + " ms"));
        }
    }

    @Test
    void topicPollsTripsAndOpenProbesAreHeard() throws Exception {
        CanaryContext context = Contexts.context(
                new PrometheusRegistry(), () -> Instant.ofEpochMilli(now / MS), () -> now, new Heard());
        Measurement measurement = new Measurement(ProfileContext.of(
                Configurations.clusters(Configurations.prod("")).get(0),
                context,
                new BrokerClocks(),
                new BrokerReach(),
                Optional.empty(),
                1));
        List<TopicState.Broker> brokers = List.of(new TopicState.Broker(1, "host", 9092, null, true));
        List<TopicState.Partition> partitions = List.of(new TopicState.Partition(0, 1, List.of(1), List.of(1)));
        measurement.ledger().lead(0, 1);
        measurement.look(
                new ProbeAssignment("made-up", new TopicState(brokers, partitions, Map.of(), true, "kPx0"), true));
        measurement.polls().entered(now);
        Probe back = measurement.ledger().scheduled(0, now);
        measurement.ledger().reported(back, new SendResult(List.of(now), now + 2 * MS, 1, List.of(), now, 0, 7));
        now += 3 * MS;
        measurement.polls().left(now, new int[] {0}, 1);
        measurement
                .ledger()
                .delivered(
                        0, back.sequence(), new Delivery(now, Delivery.NO_APPEND_TIME, 7, Delivery.BY_THE_LEADER, 0));
        measurement.sweep();
        measurement.ledger().scheduled(0, now);
        now += 4 * SECOND;
        measurement.sweep();

        assertThat(heard).containsExactly("topic kPx0", "poll of 3 ms, 1", "ended, 3 ms", "open, 4000 ms");
    }
}
