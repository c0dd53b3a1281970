/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/**
 * Ends a failed command with its exit code. For a failure that users can expect, a message on
 * standard error takes the place of the stack trace. A defect keeps its stack trace.
 */
public final class FailureHandler implements IExecutionExceptionHandler {
    private static final int FAILED = 1;
    private static final int MISSING = 3;

    /** Reasons for failures whose own message is only the name of a file. */
    private static final Map<Class<?>, String> WITH_FILES = Map.of(
            NoSuchFileException.class, "no such file or directory",
            AccessDeniedException.class, "permission denied",
            FileAlreadyExistsException.class, "exists already");

    private final String program;
    private final BooleanSupplier interrupted;
    private final List<Class<?>> explained = new ArrayList<>();

    /**
     * @param program what its messages begin with
     * @param interrupted whether the process was asked to end
     * @param explained further kinds of exceptions that are no defect: their message says what is
     *     wrong
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
            return new UsageErrors(program).tell(command, thrown.getMessage());
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

    /** Failures of closing things because of the first failure. */
    private static Stream<Throwable> suppressed(Throwable thrown) {
        return Arrays.stream(thrown.getSuppressed()).flatMap(each -> Stream.concat(Stream.of(each), suppressed(each)));
    }

    private static String reason(Throwable thrown) {
        String said = thrown.getMessage();
        if (thrown instanceof UncheckedIOException
                && thrown.getCause().toString().equals(said)) {
            return reason(thrown.getCause());
        }
        if (thrown instanceof FileSystemException) {
            FileSystemException file = (FileSystemException) thrown;
            String why = WITH_FILES.getOrDefault(thrown.getClass(), file.getReason());
            return why == null ? kind(thrown) + ": " + said : file.getFile() + ": " + why;
        }
        return said == null ? kind(thrown) : said;
    }

    private static String kind(Throwable thrown) {
        return thrown.getClass().getSimpleName();
    }
}
