/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.ops.demotion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phasewise.ops.demotion.ReassignmentBackup.Order;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReassignmentBackupTest {

    @TempDir
    private Path directory;

    /** That tool takes topic, partition and replicas, and passes over all else. */
    @Test
    void isWhatKafkasOwnToolReads() throws IOException {
        ReassignmentBackup backup = backup(1);

        backup.create(file());

        assertThat(Files.readString(file()).replaceAll("\\s", ""))
                .isEqualTo("{\"version\":1,\"cluster\":\"abc\",\"broker\":2,\"partitions\":[{\"topic\":\"orders\","
                        + "\"partition\":1,\"replicas\":[2,1,3],\"topicId\":\"id\",\"demoted\":[1,3,2]}]}");
        assertThat(ReassignmentBackup.read(file())).isEqualTo(backup);
    }

    @Test
    void whatKafkasOwnToolWritesIsRead() throws IOException {
        Files.writeString(
                file(),
                "{\"version\":1,\"partitions\":[{\"topic\":\"orders\",\"partition\":1,\"replicas\":[1,2],"
                        + "\"log_dirs\":[\"any\",\"any\"]}]}");

        assertThat(ReassignmentBackup.read(file()).partitions())
                .containsExactly(new Order("orders", 1, List.of(1, 2), null, null));
    }

    @Test
    void oneThatIsThereIsNeverOverwrittenByAnotherDemotion() throws IOException {
        backup(1).create(file());

        assertThatThrownBy(() -> backup(2).create(file())).isInstanceOf(FileAlreadyExistsException.class);
        assertThat(ReassignmentBackup.read(file())).isEqualTo(backup(1));
    }

    @Test
    void whatRemainsReplacesItAsAWhole() throws IOException {
        backup(1, 2).create(file());

        backup(2).replace(file());

        assertThat(ReassignmentBackup.read(file())).isEqualTo(backup(2));
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).containsExactly(file());
        }
    }

    private Path file() {
        return directory.resolve("back.json");
    }

    private static ReassignmentBackup backup(int... partitions) {
        return ReassignmentBackup.of(
                "abc",
                2,
                IntStream.of(partitions)
                        .mapToObj(each -> new Order("orders", each, List.of(2, 1, 3), "id", List.of(1, 3, 2)))
                        .toList());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
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
                .hasMessageStartingWith(file + ": not a list of partitions with replicas");
    }
}
