/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.ops.demotion;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.apache.kafka.common.TopicPartition;

/**
 * The way back, in a file: each partition's order of replicas before, in the format of
 * kafka-reassign-partitions.sh, which can carry it out too.
 */
@JsonIgnoreProperties(ignoreUnknown = true)
record ReassignmentBackup(int version, List<Order> partitions) {

    private static final ObjectMapper JSON = new ObjectMapper();

    /** A partition and the order of replicas to give it. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    record Order(String topic, Integer partition, List<Integer> replicas) {

        private static Order before(DemotionPlan.Move move) {
            TopicPartition partition = move.partition();
            return new Order(partition.topic(), partition.partition(), move.before());
        }

        private boolean lacksSomething() {
            return topic == null
                    || partition == null
                    || replicas == null
                    || replicas.isEmpty()
                    || replicas.contains(null);
        }
    }

    /**
     * Writes a file that is not there yet.
     *
     * @throws IOException when it is, or cannot be written
     */
    static void write(Path file, List<DemotionPlan.Move> moves) throws IOException {
        List<Order> orders = moves.stream().map(Order::before).toList();
        Files.write(
                file,
                JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(new ReassignmentBackup(1, orders)),
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.WRITE);
    }

    /**
     * Reads it.
     *
     * @throws IOException when it cannot be read or is something else; the message says what
     */
    static List<Order> read(Path file) throws IOException {
        List<Order> orders = List.of();
        try {
            orders = JSON.readValue(Files.readAllBytes(file), ReassignmentBackup.class)
                    .partitions();
        } catch (JacksonException e) {
            // Said below.
        }
        if (orders == null || orders.isEmpty() || orders.stream().anyMatch(Order::lacksSomething)) {
            throw new IOException(file + ": not a list of partitions with replicas");
        }
        return orders;
    }
}
