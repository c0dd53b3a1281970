/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import static java.util.stream.Collectors.joining;

import io.phasewise.exporter.Traffic;
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
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

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
     * @param version whose clients: 3.7, 3.9 or 4.1
     * @param prefix of the ids: {@code <prefix>-producer}, {@code <prefix>-consumer}, in the group
     *     {@code <prefix>-readers}
     */
    static ManagedProcess start(String version, String bootstrap, String topic, String prefix, Path directory)
            throws IOException {
        Path root = Path.of(System.getProperty("phasewise.root"));
        boolean oldest = version.equals("3.7");
        KafkaVersion line = version.equals("4.1") ? KafkaVersion.V4_1 : KafkaVersion.V3_9;
        List<Path> classPath = new ArrayList<>(line.classPath(root));
        if (oldest) {
            // Of that line there are no brokers here; its clients stand on the same libraries.
            classPath.removeIf(jar -> jar.getFileName().toString().startsWith("kafka-clients-"));
            // First, as the version that a client states is in more jars than one.
            classPath.add(0, root.resolve("exporter/target/kafka-clients-3.7.jar"));
        }
        classPath.add(0, root.resolve("exporter/target/test-classes"));
        List<String> command = new ArrayList<>(List.of(Programs.java(), "-Xmx64m"));
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-cp"));
        command.add(classPath.stream().map(Path::toString).collect(joining(File.pathSeparator)));
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
        String topic = arguments[1];
        String prefix = arguments[2];
        Traffic clients = new Traffic(Map.of("bootstrap.servers", arguments[0]));
        Map<String, Object> reading = Map.of("group.id", prefix + "-readers", "auto.offset.reset", "earliest");
        try (KafkaProducer<byte[], byte[]> producer =
                        clients.as(prefix + "-producer").producer(Map.of());
                KafkaConsumer<byte[], byte[]> consumer =
                        clients.as(prefix + "-consumer").consumer(reading)) {
            for (int i = 0; i < RECORDS; i++) {
                producer.send(new ProducerRecord<>(topic, new byte[500])).get();
            }
            consumer.subscribe(List.of(topic));
            while (!Thread.interrupted()) {
                consumer.poll(Duration.ofMillis(200));
                consumer.commitSync();
            }
        }
    }
}
