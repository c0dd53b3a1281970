/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault.overload;

import io.phasewise.experiments.declared.Allowed;
import io.phasewise.experiments.fault.ActiveFault;
import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.fault.FaultTarget;
import io.phasewise.lab.fault.ColdFiles;
import io.phasewise.lab.fault.SlowDisk;
import io.phasewise.lab.kafka.KafkaBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * A consumer that is far behind reads old records, the {@link ColdData} of a broker, which must come from a disk that
 * reads slowly. The broker sends them by sendfile: its network thread waits for the disk, and with it all whose
 * connections that thread serves (KAFKA-7504).
 *
 * @param broker its id
 * @param bytesPerSecond that its disk reads
 */
public record ColdRead(int broker, long bytesPerSecond) implements Fault {
    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration END_BOUND = Duration.ofSeconds(20);

    public ColdRead {
        Allowed.range("bytes-per-second", bytesPerSecond, 1_000, 1e9);
    }

    @Override
    public Optional<String> obstacle(Path data) {
        return SlowDisk.obstacle(data);
    }

    @Override
    public ActiveFault begin(FaultTarget target) throws IOException, InterruptedException {
        KafkaBroker slow = target.cluster().broker(broker);
        for (Path log : logs(slow.dataDirectory())) {
            ColdFiles.cool(log);
        }
        SlowDisk disk = SlowDisk.reading(slow.pid(), slow.dataDirectory(), bytesPerSecond);
        Reader reader = new Reader(target.cluster().clientProperties());
        reader.start();
        return () -> {
            disk.close(); // first: the broker closes no connection while it waits for the disk
            reader.end();
        };
    }

    private List<Path> logs(Path data) throws IOException {
        try (Stream<Path> files = Files.list(data.resolve(ColdData.topic(broker) + "-0"))) {
            return files.filter(file -> file.toString().endsWith(".log")).toList();
        }
    }

    /** Reads from the beginning until it is ended; at the end it begins anew. */
    private final class Reader extends Thread {
        private final KafkaConsumer<byte[], byte[]> consumer;
        private final AtomicBoolean ending = new AtomicBoolean();

        Reader(Map<String, Object> client) {
            super("cold-read");
            setDaemon(true);
            Map<String, Object> properties = new HashMap<>(client);
            properties.put("client.id", "lab-cold-read");
            properties.put("enable.metrics.push", "false");
            properties.put("enable.auto.commit", "false");
            consumer = new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        }

        @Override
        public void run() {
            TopicPartition old = new TopicPartition(ColdData.topic(broker), 0);
            try (consumer) {
                consumer.assign(List.of(old));
                consumer.seekToBeginning(List.of(old));
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
