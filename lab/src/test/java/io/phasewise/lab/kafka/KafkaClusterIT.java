/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phasewise.lab.process.Await;
import io.phasewise.lab.process.ManagedProcess;
import io.phasewise.lab.process.ProcessIdentity;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real cluster of three brokers: data goes round, brokers come back, nothing is left. */
class KafkaClusterIT {

    private static final Path ROOT = Path.of(System.getProperty("phasewise.root"));

    @TempDir
    Path directory;

    @Test
    void withControllersOfTheirOwnTheClusterSurvivesTheActiveOne() throws Exception {
        try (KafkaCluster cluster = KafkaCluster.builder(ROOT, directory)
                .shortLived()
                .brokers(2)
                .controllers(3)
                .stopGrace(Duration.ZERO)
                .build()) {
            cluster.start();
            cluster.createTopic("orders", 2, 2, Map.of());
            assertThat(cluster.controllers()).extracting(KafkaBroker::id).containsExactly(101, 102, 103);
            int active =
                    cluster.admin().describeMetadataQuorum().quorumInfo().get().leaderId();

            cluster.controllers().get(active - 101).kill();

            cluster.createTopic("after", 2, 2, Map.of());
            assertThat(cluster.admin()
                            .describeMetadataQuorum()
                            .quorumInfo()
                            .get()
                            .leaderId())
                    .isNotEqualTo(active)
                    .isBetween(101, 103);
        }
    }

    @Test
    void threeBrokersServeSurviveACrashKeepTheirDataAndLeaveNoProcess() throws Exception {
        List<ProcessIdentity> first = new ArrayList<>();
        try (KafkaCluster cluster = KafkaCluster.builder(ROOT, directory)
                .shortLived()
                // Otherwise a crashed broker is not let in again for nine seconds.
                .brokerProperty("broker.session.timeout.ms", "3000")
                .brokerProperty("broker.heartbeat.interval.ms", "500")
                .build()) {
            cluster.start();
            for (KafkaBroker broker : cluster.brokers()) {
                first.add(broker.process().orElseThrow().identity());
            }
            cluster.createTopic("orders", 3, 3, Map.of());
            send(cluster, "one");

            KafkaBroker broken = cluster.broker(2);
            long pid = broken.pid();
            broken.kill();
            assertThat(broken.isAlive()).isFalse();
            send(cluster, "two");
            broken.start();
            assertThat(broken.pid()).isNotEqualTo(pid);
            // Any broker answers, and each hears in its own time of the broker that is back.
            Await.that("there are three brokers again", Duration.ofSeconds(30))
                    .until(() -> nodes(cluster) == 3, () -> nodes(cluster) + " brokers");
            // On its way out when somebody is in a hurry it is killed.
            Thread.currentThread().interrupt();
            assertThatThrownBy(broken::stop).isInstanceOf(InterruptedException.class);
            assertThat(broken.isAlive()).isFalse();
            broken.start();
            // It comes up again with the later cluster.
            assertThat(broken.stop()).isEqualTo(ManagedProcess.Ending.STOPPED);
        }
        assertThat(first).noneMatch(ProcessIdentity::isAlive);

        try (KafkaCluster again = KafkaCluster.builder(ROOT, directory)
                .shortLived()
                .stopGrace(Duration.ZERO)
                .build()) {
            again.start();
            assertThat(read(again)).containsExactly("one", "two");
        }
    }

    private static int nodes(KafkaCluster cluster) throws Exception {
        return cluster.admin()
                .describeCluster()
                .nodes()
                .get(10, TimeUnit.SECONDS)
                .size();
    }

    private static void send(KafkaCluster cluster, String value) throws Exception {
        Map<String, Object> properties = cluster.clientProperties();
        properties.put("acks", "all");
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(properties, new StringSerializer(), new StringSerializer())) {
            producer.send(new ProducerRecord<>("orders", 0, "key", value)).get(30, TimeUnit.SECONDS);
        }
    }

    private static List<String> read(KafkaCluster cluster) {
        Map<String, Object> properties = cluster.clientProperties();
        properties.put("auto.offset.reset", "earliest");
        TopicPartition partition = new TopicPartition("orders", 0);
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(properties, new StringDeserializer(), new StringDeserializer())) {
            consumer.assign(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).get(partition);
            List<String> values = new ArrayList<>();
            long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
            while (consumer.position(partition) < end && System.nanoTime() < deadline) {
                consumer.poll(Duration.ofMillis(200)).forEach(r -> values.add(r.value()));
            }
            return values;
        }
    }
}
