/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault.overload;

import io.phasewise.experiments.declared.Allowed;
import io.phasewise.experiments.fault.ActiveFault;
import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.fault.FaultTarget;
import io.phasewise.lab.fault.PageCache;
import io.phasewise.lab.fault.SlowDisk;
import io.phasewise.lab.kafka.KafkaBroker;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Consumers that are far behind read old records, the {@link ColdData} of a broker, which must come from a disk that
 * reads slowly. The broker sends them by sendfile: its network thread waits for the disk, and with it all whose
 * connections that thread serves (KAFKA-7504).
 *
 * @param broker its id
 * @param bytesPerSecond that its disk reads
 * @param consumers each begins elsewhere; absent: one, at the beginning
 */
public record ColdReaders(int broker, long bytesPerSecond, Integer consumers) implements Fault {
    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration END_BOUND = Duration.ofSeconds(20);

    public ColdReaders {
        consumers = consumers == null ? 1 : consumers;
        Allowed.range("bytes-per-second", bytesPerSecond, 1_000, 1e9);
        Allowed.range("consumers", consumers, 1, 20);
    }

    @Override
    public Optional<String> obstacle(Path data) {
        return SlowDisk.obstacle(data);
    }

    @Override
    public ActiveFault begin(FaultTarget target) throws IOException, InterruptedException {
        KafkaBroker slow = target.cluster().broker(broker);
        PageCache.forget(slow.dataDirectory().resolve(ColdData.topic(broker) + "-0"), ".log");
        SlowDisk disk = SlowDisk.reading(slow.pid(), slow.dataDirectory(), bytesPerSecond);
        List<Reader> readers = new ArrayList<>();
        return ActiveFault.after(
                () -> {
                    for (int i = 0; i < consumers; i++) {
                        Reader reader = new Reader(target.cluster().clientProperties(), i);
                        readers.add(reader);
                        reader.start();
                    }
                },
                () -> {
                    disk.close(); // first: the broker closes no connection while it waits for the disk
                    for (Reader each : readers) {
                        each.end();
                    }
                });
    }

    /** Reads until it is ended; at the end of the topic it goes on polling. */
    private final class Reader extends Thread {
        private final KafkaConsumer<byte[], byte[]> consumer;
        private final int number;
        private final AtomicBoolean ending = new AtomicBoolean();

        Reader(Map<String, Object> client, int number) {
            super("cold-reader-" + number);
            this.number = number;
            setDaemon(true);
            Map<String, Object> properties = new HashMap<>(client);
            properties.put("client.id", "lab-cold-reader-" + number);
            properties.put("enable.metrics.push", "false");
            properties.put("enable.auto.commit", "false");
            consumer = new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        }

        @Override
        public void run() {
            TopicPartition old = new TopicPartition(ColdData.topic(broker), 0);
            try (consumer) {
                consumer.assign(List.of(old));
                long records = consumer.endOffsets(List.of(old)).get(old);
                consumer.seek(old, records * number / consumers);
                while (!ending.get()) {
                    consumer.poll(POLL);
                }
            } catch (WakeupException ended) {
                return;
            }
        }

        void end() throws InterruptedException {
            ending.set(true);
            consumer.wakeup();
            join(END_BOUND.toMillis());
        }
    }
}
