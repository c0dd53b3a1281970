/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.cli.UsageException;
import io.phasewise.lab.process.MissingException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import org.junit.jupiter.api.Test;

class FailureTest {
    @Test
    void anInterruptionLeavesNothingBehindOrSaysWhat() {
        InterruptedException asked = new InterruptedException();
        assertThat(Failure.of(asked, false, "phasewise")).contains(new Failure(1, "interrupted"));
        asked.addSuppressed(new IOException("broker-3 does not end"));
        assertThat(Failure.of(asked, true, "phasewise"))
                .contains(new Failure(1, "interrupted; then failed: broker-3 does not end"));
    }

    @Test
    void anotherFailureOfAnInterruptedCommandIsNoProofThatAllWasUndone() {
        UncheckedIOException undo =
                new UncheckedIOException("cannot set num.io.threads", new IOException());
        undo.addSuppressed(new IllegalStateException());

        assertThat(Failure.of(undo, true, "phasewise"))
                .contains(
                        new Failure(
                                1,
                                "interrupted; then failed: cannot set num.io.threads\n"
                                        + "interrupted; then failed: IllegalStateException"));
    }

    @Test
    void eachKindOfReasonHasItsStatus() {
        assertThat(Failure.of(new UsageException("stall: 1\nrate: 2"), false, "phasewise"))
                .contains(new Failure(2, "stall: 1\nrate: 2"));
        assertThat(
                        Failure.of(
                                new MissingException("no Kafka", "get it with: x"),
                                false,
                                "phasewise"))
                .contains(new Failure(3, "phasewise: no Kafka; get it with: x"));
        for (Exception each :
                List.of(
                        new IOException("no answer"),
                        new UncheckedIOException(new IOException("no answer")))) {
            assertThat(Failure.of(each, false, "phasewise"))
                    .contains(new Failure(1, "phasewise: no answer"));
        }
    }

    @Test
    void whatFailedWhileItWasClosedIsSaidToo() {
        IOException failure = new IOException("no answer");
        failure.addSuppressed(new IOException("no room"));

        assertThat(Failure.of(failure, false, "phasewise"))
                .contains(new Failure(1, "phasewise: no answer\nphasewise: then: no room"));
    }

    @Test
    void aDefectKeepsItsStackTrace() {
        assertThat(Failure.of(new IllegalStateException(), false, "phasewise")).isEmpty();
    }

    @Test
    void aFailureOfAFileSaysWhatKindItIs() {
        assertThat(Failure.of(new NoSuchFileException("/x/state.json"), false, "phasewise"))
                .contains(new Failure(1, "phasewise: NoSuchFileException: /x/state.json"));
    }
}
