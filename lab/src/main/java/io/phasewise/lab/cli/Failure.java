/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.cli;

import io.phasewise.common.cli.UsageException;
import io.phasewise.lab.process.ExplainedException;
import io.phasewise.lab.process.MissingException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import picocli.CommandLine.IExecutionExceptionHandler;

/**
 * How a failed command ends: with a status, and with words instead of a stack trace where the
 * reason is one to be met.
 *
 * @param status the process's
 * @param text for standard error
 */
public record Failure(int status, String text) {
    private static final int FAILED = 1;
    private static final int USAGE = 2;
    private static final int MISSING = 3;

    /** Says it on standard error in place of a stack trace. */
    public static IExecutionExceptionHandler handler(
            BooleanSupplier interrupted, PrintWriter err, String program) {
        return (thrown, command, parsed) -> {
            Failure failure =
                    of(thrown, interrupted.getAsBoolean(), program).orElseThrow(() -> thrown);
            err.println(failure.text());
            return failure.status();
        };
    }

    /**
     * Of what a command threw.
     *
     * @param interrupted whether the process was asked to end
     * @param program what its messages begin with
     * @return empty for a defect, of which the stack trace is wanted
     */
    static Optional<Failure> of(Exception thrown, boolean interrupted, String program) {
        if (thrown instanceof UsageException) {
            return Optional.of(new Failure(USAGE, thrown.getMessage()));
        }
        boolean asked = interrupted || thrown instanceof InterruptedException;
        boolean explained =
                thrown instanceof ExplainedException
                        || thrown instanceof IOException
                        || thrown instanceof UncheckedIOException;
        if (!asked && !explained) {
            return Optional.empty();
        }
        List<String> reasons = new ArrayList<>();
        if (!(thrown instanceof InterruptedException)) {
            reasons.add(reason(thrown));
        }
        suppressed(thrown).forEach(also -> reasons.add(reason(also)));
        if (asked) {
            // Ctrl-C also ends tools that run just then; but what could not be undone fails, too.
            String then = "interrupted; then failed: ";
            return Optional.of(
                    new Failure(
                            FAILED,
                            reasons.isEmpty()
                                    ? "interrupted"
                                    : then + String.join("\n" + then, reasons)));
        }
        return Optional.of(
                new Failure(
                        thrown instanceof MissingException ? MISSING : FAILED,
                        program + ": " + String.join("\n" + program + ": then: ", reasons)));
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
        String kind = thrown.getClass().getSimpleName();
        // The message of one about a file is little more than its name.
        boolean bare = said == null || thrown instanceof FileSystemException;
        return bare ? kind + (said == null ? "" : ": " + said) : said;
    }
}
