/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

class ClusterOptionTest {
    private static final String FIRST = "socket.connection.setup.timeout.ms";
    private static final String MOST = "socket.connection.setup.timeout.max.ms";

    @TempDir
    Path directory;

    private Map<String, Object> client(String... options) throws IOException {
        ClusterOption option = new ClusterOption();
        new CommandLine(CommandSpec.forAnnotatedObject(option)).parseArgs(options);
        Context context = new Context(
                directory,
                directory,
                Map.of(),
                "phasewise",
                null,
                InstantSource.system(),
                System::nanoTime,
                time -> {});
        return option.clientProperties(context, "phasewise-test");
    }

    /** By Kafka's default a broker whose address swallows packets costs 10 s at first. */
    @Test
    void theFirstConnectionIsGivenUpAfterSecondsUnlessTheFileSaysWhen() throws IOException {
        assertThat(client("--bootstrap-server", "127.0.0.1:1"))
                .containsEntry(FIRST, "2000")
                .doesNotContainKey(MOST);

        Files.writeString(directory.resolve("client.properties"), FIRST + "=9000\n");
        assertThat(client("--bootstrap-server", "127.0.0.1:1", "--command-config", "client.properties"))
                .containsEntry(FIRST, "9000")
                .doesNotContainKey(MOST);
    }

    /** Which of the two comes first is left to chance. */
    @Test
    void kafkaSaysThatBrokersAreSilentAndSoDoesWhoWaits() {
        assertThat(ClusterOption.isSilence(new TimeoutException("Timed out waiting for a node assignment")))
                .isTrue();
        assertThat(ClusterOption.isSilence(new KafkaException("cannot", new TimeoutException("late"))))
                .isTrue();
        assertThat(ClusterOption.isSilence(
                        new KafkaException("no answer", new java.util.concurrent.TimeoutException())))
                .isTrue();
        assertThat(ClusterOption.isSilence(new KafkaException("cannot", new AuthorizationException("no"))))
                .isFalse();
    }
}
