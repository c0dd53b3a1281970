/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import io.phasewise.lab.kafka.KafkaVersion;
import io.phasewise.lab.process.ManagedProcess;
import io.phasewise.lab.process.ProcessSpec;
import io.phasewise.lab.process.Programs;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A producer and a consumer of Kafka's Java clients of another release, in a JVM of their own. It
 * uses nothing but those clients there: the rest of the tests is not for that class path.
 */
public final class PushingClients {

    static final int RECORDS = 100;

    private PushingClients() {}

    /**
     * Starts them; they go on until the process is closed.
     *
     * @param version whose clients
     * @param prefix of the ids: {@code <prefix>-producer}, {@code <prefix>-consumer}, in the group
     *     {@code <prefix>-readers}
     */
    static ManagedProcess start(
            KafkaVersion version, String bootstrap, String topic, String prefix, Path directory)
            throws IOException {
        Path root = Path.of(System.getProperty("phasewise.root"));
        String classPath =
                Stream.concat(
                                Stream.of(root.resolve("exporter/target/test-classes")),
                                version.classPath(root).stream())
                        .map(Path::toString)
                        .collect(Collectors.joining(File.pathSeparator));
        List<String> command = new ArrayList<>(List.of(Programs.java(), "-Xmx64m"));
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-cp", classPath));
        command.addAll(List.of(PushingClients.class.getName(), bootstrap, topic, prefix));
        Path log = directory.resolve(prefix + ".log");
        return ManagedProcess.start(new ProcessSpec(prefix, command, Map.of(), directory, log));
    }

    /**
     * Sends {@link #RECORDS} records, then reads and commits until it is killed.
     *
     * @param arguments bootstrap servers, topic, prefix of the ids
     * @throws Exception when a record is not acknowledged
     */
    public static void main(String[] arguments) throws Exception {
        Map<String, Object> producing =
                Map.of("bootstrap.servers", arguments[0], "client.id", arguments[2] + "-producer");
        Map<String, Object> consuming =
                Map.of(
                        "bootstrap.servers",
                        arguments[0],
                        "client.id",
                        arguments[2] + "-consumer",
                        "group.id",
                        arguments[2] + "-readers",
                        "auto.offset.reset",
                        "earliest");
        try (KafkaProducer<byte[], byte[]> producer =
                        new KafkaProducer<>(
                                producing, new ByteArraySerializer(), new ByteArraySerializer());
                KafkaConsumer<byte[], byte[]> consumer =
                        new KafkaConsumer<>(
                                consuming,
                                new ByteArrayDeserializer(),
                                new ByteArrayDeserializer())) {
            for (int i = 0; i < RECORDS; i++) {
                producer.send(new ProducerRecord<>(arguments[1], new byte[500])).get();
            }
            consumer.subscribe(List.of(arguments[1]));
            while (!Thread.interrupted()) {
                consumer.poll(Duration.ofMillis(200));
                consumer.commitSync();
            }
        }
    }
}
