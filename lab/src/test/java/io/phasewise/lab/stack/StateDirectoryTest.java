/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phasewise.common.cli.UsageException;
import io.phasewise.common.stack.LocalStack;
import io.phasewise.lab.file.LockFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StateDirectoryTest {

    private static final StackPorts PORTS = new StackPorts(10, 0);

    @TempDir
    Path temporary;

    private Path path;
    private StateDirectory directory;

    @BeforeEach
    void prepare() throws Exception {
        path = temporary.resolve("state");
        directory = new StateDirectory(new LocalStack(path));
        directory.prepare();
    }

    @Test
    void theWrittenStateIsReadBack() throws Exception {
        RunningComponent broker = Samples.running(PORTS, "broker-1", Samples.alive());
        RunningComponent canary = Samples.running(PORTS, "canary", Samples.gone());
        StackState state = new StackState(PORTS, true, List.of(broker, canary));

        directory.write(state);

        assertThat(directory.read()).hasValue(state);
        assertThat(path.resolve("state.json.new")).doesNotExist();
    }

    @Test
    void beforeTheFirstStartThereIsNoState() throws Exception {
        StateDirectory fresh = new StateDirectory(new LocalStack(temporary.resolve("new")));
        assertThat(fresh.read()).isEmpty();
        assertThat(fresh.isOurs()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "{\"ports\":{\"offset\":-1,\"controllers\":0},\"stopping\":false,\"components\":[]}",
                "{\"ports\":{\"offset\":0,\"controllers\":0},\"stopping\":false}",
                "{\"ports\":{\"offset\":0},\"stopping\":false,\"components\":[]}",
                "{\"format\":1,\"portOffset\":0,\"controllers\":0,\"stopping\":false,\"components\":[]}"
            })
    void aStateThatCannotBeUnderstoodIsNotGuessedAt(String json) throws Exception {
        Files.writeString(path.resolve("state.json"), json);

        assertFails(IOException.class, directory::read, "state.json");
    }

    @Test
    void aSecondLauncherIsKeptOutAndToldWhoIsIn() throws Exception {
        try (LockFile lock = directory.lock(Duration.ZERO)) {
            assertFails(
                    IOException.class,
                    () -> directory.lock(Duration.ZERO),
                    "pid " + ProcessHandle.current().pid(),
                    "--state-dir");
        }
        directory.lock(Duration.ZERO).close();
    }

    @Test
    void aPatientLauncherGetsInWhenTheOtherOneIsDone() throws Exception {
        LockFile lock = directory.lock(Duration.ZERO);
        FutureTask<LockFile> patient = new FutureTask<>(() -> directory.lock(Duration.ofSeconds(30)));
        new Thread(patient).start();
        assertThat(patient).isNotDone();

        lock.close();

        patient.get(30, TimeUnit.SECONDS).close();
    }

    @Test
    void aDirectoryWithSomethingElseInItIsNotTakenNorIsAFile() throws Exception {
        Path thesis = Files.writeString(temporary.resolve("thesis.tex"), "x");
        StateDirectory taken = new StateDirectory(new LocalStack(temporary));

        assertFails(UsageException.class, taken::prepare, temporary.toString());
        assertFails(UsageException.class, taken::purge, "nothing was removed");
        assertFails(UsageException.class, new StateDirectory(new LocalStack(thesis))::prepare, "not a directory");
        assertThat(thesis).exists();
    }

    @Test
    void purgeRemovesEverythingThatIsOurs() throws Exception {
        directory.write(StackState.empty(PORTS));
        Files.createDirectories(path.resolve("broker-1/data/topic-0"));
        Files.writeString(path.resolve("broker-1/data/topic-0/0.log"), "x");

        assertThat(directory.purge()).isEmpty();

        assertThat(path).doesNotExist();
    }

    @Test
    void purgeLeavesWhatIsNotOursAndWhatLinksPointTo() throws Exception {
        Path outside = Files.createDirectories(temporary.resolve("outside"));
        Files.writeString(outside.resolve("kept"), "x");
        Files.writeString(path.resolve("notes"), "x");
        Files.createDirectories(path.resolve("prometheus"));
        Files.createSymbolicLink(path.resolve("prometheus/data"), outside);

        assertThat(directory.purge()).containsExactly(path.resolve("notes"));

        assertThat(path).isDirectoryNotContaining(entry -> !entry.endsWith("notes"));
        assertThat(outside.resolve("kept")).exists();
    }

    @Test
    void theLogOfTheRunBeforeIsKeptAndNoOlderOne() throws Exception {
        for (String run : List.of("first", "second", "third")) {
            Files.writeString(directory.freshLog("canary"), run);
        }

        assertThat(path.resolve("logs/canary.log")).hasContent("third");
        assertThat(path.resolve("logs/canary.log.1")).hasContent("second");
        assertThat(path.resolve("logs"))
                .isDirectoryNotContaining(file -> file.toString().endsWith(".2"));
    }

    private static void assertFails(Class<?> kind, ThrowingCallable call, String... parts) {
        assertThatThrownBy(call).isInstanceOf(kind).hasMessageContainingAll(parts);
    }
}
