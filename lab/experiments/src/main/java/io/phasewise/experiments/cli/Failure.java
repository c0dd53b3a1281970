/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.cli;

import io.phasewise.experiments.cluster.MissingException;
import io.phasewise.experiments.fault.FaultException;
import io.phasewise.experiments.plan.UsageException;
import io.phasewise.lab.process.AwaitException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How a failed command ends: with a status, and with words instead of a stack trace where the
 * reason is one to be met.
 *
 * @param status the process's
 * @param text for standard error
 */
record Failure(int status, String text) {
    static final int FAILED = 1;
    static final int USAGE = 2;
    static final int MISSING = 3;

    private static final String NAME = "phasewise lab: ";

    /**
     * Of what a command threw.
     *
     * @param interrupted whether the process was asked to end
     * @return empty for a defect, of which the stack trace is wanted
     */
    static Optional<Failure> of(Exception thrown, boolean interrupted) {
        if (thrown instanceof UsageException) {
            return Optional.of(new Failure(USAGE, thrown.getMessage()));
        }
        if (interrupted || thrown instanceof InterruptedException) {
            return Optional.of(interruption(thrown));
        }
        if (thrown instanceof AwaitException
                || thrown instanceof FaultException
                || thrown instanceof IOException
                || thrown instanceof UncheckedIOException) {
            List<String> lines = new ArrayList<>(List.of(NAME + reason(thrown)));
            suppressed(thrown).forEach(also -> lines.add(NAME + "then: " + reason(also)));
            return Optional.of(
                    new Failure(
                            thrown instanceof MissingException ? MISSING : FAILED,
                            String.join("\n", lines)));
        }
        return Optional.empty();
    }

    /**
     * Ctrl-C also ends tools that run just then, as that which formats a broker's storage; but what
     * could not be undone fails, too.
     */
    private static Failure interruption(Exception thrown) {
        List<String> failed =
                Stream.concat(
                                thrown instanceof InterruptedException
                                        ? Stream.empty()
                                        : Stream.of(thrown),
                                suppressed(thrown))
                        .map(each -> "interrupted; then failed: " + reason(each))
                        .toList();
        return new Failure(
                FAILED,
                failed.isEmpty()
                        ? "interrupted; everything was undone"
                        : String.join("\n", failed));
    }

    /** What failed while something was closed because of the failure. */
    private static Stream<Throwable> suppressed(Throwable thrown) {
        return Arrays.stream(thrown.getSuppressed())
                .flatMap(each -> Stream.concat(Stream.of(each), suppressed(each)));
    }

    private static String reason(Throwable thrown) {
        String said = thrown.getMessage();
        if (thrown instanceof UncheckedIOException unchecked
                && unchecked.getCause().toString().equals(said)) {
            return reason(unchecked.getCause());
        }
        return said == null ? thrown.getClass().getSimpleName() : said;
    }
}
