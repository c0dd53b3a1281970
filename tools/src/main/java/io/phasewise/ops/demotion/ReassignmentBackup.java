/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.ops.demotion;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.apache.kafka.common.TopicPartition;

/**
 * The way back, in a file: each partition's order of replicas before, in the format of
 * kafka-reassign-partitions.sh, which can carry it out too and ignores the other fields.
 *
 * @param cluster id of the cluster; null in a file that somebody else has written
 * @param broker that was demoted; null as above
 */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
record ReassignmentBackup(int version, String cluster, Integer broker, List<Order> partitions) {

    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * A partition and the order of replicas to give it.
     *
     * @param topicId of the topic that it was; null in a file that somebody else has written, and
     *     where the brokers had none
     * @param demoted the order that the demotion gives it; null as above
     */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Order(String topic, Integer partition, List<Integer> replicas, String topicId, List<Integer> demoted) {

        TopicPartition topicPartition() {
            return new TopicPartition(topic, partition);
        }

        /** The broker to lead it again. */
        int leader() {
            return replicas.get(0);
        }

        boolean isOfAnotherTopic(String present) {
            return topicId != null && present != null && !topicId.equals(present);
        }

        private boolean lacksSomething() {
            return topic == null
                    || partition == null
                    || replicas == null
                    || replicas.isEmpty()
                    || replicas.contains(null);
        }
    }

    static ReassignmentBackup of(String cluster, int broker, List<Order> partitions) {
        return new ReassignmentBackup(1, cluster, broker, partitions);
    }

    ReassignmentBackup with(List<Order> remaining) {
        return new ReassignmentBackup(version, cluster, broker, remaining);
    }

    /**
     * Writes a file that is not there yet. When this returns it is on the disk.
     *
     * @throws IOException when it is there, or cannot be written
     */
    void create(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            write(channel);
            syncDirectory(file);
        } catch (FileAlreadyExistsException earlier) {
            throw earlier;
        } catch (IOException incomplete) {
            // Such as a full disk: what is there is ours and of no use.
            Files.deleteIfExists(file);
            throw incomplete;
        }
    }

    /** Puts this in place of the file as a whole: it is the one or the other at any time. */
    void replace(Path file) throws IOException {
        Path next = file.resolveSibling(file.getFileName() + ".new");
        OpenOption[] fresh = {StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE
        };
        try (FileChannel channel = FileChannel.open(next, fresh)) {
            write(channel);
        }
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        syncDirectory(file);
    }

    private void write(FileChannel channel) throws IOException {
        ObjectWriter writer = JSON.writerWithDefaultPrettyPrinter();
        ByteBuffer bytes = ByteBuffer.wrap(writer.writeValueAsBytes(this));
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
        channel.force(true);
    }

    /** Without it a power cut may take the file's name. */
    private static void syncDirectory(Path file) throws IOException {
        try (FileChannel directory = FileChannel.open(file.toAbsolutePath().getParent(), StandardOpenOption.READ)) {
            directory.force(true);
        }
    }

    /**
     * Reads it.
     *
     * @throws IOException when it cannot be read or is something else; the message says what
     */
    static ReassignmentBackup read(Path file) throws IOException {
        ReassignmentBackup backup = null;
        try {
            backup = JSON.readValue(Files.readAllBytes(file), ReassignmentBackup.class);
        } catch (JacksonException e) {
            // Said below.
        }
        if (backup == null
                || backup.partitions == null
                || backup.partitions.isEmpty()
                || backup.partitions.stream().anyMatch(Order::lacksSomething)) {
            throw new IOException(file + ": not a list of partitions with replicas. Written in part, because the disk"
                    + " was full or the machine was lost? Then nothing was moved, and you may delete it");
        }
        return backup;
    }
}
