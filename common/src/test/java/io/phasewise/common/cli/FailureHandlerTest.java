/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class FailureHandlerTest {
    @Command(name = "phasewise up")
    private record Failing(Exception failure) implements Callable<Integer> {
        @Override
        public Integer call() throws Exception {
            throw failure;
        }
    }

    /** The status, a blank, and what is said. */
    private static String of(Exception failure, boolean interrupted) {
        StringWriter err = new StringWriter();
        int status = new CommandLine(new Failing(failure))
                .setErr(new PrintWriter(err, true))
                .setExecutionExceptionHandler(
                        new FailureHandler("phasewise", () -> interrupted, TimeoutException.class))
                .execute();
        return status + " " + err.toString().strip();
    }

    private static <T extends Exception> T with(T failure, Exception suppressed) {
        failure.addSuppressed(suppressed);
        return failure;
    }

    static Stream<Arguments> reasons() {
        return Stream.of(
                arguments(
                        new UsageException("stall: 1\nrate: 2"),
                        "2 phasewise: stall: 1\nphasewise: rate: 2\nphasewise up --help says what is allowed"),
                arguments(new MissingException("no Kafka", "get: x"), "3 phasewise: no Kafka; get: x"),
                arguments(new IOException("no answer"), "1 phasewise: no answer"),
                arguments(new TimeoutException("over"), "1 phasewise: over"),
                arguments(new UncheckedIOException(new IOException("no answer")), "1 phasewise: no answer"),
                arguments(
                        with(new IOException("no answer"), new IOException("no room")),
                        "1 phasewise: no answer\nphasewise: then: no room"),
                arguments(
                        new NoSuchFileException("/x/state.json"),
                        "1 phasewise: /x/state.json: no such file or directory"),
                arguments(new AccessDeniedException("/x"), "1 phasewise: /x: permission denied"),
                arguments(new FileAlreadyExistsException("/x"), "1 phasewise: /x: exists already"),
                arguments(new FileSystemException("/x", null, "No space left"), "1 phasewise: /x: No space left"),
                arguments(new FileSystemException("/x"), "1 phasewise: FileSystemException: /x"),
                arguments(new InterruptedException(), "1 interrupted"));
    }

    @ParameterizedTest
    @MethodSource("reasons")
    void eachReasonHasItsStatusAndIsSaid(Exception reason, String said) {
        assertThat(of(reason, false)).isEqualTo(said);
    }

    @Test
    void aFailureOfAnInterruptedCommandIsNoProofThatAllWasUndone() {
        assertThat(of(with(new InterruptedException(), new IOException("broker-3 runs")), true))
                .isEqualTo("1 interrupted; then failed: broker-3 runs");
        UncheckedIOException undo = new UncheckedIOException("cannot set num.io.threads", new IOException());
        assertThat(of(with(undo, new IllegalStateException()), true))
                .isEqualTo("1 interrupted; then failed: cannot set num.io.threads\n"
                        + "interrupted; then failed: IllegalStateException");
    }

    @Test
    void aDefectKeepsItsStackTrace() throws Exception {
        FailureHandler handler = new FailureHandler("phasewise", () -> false);
        IllegalStateException defect = new IllegalStateException();

        assertThatThrownBy(() -> handler.handleExecutionException(defect, null, null))
                .isSameAs(defect);
    }
}
