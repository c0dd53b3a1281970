/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.phase.Phase;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.measure.Scrape.Sample;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The phases of probes that a consumer fetches from broker 2, whoever leads, on three real brokers:
 * links between leader and follower and between follower and consumer are made slower by a known
 * delay, each way for itself; afterwards that broker is killed.
 *
 * <p>What is due at which millisecond of a second is laid out so that nothing waits for anything
 * but what is measured. Probes are due at 0 (leader 1), 236 (leader 3) and 618 (leader 2); those of
 * leaders 1 and 3 can be read {@link #WAIT_MS} later, so that an answer which takes 100 ms to the
 * consumer is there before the next is asked for. With a delay of 100 ms to a follower or back, its
 * fetches wait at the leader from 100 to 400 ms after a probe, from 500 to 800 and from 900 on: the
 * next probe, after 1000 ms, finds one there.
 */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FollowerPhasesIT {
    private static final int[] ALL = {1, 2, 3};
    private static final int FOLLOWER = 2;

    private static final Duration DELAY = Duration.ofMillis(100);
    private static final double DELAY_MS = DELAY.toMillis();

    /** How long a follower's fetch waits at the leader when nothing comes. */
    private static final int WAIT_MS = 300;

    private static final String PREFERRED = "kafka_consumer_fetch_manager_preferred_read_replica";

    /** Without the last two a killed broker counts as alive for nine seconds. */
    private static final String IN_RACKS =
            """
            replica.selector.class=org.apache.kafka.common.replica.RackAwareReplicaSelector
            config.providers=env
            config.providers.env.class=org.apache.kafka.common.config.provider.EnvVarConfigProvider
            broker.rack=${env:RACK}
            broker.session.timeout.ms=3000
            broker.heartbeat.interval.ms=500
            """;

    private static final String PLAIN = "plain";
    private static final String CONSUMER = "consumer";
    private static final String REPLICATION = "replication";

    private KafkaCluster cluster;
    private RunningCanary canary;
    private Rounds rounds;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        cluster =
                TestClusters.own(
                        directory,
                        ALL.length,
                        IN_RACKS + "replica.fetch.wait.max.ms=" + WAIT_MS,
                        builder ->
                                builder.behindLinks()
                                        .environment(id -> Map.of("RACK", "rack-" + id)));
        cluster.start();
        // With longer fetches no empty answer is under way when a probe can be read.
        String config =
                """
                clusters:
                  it:
                    bootstrap-servers: %s
                    consumer: {client.rack: rack-%d, fetch.max.wait.ms: 2000}
                    probe: {rate: 1, schedule: uniform}
                """
                        .formatted(cluster.bootstrap(), FOLLOWER);
        canary = RunningCanary.embedded(config, System::nanoTime);
        canary.awaitReady();
        canary.await(
                "the follower is read from",
                now -> readReplica(now, 1) == FOLLOWER && readReplica(now, 3) == FOLLOWER);
        // The JVMs warm up, the clocks' windows fill.
        canary.probes(10, ALL);
        Referee referee = new Referee(cluster, true, DELAY_MS);
        rounds = Rounds.of(2, Duration.ofMinutes(5), referee, this::round);
    }

    @AfterAll
    void stop() throws Exception {
        TestClusters.close(canary, cluster);
    }

    /**
     * The broker that the partition of a leader is read from, as the Kafka client exports it:
     * negative for the leader, NaN before it is known.
     */
    private static double readReplica(Scrape scrape, int leader) {
        return scrape.page().named("kafka_canary_partition_leader_info").stream()
                .filter(info -> info.labels().get("leader").equals("" + leader))
                .flatMap(
                        info ->
                                scrape.page().named(PREFERRED).stream()
                                        .filter(
                                                read ->
                                                        info.labels()
                                                                .get("partition")
                                                                .equals(
                                                                        read.labels()
                                                                                .get("partition"))))
                .mapToDouble(Sample::value)
                .findFirst()
                .orElse(Double.NaN);
    }

    private Map<String, List<Stretch>> round() {
        List<Stretch> plain = stretches();
        List<Stretch> consumer;
        List<Stretch> replication;
        try {
            cluster.clientLink(FOLLOWER).back().delay(DELAY);
            // Of another length: who took the one way's delay for the other's would err.
            cluster.clientLink(3).back().delay(DELAY.dividedBy(2));
            // A rise of the path's delay is believed after two seconds.
            canary.probes(4, ALL);
            consumer = stretches();
            mend();
            cluster.replicationLink(1).back().delay(DELAY);
            cluster.replicationLink(3).there().delay(DELAY);
            canary.probes(2, ALL);
            replication = stretches();
        } finally {
            mend();
        }
        canary.probes(2, ALL);
        return Map.of(PLAIN, plain, CONSUMER, consumer, REPLICATION, replication);
    }

    private void mend() {
        for (int broker : ALL) {
            cluster.clientLink(broker).back().delay(Duration.ZERO);
            cluster.replicationLink(broker).there().delay(Duration.ZERO);
            cluster.replicationLink(broker).back().delay(Duration.ZERO);
        }
    }

    /** Five of a probe or two each. */
    private List<Stretch> stretches() {
        return IntStream.range(0, 5).mapToObj(i -> canary.probes(1, ALL)).toList();
    }

    @Test
    void whatTheFollowerTakesToHearOfTheCommitIsFetch() {
        for (int leader : new int[] {1, 3}) {
            List<Double> each =
                    rounds.stretches(PLAIN).stream()
                            .map(s -> fetch(s, leader) - fetch(s, FOLLOWER))
                            .toList();
            assertThat(Growth.median(each))
                    .as(
                            "ms: the follower's next fetch waits so long at leader %d, which has"
                                    + " no other traffic: %s",
                            leader, each)
                    .isBetween(0.8 * WAIT_MS, 1.2 * WAIT_MS);
        }
    }

    private static double fetch(Stretch stretch, int leader) {
        return stretch.sums("default", leader).means().get(Phase.FETCH);
    }

    /**
     * What leader 3 answers to clients takes 50 ms longer meanwhile, which must go nowhere. A link
     * from the leader is taken by the record, and then by the news that it is committed.
     */
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "100 ms from the follower to the consumer,              consumer,    1, fetch",
        "'the same, and 50 ms back from the leader',              consumer,    3, fetch",
        "100 ms from the leader to followers,                   replication, 1, commit fetch",
        "100 ms from followers to the leader,                   replication, 3, commit",
    })
    void aSlowPathGoesToThePhaseThatItIsPartOf(
            String what, String fault, int leader, String phases) {
        Map<Phase, Double> injected = new EnumMap<>(Phase.class);
        for (String phase : phases.split(" ")) {
            injected.put(Phase.valueOf(phase.toUpperCase(Locale.ROOT)), DELAY_MS);
        }
        rounds.growth(what, PLAIN, fault, "default", leader).isInjected(injected, 0);
    }

    @Test
    void whoIsReadFromIsExported() {
        canary.await(
                "the leader, where it is in the consumer's rack itself",
                now -> readReplica(now, FOLLOWER) < 0);
        assertThat(canary.scrape().sum("kafka_canary_config_info", "client_rack=rack-2"))
                .isEqualTo(1);
    }

    @Test
    void withoutTheFollowerTheLeaderIsReadFromAndNothingIsLost() throws Exception {
        Scrape before = canary.scrape();
        cluster.broker(FOLLOWER).kill();
        Scrape grown;
        try {
            Scrape now =
                    canary.await("the leader is read from", scrape -> readReplica(scrape, 1) < 0);
            grown = canary.awaitProbes(now, 5, List.of("profile=default"), 1, 3).since(before);
        } finally {
            cluster.broker(FOLLOWER).start();
        }

        for (String leader : List.of("leader=1", "leader=3")) {
            assertThat(grown.probes("lost", leader)).as(leader).isZero();
            assertThat(grown.probes("send_failed", leader)).as(leader).isZero();
        }
    }
}
