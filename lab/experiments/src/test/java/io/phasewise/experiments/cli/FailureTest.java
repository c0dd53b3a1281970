/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.cli.UsageException;
import io.phasewise.lab.process.MissingException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class FailureTest {
    @Test
    void anInterruptionLeavesNothingBehindOrSaysWhat() {
        InterruptedException asked = new InterruptedException();
        assertThat(Failure.of(asked, false))
                .contains(new Failure(1, "interrupted; everything was undone"));
        asked.addSuppressed(new IOException("broker-3 does not end"));
        assertThat(Failure.of(asked, true))
                .contains(new Failure(1, "interrupted; then failed: broker-3 does not end"));
    }

    @Test
    void anotherFailureOfAnInterruptedCommandIsNoProofThatAllWasUndone() {
        UncheckedIOException undo =
                new UncheckedIOException("cannot set num.io.threads", new IOException());
        undo.addSuppressed(new IllegalStateException());

        assertThat(Failure.of(undo, true))
                .contains(
                        new Failure(
                                1,
                                "interrupted; then failed: cannot set num.io.threads\n"
                                        + "interrupted; then failed: IllegalStateException"));
    }

    @Test
    void eachKindOfReasonHasItsStatus() {
        assertThat(Failure.of(new UsageException("stall: 1\nrate: 2"), false))
                .contains(new Failure(2, "stall: 1\nrate: 2"));
        assertThat(Failure.of(new MissingException("no Kafka", "get it with: x"), false))
                .contains(new Failure(3, "phasewise lab: no Kafka; get it with: x"));
        for (Exception each :
                List.of(
                        new IOException("no answer"),
                        new UncheckedIOException(new IOException("no answer")))) {
            assertThat(Failure.of(each, false))
                    .contains(new Failure(1, "phasewise lab: no answer"));
        }
    }

    @Test
    void whatFailedWhileItWasClosedIsSaidToo() {
        IOException failure = new IOException("no answer");
        failure.addSuppressed(new IOException("no room"));

        assertThat(Failure.of(failure, false))
                .contains(new Failure(1, "phasewise lab: no answer\nphasewise lab: then: no room"));
    }

    @Test
    void aDefectKeepsItsStackTrace() {
        assertThat(Failure.of(new IllegalStateException(), false)).isEmpty();
    }
}
