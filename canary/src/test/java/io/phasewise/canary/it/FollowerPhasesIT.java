/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.phasewise.common.phase.Phase;
import io.phasewise.lab.kafka.KafkaCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
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
import org.junit.jupiter.params.provider.ValueSource;

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

    /** Share of what is injected that a phase may be off by. */
    private static final double TOLERANCE = 0.2;

    /** How long a follower's fetch waits at the leader when nothing comes. */
    private static final int WAIT_MS = 300;

    private static final String PREFERRED = "kafka_consumer_fetch_manager_preferred_read_replica";

    /** Without the last two a killed broker counts as alive for nine seconds. */
    private static final String IN_RACKS = """
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

    /** By what is done to the links, what each of some stretches recorded. */
    private final Map<String, List<Scrape>> stretches = new HashMap<>();

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        cluster = TestClusters.own(
                directory,
                ALL.length,
                IN_RACKS + "replica.fetch.wait.max.ms=" + WAIT_MS,
                builder -> builder.behindLinks().environment(id -> Map.of("RACK", "rack-" + id)));
        cluster.start();
        // With longer fetches no empty answer is under way when a probe can be read.
        String config = """
                clusters:
                  it:
                    bootstrap-servers: %s
                    consumer: {client.rack: rack-%d, fetch.max.wait.ms: 2000}
                    probe: {rate: 1, schedule: uniform}
                """.formatted(cluster.bootstrap(), FOLLOWER);
        canary = RunningCanary.embedded(config);
        canary.awaitReady();
        canary.await(
                "the follower is read from", now -> readReplica(now, 1) == FOLLOWER && readReplica(now, 3) == FOLLOWER);
        // The JVMs warm up, the clocks' windows fill.
        canary.probes(10, ALL);
        stretch(PLAIN);
        cluster.clientLink(FOLLOWER).toClient().delay(DELAY);
        // Of another length: who took the one way's delay for the other's would err.
        cluster.clientLink(3).toClient().delay(DELAY.dividedBy(2));
        // A rise of the path's delay is believed after two seconds.
        canary.probes(4, ALL);
        stretch(CONSUMER);
        mend();
        cluster.replicationLink(1).toClient().delay(DELAY);
        cluster.replicationLink(3).toServer().delay(DELAY);
        canary.probes(2, ALL);
        stretch(REPLICATION);
        mend();
    }

    /** Of a probe or two each. */
    private void stretch(String fault) {
        stretches.put(
                fault,
                IntStream.range(0, 10).mapToObj(i -> canary.probes(1, ALL)).toList());
    }

    @AfterAll
    void stop() throws Exception {
        TestClusters.close(canary, cluster);
    }

    /**
     * The broker that the partition of a leader is read from, as the Kafka client exports it:
     * negative for the leader, 0 before it is known.
     */
    private static double readReplica(Scrape scrape, int leader) {
        return scrape.page().named("kafka_canary_partition_leader_info").stream()
                .filter(info -> info.labels().get("leader").equals("" + leader))
                .mapToDouble(info ->
                        scrape.sum(PREFERRED, "partition=" + info.labels().get("partition")))
                .sum();
    }

    private void mend() {
        for (int broker : ALL) {
            cluster.clientLink(broker).toClient().delay(Duration.ZERO);
            cluster.replicationLink(broker).toServer().delay(Duration.ZERO);
            cluster.replicationLink(broker).toClient().delay(Duration.ZERO);
        }
    }

    private PhaseMeans median(String fault, int leader) {
        return PhaseMeans.median(stretches.get(fault).stream()
                .map(grown -> PhaseMeans.of(grown, "profile=default", leader))
                .toList());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void whatTheFollowerTakesToHearOfTheCommitIsFetch(int leader) {
        assertThat(median(PLAIN, leader).minus(median(PLAIN, FOLLOWER)).get(Phase.FETCH))
                .as("ms: the follower's next fetch waits so long there, without other traffic")
                .isBetween(0.8 * WAIT_MS, 1.2 * WAIT_MS);
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
    void aSlowPathGoesToThePhaseThatItIsPartOf(String what, String fault, int leader, String phases) {
        List<String> slower = List.of(phases.split(" "));
        PhaseMeans added = median(fault, leader).minus(median(PLAIN, leader));
        double tolerance = TOLERANCE * DELAY_MS * slower.size();
        added.millis()
                .forEach((phase, ms) -> assertThat(ms)
                        .as("ms added to %s by %s: %s", phase, what, added)
                        .isCloseTo(slower.contains(phase.label()) ? DELAY_MS : 0, within(tolerance)));
    }

    @Test
    void whoIsReadFromIsExported() {
        canary.await("the leader, where it is in the consumer's rack itself", now -> readReplica(now, FOLLOWER) < 0);
        assertThat(canary.scrape().sum("kafka_canary_config_info", "client_rack=rack-2"))
                .isEqualTo(1);
    }

    @Test
    void withoutTheFollowerTheLeaderIsReadFromAndNothingIsLost() throws Exception {
        Scrape before = canary.scrape();
        cluster.broker(FOLLOWER).kill();
        Scrape grown;
        try {
            Scrape now = canary.await("the leader is read from", scrape -> readReplica(scrape, 1) < 0);
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
