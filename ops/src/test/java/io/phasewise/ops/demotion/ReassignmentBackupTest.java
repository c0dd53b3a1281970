/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.ops.demotion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReassignmentBackupTest {

    @TempDir
    private Path directory;

    @Test
    void isWhatKafkasOwnToolReads() throws IOException {
        Path file = directory.resolve("back.json");
        TopicPartition partition = new TopicPartition("orders", 1);

        ReassignmentBackup.write(file, List.of(new DemotionPlan.Move(partition, List.of(1, 2, 3), List.of(1, 3, 2))));

        assertThat(Files.readString(file).replaceAll("\\s", ""))
                .isEqualTo("{\"version\":1,\"partitions\":[{\"topic\":\"orders\",\"partition\":1,"
                        + "\"replicas\":[1,2,3]}]}");
        assertThat(ReassignmentBackup.read(file))
                .containsExactly(new ReassignmentBackup.Order("orders", 1, List.of(1, 2, 3)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "[]",
                "{}",
                "{\"partitions\":[]}",
                "{\"partitions\":[{\"partition\":1,\"replicas\":[1]}]}",
                "{\"partitions\":[{\"topic\":\"a\",\"replicas\":[1]}]}",
                "{\"partitions\":[{\"topic\":\"a\",\"partition\":1,\"replicas\":[]}]}",
                "{\"partitions\":[{\"topic\":\"a\",\"partition\":1,\"replicas\":[\"x\"]}]}",
            })
    void whatIsSomethingElseIsRefused(String content) throws IOException {
        Path file = Files.writeString(directory.resolve("back.json"), content);

        assertThatThrownBy(() -> ReassignmentBackup.read(file))
                .isInstanceOf(IOException.class)
                .hasMessage(file + ": not a list of partitions with replicas");
    }
}
