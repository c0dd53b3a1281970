/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.apache.kafka.clients.producer;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.phasewise.canary.it.TestClusters;
import io.phasewise.lab.kafka.KafkaCluster;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.DispatchTimingProducer.Dispatch;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Hand-over and answer of each record's request on real brokers, undisturbed and disturbed. All
 * partitions are led by broker 1, so that their records can share requests.
 */
class DispatchTimingProducerIT {

    private static final Duration BOUND = Duration.ofSeconds(30);

    @TempDir
    static Path directory;

    private static KafkaCluster cluster;

    @BeforeAll
    static void start() throws Exception {
        cluster = TestClusters.own(directory, 3, "", more -> more);
        cluster.start();
        createTopic("plain", 3, List.of(1), Map.of());
        createTopic("small", 1, List.of(1), Map.of("max.message.bytes", "3000"));
    }

    /** Returns when every partition can be written to: no record of a test meets its creation. */
    private static void createTopic(
            String name, int partitions, List<Integer> replicas, Map<String, String> configuration) throws Exception {
        Map<Integer, List<Integer>> assignments =
                IntStream.range(0, partitions).boxed().collect(toMap(each -> each, each -> replicas));
        cluster.admin()
                .createTopics(List.of(new NewTopic(name, assignments).configs(configuration)))
                .all()
                .get(20, TimeUnit.SECONDS);
        try (Client first = new Client(Map.of("acks", "1", "enable.idempotence", false))) {
            for (int partition = 0; partition < partitions; partition++) {
                first.send(name, partition, value(0));
            }
            assertThat(first.awaitSent(partitions)).extracting(Sent::failure).containsOnlyNulls();
        }
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    /** What became of one record. */
    private record Sent(long scheduled, Exception failure, Dispatch dispatch) {

        void assertInOrder() {
            assertThat(failure).isNull();
            assertThat(dispatch).isNotNull();
            assertThat(dispatch.answered()).isTrue();
            assertThat(List.of(scheduled, dispatch.dispatched(), dispatch.completed()))
                    .isSorted();
        }
    }

    private record Failed(int value, Dispatch dispatch) {
        /** It left after the record was sent, and was over before the last one left. */
        void assertBetween(Sent sent) {
            assertThat(List.of(
                            sent.scheduled(),
                            dispatch.dispatched(),
                            dispatch.completed(),
                            sent.dispatch().dispatched()))
                    .isSorted();
        }
    }

    /** A producer with its books. */
    private static final class Client implements AutoCloseable {
        final Queue<Sent> sent = new ConcurrentLinkedQueue<>();
        final Queue<Failed> failed = new ConcurrentLinkedQueue<>();
        final Queue<Dispatch> completed = new ConcurrentLinkedQueue<>();
        final Queue<RuntimeException> faults = new ConcurrentLinkedQueue<>();
        final DispatchTimingProducer producer;

        Client(Map<String, Object> overrides) {
            producer = DispatchTimingProducer.create(
                    properties(overrides), DispatchTimingProducer.OwnTopic.ANY, System::nanoTime, new Attempts());
        }

        private final class Attempts implements DispatchTimingProducer.AttemptListener {
            @Override
            public void faulted(RuntimeException fault) {
                faults.add(fault);
            }

            @Override
            public void attemptFailed(int partition, ByteBuffer value, Dispatch dispatch) {
                failed.add(new Failed(value.getInt(), dispatch));
            }

            @Override
            public void completed(Dispatch dispatch) {
                completed.add(dispatch);
            }
        }

        void send(String topic, int partition, byte[] value) {
            long scheduled = System.nanoTime();
            producer.sendTimed(
                    new ProducerRecord<>(topic, partition, null, value),
                    (metadata, failure, dispatch) -> sent.add(new Sent(scheduled, failure, dispatch)));
        }

        List<Sent> awaitSent(int count) {
            await().atMost(BOUND).until(() -> sent.size() >= count);
            return new ArrayList<>(sent);
        }

        /** Every request, answered or not, is told of once, in order, after its records. */
        void assertEveryRequestWasToldOf() {
            Set<Dispatch> carried = new HashSet<>();
            sent.forEach(each -> carried.add(each.dispatch()));
            failed.forEach(each -> carried.add(each.dispatch()));
            // The last callback runs just before its request is told of.
            await().atMost(BOUND).until(() -> completed.size() >= carried.size());
            assertThat(List.copyOf(completed))
                    .containsExactlyInAnyOrderElementsOf(carried)
                    .isSortedAccordingTo(Comparator.comparing(Dispatch::sequence));
        }

        Optional<Failed> failure(int value) {
            return failed.stream().filter(each -> each.value() == value).findFirst();
        }

        @Override
        public void close() {
            producer.close(Duration.ofSeconds(5));
        }
    }

    private static Map<String, Object> properties(Map<String, Object> overrides) {
        Map<String, Object> properties = cluster.clientProperties();
        properties.put("client.id", "timing");
        properties.put("linger.ms", 0);
        properties.putAll(overrides);
        return properties;
    }

    private static byte[] value(int number) {
        byte[] value = new byte[1_000];
        new Random(number).nextBytes(value);
        ByteBuffer.wrap(value).putInt(number);
        return value;
    }

    @ParameterizedTest
    @CsvSource({"all,true", "all,false", "1,false", "0,false"})
    void eachRecordKnowsItsRequest(String acks, boolean idempotence) {
        try (Client client = new Client(Map.of("acks", acks, "enable.idempotence", idempotence))) {
            for (int i = 0; i < 20; i++) {
                client.send("plain", i % 3, value(i));
                client.awaitSent(i + 1);
            }
            List<Sent> all = client.awaitSent(20);
            all.forEach(Sent::assertInOrder);
            assertThat(all).extracting(sent -> sent.dispatch().node()).containsOnly(1);
            assertThat(all).extracting(sent -> sent.dispatch().outstanding()).containsOnly(0);
            for (int i = 0; i < all.size(); i++) {
                assertThat(all.get(i).dispatch().sequence()).isEqualTo(i);
            }
            assertThat(client.failed).isEmpty();
            client.assertEveryRequestWasToldOf();
        }
    }

    @ParameterizedTest
    @CsvSource({"none,true,all", "lz4,true,all", "none,false,all", "lz4,false,1"})
    void recordsOfOneRequestShareIt(String compression, boolean idempotence, String acks) {
        try (Client client = new Client(Map.of(
                "linger.ms", 300,
                "compression.type", compression,
                "enable.idempotence", idempotence,
                "acks", acks))) {
            client.send("plain", 0, value(0));
            client.awaitSent(1);
            long scheduled = System.nanoTime();
            for (int i = 1; i <= 12; i++) {
                client.send("plain", i % 3, value(i));
            }
            List<Sent> batched = client.awaitSent(13).subList(1, 13);
            batched.forEach(Sent::assertInOrder);
            Set<Long> requests =
                    batched.stream().map(s -> s.dispatch().sequence()).collect(Collectors.toSet());
            // One broker: the batches of all partitions leave together, or nearly so.
            assertThat(requests).hasSizeLessThanOrEqualTo(3);
            assertThat(batched).allMatch(sent -> sent.dispatch().dispatched() - scheduled > 250_000_000);
            client.assertEveryRequestWasToldOf();
        }
    }

    /** Refused for want of in-sync replicas, until fewer are asked for. */
    @Test
    void lastDispatchOfARefusedRecordCounts() throws Exception {
        createTopic("refused", 1, List.of(1, 2, 3), Map.of("min.insync.replicas", "3"));
        Map<String, Object> quick = Map.of("retry.backoff.ms", 50, "retry.backoff.max.ms", 50);
        Map<String, Object> plain = new HashMap<>(quick);
        plain.put("enable.idempotence", false);
        cluster.broker(3).stop();
        try (Client idempotent = new Client(quick);
                Client notIdempotent = new Client(plain)) {
            List<Client> both = List.of(idempotent, notIdempotent);
            both.forEach(client -> client.send("refused", 0, value(42)));
            await().atMost(BOUND).until(() -> both.stream().allMatch(client -> client.failed.size() >= 3));
            TestClusters.alter(cluster, "refused", "min.insync.replicas", "2");
            both.forEach(DispatchTimingProducerIT::assertLastDispatchCounts);
        } finally {
            cluster.broker(3).start();
        }
    }

    private static void assertLastDispatchCounts(Client client) {
        Sent sent = client.awaitSent(1).get(0);
        sent.assertInOrder();
        for (Failed failed : client.failed) {
            assertThat(failed.value()).isEqualTo(42);
            assertThat(failed.dispatch().answered()).isTrue();
            failed.assertBetween(sent);
        }
        assertThat(sent.dispatch().sequence()).isEqualTo(client.failed.size());
        client.assertEveryRequestWasToldOf();
        assertThat(client.faults).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void lastDispatchCountsWhenABrokerDoesNotAnswer(boolean idempotence) throws Exception {
        try (Client client = new Client(Map.of(
                "enable.idempotence", idempotence,
                "request.timeout.ms", 1_000,
                "delivery.timeout.ms", 30_000,
                "retry.backoff.ms", 50))) {
            client.send("plain", 0, value(1));
            client.awaitSent(1);
            cluster.broker(1).pause();
            try {
                client.send("plain", 0, value(2));
                // On a busy machine the first record's request may have been given up, too.
                await().atMost(BOUND).until(() -> client.failure(2).isPresent());
            } finally {
                cluster.broker(1).resume();
            }
            Sent sent = client.awaitSent(2).get(1);
            sent.assertInOrder();
            Failed lost = client.failure(2).orElseThrow();
            assertThat(lost.dispatch().answered()).isFalse();
            lost.assertBetween(sent);
            client.assertEveryRequestWasToldOf();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void recordsOfASplitBatchKnowTheRequestThatCarriedThem(boolean idempotence) {
        try (Client client = new Client(Map.of(
                // Longer than a busy machine takes for ten; not waited for.
                "linger.ms", 3_000,
                "batch.size", 100_000,
                "enable.idempotence", idempotence))) {
            for (int i = 0; i < 10; i++) {
                client.send("small", 0, value(i));
            }
            client.producer.flush();
            List<Sent> all = client.awaitSent(10);
            all.forEach(Sent::assertInOrder);
            assertThat(client.failed).hasSizeGreaterThanOrEqualTo(10);
            assertThat(new TreeSet<>(client.failed.stream().map(Failed::value).toList()))
                    .hasSize(10);
            long firstRefusal = client.failed.peek().dispatch().completed();
            assertThat(all).allMatch(sent -> sent.dispatch().dispatched() >= firstRefusal);
            client.assertEveryRequestWasToldOf();
        }
    }

    @Test
    void pipelinedRequestsTellWhoIsInFront() throws Exception {
        try (Client client = new Client(Map.of("batch.size", 1))) {
            client.send("plain", 0, value(0));
            client.awaitSent(1);
            cluster.broker(1).pause();
            try {
                for (int i = 1; i <= 3; i++) {
                    client.send("plain", 0, value(i));
                }
                // Requests leave one by one while the broker is paused.
                await().atMost(BOUND).until(() -> inFlight(client) >= 3);
            } finally {
                cluster.broker(1).resume();
            }
            List<Sent> all = client.awaitSent(4).subList(1, 4);
            all.forEach(Sent::assertInOrder);
            assertThat(all).extracting(sent -> sent.dispatch().outstanding()).containsExactly(0, 1, 2);
            assertThat(all).extracting(sent -> sent.dispatch().sequence()).containsExactly(1L, 2L, 3L);
        }
    }

    private static double inFlight(Client client) {
        return client.producer.metrics().entrySet().stream()
                .filter(e -> e.getKey().name().equals("requests-in-flight"))
                .mapToDouble(e -> ((Number) e.getValue().metricValue()).doubleValue())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void recordThatNoRequestCarriedHasNoDispatch() {
        try (Client client = new Client(Map.of("max.request.size", 500))) {
            client.send("plain", 0, value(0));
            Sent sent = client.awaitSent(1).get(0);
            assertThat(sent.failure()).isInstanceOf(RecordTooLargeException.class);
            assertThat(sent.dispatch()).isNull();
        }
    }
}
