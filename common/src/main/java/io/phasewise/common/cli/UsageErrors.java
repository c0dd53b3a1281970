/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.cli;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Ends a command that was called wrongly with status 2: a line for each fault, and one that says
 * where everything allowed is listed. The whole help would push the fault off the screen.
 */
public final class UsageErrors implements IParameterExceptionHandler {
    private static final int USAGE = 2;

    private final String program;
    private final String allowed;

    /**
     * @param program what its messages begin with
     */
    public UsageErrors(String program) {
        this(program, "");
    }

    /**
     * @param program what its messages begin with
     * @param allowed which options go together, in a line; empty where each stands alone
     */
    public UsageErrors(String program, String allowed) {
        this.program = program;
        this.allowed = allowed;
    }

    @Override
    public int handleParseException(ParameterException refused, String[] arguments) {
        CommandLine command = refused.getCommandLine();
        String message = String.valueOf(refused.getMessage());
        if (message.startsWith("Missing required subcommand")) {
            // Nothing is wrong yet: who names no command wants to see the list of commands.
            command.getErr().println(program + ": " + message);
            command.usage(command.getErr());
            return USAGE;
        }
        if (refused instanceof UnmatchedArgumentException) {
            List<String> near = ((UnmatchedArgumentException) refused).getSuggestions();
            message += near.isEmpty() ? "" : "; did you mean " + String.join(" or ", near) + "?";
        }
        return tell(command, message);
    }

    /**
     * Prints the faults.
     *
     * @param faults a line each
     * @return the status to end with
     */
    int tell(CommandLine command, String faults) {
        // Some of picocli's messages begin with "Error: ", where the program's name stands here.
        faults.replaceFirst("^Error: ", "")
                .lines()
                .forEach(each -> command.getErr().println(program + ": " + each));
        if (!allowed.isEmpty()) {
            command.getErr().println(program + ": allowed: " + allowed);
        }
        command.getErr().println(command.getCommandSpec().qualifiedName() + " --help says what is allowed");
        return USAGE;
    }
}
