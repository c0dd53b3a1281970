/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/**
 * Ends a failed command with its status, and with words on standard error instead of a stack trace
 * where the reason is one to be met. A defect keeps its stack trace.
 */
public final class FailureHandler implements IExecutionExceptionHandler {
    private static final int FAILED = 1;
    private static final int USAGE = 2;
    private static final int MISSING = 3;

    private final String program;
    private final BooleanSupplier interrupted;
    private final List<Class<?>> explained = new ArrayList<>();

    /**
     * @param program what its messages begin with
     * @param interrupted whether the process was asked to end
     * @param explained what else is no defect: its message says what is wrong
     */
    public FailureHandler(String program, BooleanSupplier interrupted, Class<?>... explained) {
        this.program = program;
        this.interrupted = interrupted;
        this.explained.addAll(List.of(explained));
        this.explained.addAll(List.of(IOException.class, UncheckedIOException.class));
        this.explained.add(ExplainedException.class);
    }

    @Override
    public int handleExecutionException(Exception thrown, CommandLine command, ParseResult parsed) throws Exception {
        if (thrown instanceof UsageException) {
            command.getErr().println(thrown.getMessage());
            return USAGE;
        }
        boolean asked = interrupted.getAsBoolean() || thrown instanceof InterruptedException;
        if (!asked && explained.stream().noneMatch(each -> each.isInstance(thrown))) {
            throw thrown;
        }
        List<String> reasons = new ArrayList<>();
        if (!(thrown instanceof InterruptedException)) {
            reasons.add(reason(thrown));
        }
        suppressed(thrown).forEach(also -> reasons.add(reason(also)));
        if (asked) {
            // Ctrl-C also ends tools that run just then; but what could not be undone fails, too.
            String then = "interrupted; then failed: ";
            String all = then + String.join("\n" + then, reasons);
            command.getErr().println(reasons.isEmpty() ? "interrupted" : all);
            return FAILED;
        }
        command.getErr().println(program + ": " + String.join("\n" + program + ": then: ", reasons));
        return thrown instanceof MissingException ? MISSING : FAILED;
    }

    /** What failed while something was closed because of the failure. */
    private static Stream<Throwable> suppressed(Throwable thrown) {
        return Arrays.stream(thrown.getSuppressed()).flatMap(each -> Stream.concat(Stream.of(each), suppressed(each)));
    }

    private static String reason(Throwable thrown) {
        String said = thrown.getMessage();
        if (thrown instanceof UncheckedIOException
                && thrown.getCause().toString().equals(said)) {
            return reason(thrown.getCause());
        }
        String kind = thrown.getClass().getSimpleName();
        // The message of one about a file is little more than its name.
        boolean bare = said == null || thrown instanceof FileSystemException;
        return bare ? kind + (said == null ? "" : ": " + said) : said;
    }
}
