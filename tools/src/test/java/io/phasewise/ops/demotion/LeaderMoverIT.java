/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.ops.demotion;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.lab.kafka.KafkaCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster that changes between what was decided and the request. */
class LeaderMoverIT {

    private static final Path ROOT = Path.of(System.getProperty("phasewise.root"));
    private static final TopicPartition ORDERS = new TopicPartition("orders", 0);
    private static final TopicPartition USERS = new TopicPartition("users", 0);

    @TempDir
    Path directory;

    /**
     * A reassignment to brokers 2 and 1 has ended, and the broker that is asked still says 2 and 3.
     * Broker 3 is down, so that the copying back would not end by itself.
     */
    @Test
    void whatHasChangedIsNotTouchedAndCopyingThatAnOldAnswerBeganIsCancelled() throws Exception {
        try (KafkaCluster cluster = KafkaCluster.builder(ROOT, directory)
                .shortLived()
                .stopGrace(Duration.ZERO)
                .build()) {
            cluster.start();
            cluster.admin()
                    .createTopics(List.of(topic(ORDERS), topic(USERS)))
                    .all()
                    .get(30, TimeUnit.SECONDS);
            cluster.broker(3).kill();
            ClusterView view = new ClusterView(cluster.admin());
            Move stale = new Move(ORDERS, List.of(2, 3), List.of(3, 2));
            Move changed = new Move(USERS, List.of(2, 1, 3), List.of(1, 3, 2));

            LeaderMover.Outcome outcome = new LeaderMover(cluster.admin(), oldAtFirst(view))
                    .carryOut(List.of(stale, changed), states -> List.of(stale));

            assertThat(outcome.done()).isEmpty();
            assertThat(outcome.reordered()).containsExactly(ORDERS);
            assertThat(outcome.failed().get(ORDERS)).contains("the copying of data that began was cancelled");
            assertThat(outcome.failed().get(USERS)).contains("has changed meanwhile: leader 2, replicas [2, 1]");
            Map<TopicPartition, ?> running =
                    cluster.admin().listPartitionReassignments().reassignments().get(10, TimeUnit.SECONDS);
            assertThat(running).isEmpty();
            PartitionState orders = view.partitions(Set.of("orders")).get(0);
            assertThat(orders.replicas()).containsExactlyInAnyOrder(1, 2);
            assertThat(orders.leader()).isEqualTo(2);
        }
    }

    private static NewTopic topic(TopicPartition partition) {
        return new NewTopic(partition.topic(), Map.of(0, List.of(2, 1)));
    }

    private static LeaderMover.View oldAtFirst(ClusterView view) {
        PartitionState old = new PartitionState(ORDERS, "id", 2, List.of(2, 3), Set.of(2, 3), 1, Optional.empty());
        PartitionState users = new PartitionState(USERS, "id", 2, List.of(2, 1), Set.of(2, 1), 1, Optional.empty());
        Iterator<List<PartitionState>> first = List.of(List.of(old, users)).iterator();
        return topics -> first.hasNext() ? first.next() : view.partitions(topics);
    }
}
