/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * A healthy stack under load: nobody is paged, no broker is named and no outage is suspected.
 * {@code PagesIT} checks that the restart of a broker pages nobody.
 */
@Tag("long")
@ResourceLock("stack")
class HealthyRunIT {

    private static final int RECORDS_PER_SECOND = 500;
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    /** How long the stack runs; {@code -Dhealthy.minutes=120} sets two hours. */
    private static final Duration WITHOUT_FAULT = Duration.ofMinutes(Long.getLong("healthy.minutes", 5));

    /** Brokers, canary and Prometheus have just started, and are slow at first. */
    private static final Duration WARM_UP = Duration.ofSeconds(150);

    /** Records are sent in bursts, as by applications that batch. */
    private static final Duration BURST = Duration.ofMillis(20);

    private final AtomicLong acknowledged = new AtomicLong();
    private final ScheduledExecutorService threads = Executors.newSingleThreadScheduledExecutor();
    private Stack stack;
    private KafkaProducer<byte[], byte[]> producer;

    @BeforeEach
    void startUnderLoad(@TempDir Path directory) throws Exception {
        Stack.requireMonitoring();
        stack = Stack.asUsersRunIt(directory.resolve("state"));
        stack.start();
        String bootstrap = "127.0.0.1:" + stack.port(19092);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            admin.createTopics(List.of(new NewTopic("load", 6, (short) 3)))
                    .all()
                    .get();
        }
        producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrap, "acks", "all", "linger.ms", 5),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        threads.scheduleAtFixedRate(this::burst, 0, BURST.toMillis(), TimeUnit.MILLISECONDS);
    }

    @AfterEach
    void end() {
        threads.shutdownNow();
        if (producer != null) {
            producer.close(Duration.ZERO);
        }
        if (stack != null) {
            stack.close();
        }
    }

    @Test
    void withoutAFaultNobodyIsPagedNorNamedNorSuspected() throws Exception {
        awaitLoadOf(WARM_UP);
        Instant begin = Instant.now();
        awaitLoadOf(WARM_UP.plus(WITHOUT_FAULT));

        Duration window = Duration.between(begin, Instant.now());
        Map<String, Double> suspects = highest("who", "kafka_suspect", window);
        Map<String, Double> suspicions = highest("cluster", "kafka_canary_outage_suspected", window);
        Files.writeString(
                Repository.path("proving/acceptance/target/without-fault.txt"),
                "%s after %s: suspects %s, outages suspected %s, notified of %s%n"
                        .formatted(WITHOUT_FAULT, WARM_UP, suspects, suspicions, notified()));
        assertThat(suspicions).hasSize(1).allSatisfy((c, v) -> assertThat(v).isZero());
        assertThat(suspects).as("seconds, by who").isEmpty();
        assertThat(stack.notifiedAlerts())
                .filteredOn(alert -> alert.at("/labels/severity").asText().equals("critical"))
                .isEmpty();
    }

    private Map<String, Double> highest(String label, String gauge, Duration window) throws Exception {
        String form = "max by (%s) (max_over_time(%s[%ds]))";
        return stack.query(form.formatted(label, gauge, window.toSeconds()), label);
    }

    /** The time within which the acknowledged records were due. */
    private Duration loaded() {
        return Duration.ofMillis(acknowledged.get() * 1000 / RECORDS_PER_SECOND);
    }

    private void awaitLoadOf(Duration time) {
        await().alias("load of " + time)
                .atMost(time.minus(loaded()).multipliedBy(2).plus(PATIENCE))
                .pollInterval(Duration.ofSeconds(1))
                .until(() -> loaded().compareTo(time) >= 0);
    }

    /** How often the receiver was notified of each alert. */
    private Map<String, Long> notified() throws IOException {
        return stack.notifiedAlerts().stream()
                .map(alert -> alert.at("/labels/alertname").asText())
                .collect(Collectors.groupingBy(name -> name, TreeMap::new, Collectors.counting()));
    }

    private void burst() {
        byte[] value = new byte[1000];
        for (long i = BURST.toMillis() * RECORDS_PER_SECOND / 1000; i > 0; i--) {
            producer.send(new ProducerRecord<>("load", value), (sent, failed) -> {
                if (failed == null) {
                    acknowledged.incrementAndGet();
                }
            });
        }
    }
}
