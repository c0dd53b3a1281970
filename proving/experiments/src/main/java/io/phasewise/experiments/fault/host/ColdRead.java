/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault.host;

import io.phasewise.experiments.cluster.Administration;
import io.phasewise.experiments.declared.Allowed;
import io.phasewise.experiments.fault.ActiveFault;
import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.fault.FaultException;
import io.phasewise.experiments.fault.FaultTarget;
import io.phasewise.lab.fault.PageCache;
import io.phasewise.lab.fault.SlowDisk;
import io.phasewise.lab.kafka.KafkaBroker;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A consumer reads old data of one broker, which are on a slow disk and not in its page cache. The
 * network thread that sends them waits for the disk (KAFKA-7504), and so does all else that this
 * thread has to do. The data last for {@code mebibytes} divided by the speed of the disk; then the
 * consumer begins again, and the pages are forgotten before.
 *
 * @param broker its id
 * @param bytesPerSecond that its disk gives
 * @param mebibytes of old data, 1 to 4,096
 */
public record ColdRead(int broker, long bytesPerSecond, int mebibytes) implements Fault {
    private static final String TOPICS = "phasewise-lab-cold-";
    private static final int RECORD_BYTES = 100_000;
    private static final Duration END_BOUND = Duration.ofSeconds(30);

    public ColdRead {
        Allowed.range("bytes-per-second", bytesPerSecond, 1, 1e12);
        Allowed.range("mebibytes", mebibytes, 1, 4_096);
    }

    @Override
    public Optional<String> obstacle(Path data) {
        return SlowDisk.obstacle(data);
    }

    @Override
    public ActiveFault begin(FaultTarget target) throws IOException, InterruptedException {
        Reading reading = new Reading(
                target.cluster().broker(broker),
                target.cluster().admin(),
                target.cluster().clientProperties());
        return ActiveFault.after(reading::begin, reading);
    }

    /** Each broker whose data are read has a topic of its own. */
    private String topic() {
        return TOPICS + broker;
    }

    /** Reads until this is closed. */
    private final class Reading implements ActiveFault {
        private final KafkaBroker slow;
        private final Admin admin;
        private final Map<String, Object> client;
        private final AtomicReference<Exception> failure = new AtomicReference<>();
        private KafkaConsumer<byte[], byte[]> consumer;
        private Thread reader;
        private SlowDisk disk;
        private volatile boolean ending;

        Reading(KafkaBroker slow, Admin admin, Map<String, Object> client) {
            this.slow = slow;
            this.admin = admin;
            this.client = client;
        }

        void begin() throws IOException, InterruptedException {
            Map<Integer, List<Integer>> there = Map.of(0, List.of(broker));
            Map<String, String> settings = Map.of("min.insync.replicas", "1");
            Administration.create(admin, new NewTopic(topic(), there).configs(settings));
            write();
            forget();
            disk = SlowDisk.reading(slow.pid(), slow.dataDirectory(), bytesPerSecond);
            consumer = consumer();
            reader = new Thread(this::read, "cold-read-" + broker);
            reader.setDaemon(true);
            reader.start();
        }

        /** Values that nothing compresses. */
        private void write() {
            Map<String, Object> properties = new HashMap<>(client);
            properties.put("client.id", "lab-cold");
            properties.put("acks", "1");
            properties.put("enable.idempotence", "false");
            byte[] value = new byte[RECORD_BYTES];
            new SplittableRandom(broker).nextBytes(value);
            AtomicReference<Exception> refused = new AtomicReference<>();
            try (KafkaProducer<byte[], byte[]> producer =
                    new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
                for (long sent = 0; sent < (long) mebibytes << 20; sent += RECORD_BYTES) {
                    producer.send(new ProducerRecord<>(topic(), 0, null, value), (metadata, ill) -> {
                        if (ill != null) {
                            refused.set(ill);
                        }
                    });
                }
                producer.flush();
            }
            if (refused.get() != null) {
                throw new FaultException("old data cannot be written: " + refused.get());
            }
        }

        private void forget() throws IOException, InterruptedException {
            PageCache.forget(slow.dataDirectory().resolve(topic() + "-0"), ".log");
        }

        private KafkaConsumer<byte[], byte[]> consumer() {
            Map<String, Object> properties = new HashMap<>(client);
            properties.put("client.id", "lab-cold");
            properties.put("enable.auto.commit", "false");
            return new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        }

        private void read() {
            TopicPartition partition = new TopicPartition(topic(), 0);
            try (KafkaConsumer<byte[], byte[]> own = consumer) {
                own.assign(List.of(partition));
                own.seekToBeginning(List.of(partition));
                long end = own.endOffsets(List.of(partition)).get(partition);
                while (!ending) {
                    own.poll(Duration.ofSeconds(1));
                    if (own.position(partition) >= end) {
                        forget();
                        own.seekToBeginning(List.of(partition));
                    }
                }
            } catch (WakeupException over) {
                return;
            } catch (KafkaException | IOException | InterruptedException broken) {
                failure.set(broken);
            }
        }

        @Override
        public void close() throws InterruptedException {
            ending = true;
            try (SlowDisk until = disk) {
                if (reader != null) {
                    consumer.wakeup();
                    reader.join(END_BOUND.toMillis());
                }
            } finally {
                Administration.delete(admin, topic());
            }
            Exception early = failure.getAndSet(null);
            if (early != null) {
                throw FaultException.endedEarly(early);
            }
            if (reader != null && reader.isAlive()) {
                throw new FaultException("the consumer of old data did not end");
            }
        }
    }
}
