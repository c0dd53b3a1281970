/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.phasewise.common.cli.UsageException;
import io.phasewise.lab.process.MissingException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class FailureTest {
    private static Optional<Failure> of(Exception failure, boolean interrupted) {
        return Failure.of(failure, interrupted, "phasewise");
    }

    @Test
    void anInterruptionLeavesNothingBehindOrSaysWhat() {
        InterruptedException asked = new InterruptedException();
        assertThat(of(asked, false)).contains(new Failure(1, "interrupted"));

        asked.addSuppressed(new IOException("broker-3 does not end"));
        assertThat(of(asked, true))
                .contains(new Failure(1, "interrupted; then failed: broker-3 does not end"));
    }

    @Test
    void anotherFailureOfAnInterruptedCommandIsNoProofThatAllWasUndone() {
        UncheckedIOException undo =
                new UncheckedIOException("cannot set num.io.threads", new IOException());
        undo.addSuppressed(new IllegalStateException());

        assertThat(of(undo, true).orElseThrow().text())
                .isEqualTo(
                        "interrupted; then failed: cannot set num.io.threads\n"
                                + "interrupted; then failed: IllegalStateException");
    }

    static Stream<Arguments> reasons() {
        IOException twice = new IOException("no answer");
        twice.addSuppressed(new IOException("no room"));
        return Stream.of(
                arguments(new UsageException("stall: 1\nrate: 2"), 2, "stall: 1\nrate: 2"),
                arguments(
                        new MissingException("no Kafka", "get: x"),
                        3,
                        "phasewise: no Kafka; get: x"),
                arguments(new IOException("no answer"), 1, "phasewise: no answer"),
                arguments(
                        new UncheckedIOException(new IOException("no answer")),
                        1,
                        "phasewise: no answer"),
                arguments(twice, 1, "phasewise: no answer\nphasewise: then: no room"),
                arguments(
                        new NoSuchFileException("/x/state.json"),
                        1,
                        "phasewise: NoSuchFileException: /x/state.json"));
    }

    @ParameterizedTest
    @MethodSource("reasons")
    void eachReasonHasItsStatusAndIsSaid(Exception reason, int status, String message) {
        assertThat(of(reason, false)).contains(new Failure(status, message));
    }

    @Test
    void aDefectKeepsItsStackTrace() {
        assertThat(of(new IllegalStateException(), false)).isEmpty();
    }
}
