/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault.overload;

import io.phasewise.experiments.cluster.Administration;
import io.phasewise.experiments.declared.Allowed;
import io.phasewise.experiments.fault.ActiveFault;
import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.fault.FaultTarget;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A topic of a broker, which nobody follows, with records of an application: no fault by itself, but what a {@link
 * ColdReaders} read.
 *
 * @param broker its id
 * @param mebibytes of records
 */
public record ColdData(int broker, int mebibytes) implements Fault {
    private static final int RECORD = 1 << 18;
    private static final int PER_MEBIBYTE = (1 << 20) / RECORD;

    public ColdData {
        Allowed.range("mebibytes", mebibytes, 1, 4_096);
    }

    static String topic(int broker) {
        return "phasewise-lab-old-" + broker;
    }

    @Override
    public ActiveFault begin(FaultTarget target) throws InterruptedException {
        Admin admin = target.cluster().admin();
        Administration.create(
                admin,
                new NewTopic(topic(broker), Map.of(0, List.of(broker))).configs(Map.of("min.insync.replicas", "1")));
        try {
            fill(target.cluster().clientProperties());
        } catch (RuntimeException refused) {
            Administration.delete(admin, topic(broker));
            throw refused;
        }
        return () -> Administration.delete(admin, topic(broker));
    }

    private void fill(Map<String, Object> client) {
        Map<String, Object> properties = new HashMap<>(client);
        properties.put("client.id", "lab-cold-data");
        properties.put("acks", "1");
        properties.put("enable.idempotence", "false");
        properties.put("batch.size", "1048576");
        properties.put("enable.metrics.push", "false");
        AtomicReference<Exception> failure = new AtomicReference<>();
        byte[] value = new byte[RECORD];
        new SplittableRandom(broker).nextBytes(value);
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (long i = 0; i < (long) mebibytes * PER_MEBIBYTE; i++) {
                producer.send(new ProducerRecord<>(topic(broker), 0, null, value), (metadata, ill) -> {
                    if (ill != null) {
                        failure.set(ill);
                    }
                });
            }
        }
        if (failure.get() != null) {
            throw Administration.failed("fill " + topic(broker), failure.get());
        }
    }
}
