/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.ops.demotion;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The way back, in a file: each partition's order of replicas before, in the format of
 * kafka-reassign-partitions.sh, which can carry it out too.
 */
final class WayBack {

    private static final ObjectMapper JSON = new ObjectMapper();

    /** A partition and the order of replicas to give it. */
    record Order(String topic, int partition, List<Integer> replicas) {

        Order {
            replicas = List.copyOf(replicas);
        }
    }

    private WayBack() {}

    /**
     * Writes a file that is not there yet.
     *
     * @throws IOException when it is, or cannot be written
     */
    static void write(Path file, List<DemotionPlan.Move> moves) throws IOException {
        ObjectNode root = JSON.createObjectNode().put("version", 1);
        ArrayNode partitions = root.putArray("partitions");
        for (DemotionPlan.Move move : moves) {
            ArrayNode replicas =
                    partitions
                            .addObject()
                            .put("topic", move.topic())
                            .put("partition", move.partition())
                            .putArray("replicas");
            move.before().forEach(replicas::add);
        }
        Files.write(
                file,
                JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(root),
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.WRITE);
    }

    /**
     * Reads it.
     *
     * @throws IOException when it cannot be read or is something else; the message says what
     */
    static List<Order> read(Path file) throws IOException {
        JsonNode root = JSON.readTree(Files.readAllBytes(file));
        List<Order> orders = new ArrayList<>();
        for (JsonNode partition : root.path("partitions")) {
            List<Integer> replicas = new ArrayList<>();
            partition.path("replicas").forEach(replica -> replicas.add(replica.asInt(-1)));
            if (!partition.path("topic").isTextual()
                    || !partition.path("partition").isInt()
                    || replicas.isEmpty()
                    || replicas.contains(-1)) {
                throw new IOException(file + ": not a list of partitions with replicas");
            }
            orders.add(
                    new Order(
                            partition.path("topic").asText(),
                            partition.path("partition").asInt(),
                            replicas));
        }
        if (orders.isEmpty()) {
            throw new IOException(file + ": not a list of partitions with replicas");
        }
        return orders;
    }
}
