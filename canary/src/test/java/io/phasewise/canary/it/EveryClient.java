/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import io.phasewise.canary.cluster.reach.BrokerPing;
import io.phasewise.canary.config.KafkaConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.DispatchTimingProducer;
import org.apache.kafka.common.Node;

/**
 * A program: opens every kind of Kafka client that the project has at each address that it is
 * given, with and without a login, and nothing looks first what is there. Ends with 0 unless the
 * memory does not suffice; {@link StrangePortsIT} judges it.
 */
final class EveryClient {
    private static final Duration TIME = Duration.ofSeconds(6);
    private static final Map<String, String> LOGIN = Map.of(
            "security.protocol", "SASL_PLAINTEXT",
            "sasl.mechanism", "PLAIN",
            "sasl.jaas.config",
                    "org.apache.kafka.common.security.plain.PlainLoginModule required username=a password=b;");

    private EveryClient() {}

    /**
     * @param addresses host:port
     */
    public static void main(String[] addresses) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (String address : addresses) {
            for (Map<String, String> client : List.of(Map.<String, String>of(), LOGIN)) {
                KafkaConfig config = new KafkaConfig(address, client, Map.of(), Map.of(), Map.of());
                threads.add(new Thread(() -> admin(config)));
                threads.add(new Thread(() -> producer(config)));
                threads.add(new Thread(() -> consumer(config, "classic")));
                threads.add(new Thread(() -> consumer(config, "consumer")));
                threads.add(new Thread(() -> ping(config, address)));
            }
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        System.exit(0);
    }

    private static void admin(KafkaConfig config) {
        try (Admin admin = Admin.create(config.adminProperties("x"))) {
            untilTheEnd(() -> admin.describeCluster().nodes().get());
        }
    }

    private static void producer(KafkaConfig config) {
        try (DispatchTimingProducer producer = DispatchTimingProducer.create(
                config.producerProperties("x", Duration.ofSeconds(10), 0),
                DispatchTimingProducer.OwnTopic.ANY,
                System::nanoTime,
                (partition, value, dispatch) -> {})) {
            untilTheEnd(() -> producer.leaders("topic"));
            producer.close(Duration.ZERO);
        }
    }

    private static void consumer(KafkaConfig config, String protocol) {
        Map<String, Object> properties = new HashMap<>(config.consumerProperties("x"));
        properties.put("group.protocol", protocol);
        properties.put("group.id", "x");
        KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(properties);
        consumer.subscribe(List.of("topic"));
        untilTheEnd(() -> consumer.poll(Duration.ofMillis(100)));
        consumer.close(CloseOptions.timeout(Duration.ZERO));
    }

    private static void ping(KafkaConfig config, String address) {
        String[] parts = address.split(":");
        List<Node> brokers = List.of(new Node(1, parts[0], Integer.parseInt(parts[1])));
        try (BrokerPing ping = BrokerPing.open(
                config.adminProperties("x"),
                "ping",
                Duration.ofMillis(250),
                1_000,
                (broker, now, nanos) -> {},
                System::nanoTime)) {
            untilTheEnd(() -> {
                ping.turn(brokers, Duration.ofMillis(100));
                return null;
            });
        }
    }

    private interface Attempt {
        Object make() throws Exception;
    }

    private static void untilTheEnd(Attempt attempt) {
        long end = System.nanoTime() + TIME.toNanos();
        while (System.nanoTime() - end < 0) {
            try {
                attempt.make();
                Thread.sleep(20);
            } catch (Exception e) {
                // What a peer answers makes clients fail in many ways; memory is what counts here.
            }
        }
    }
}
