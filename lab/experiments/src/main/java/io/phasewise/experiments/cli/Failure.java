/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.cli;

import io.phasewise.common.cli.UsageException;
import io.phasewise.experiments.fault.FaultException;
import io.phasewise.lab.process.AwaitException;
import io.phasewise.lab.process.MissingException;
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
        boolean asked = interrupted || thrown instanceof InterruptedException;
        if (!asked && !isMet(thrown)) {
            return Optional.empty();
        }
        List<String> reasons = new ArrayList<>();
        if (!(thrown instanceof InterruptedException)) {
            reasons.add(reason(thrown));
        }
        suppressed(thrown).forEach(also -> reasons.add(reason(also)));
        if (asked) {
            return Optional.of(interruption(reasons));
        }
        return Optional.of(
                new Failure(
                        thrown instanceof MissingException ? MISSING : FAILED,
                        NAME + String.join("\n" + NAME + "then: ", reasons)));
    }

    private static boolean isMet(Exception thrown) {
        return thrown instanceof AwaitException
                || thrown instanceof MissingException
                || thrown instanceof FaultException
                || thrown instanceof IOException
                || thrown instanceof UncheckedIOException;
    }

    /**
     * Ctrl-C also ends tools that run just then, as that which formats a broker's storage; but what
     * could not be undone fails, too.
     */
    private static Failure interruption(List<String> failed) {
        String then = "interrupted; then failed: ";
        return new Failure(
                FAILED,
                failed.isEmpty()
                        ? "interrupted; everything was undone"
                        : then + String.join("\n" + then, failed));
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
