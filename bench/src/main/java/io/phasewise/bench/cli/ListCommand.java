/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Says which benchmarks there are. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        description = "Say which benchmarks there are.")
final class ListCommand implements Runnable {
    @Spec private CommandSpec spec;

    @Override
    public void run() {
        print(spec.parent().commandLine());
    }

    static void print(CommandLine parent) {
        parent.getSubcommands()
                .forEach(
                        (name, command) ->
                                parent.getOut()
                                        .printf(
                                                "%-16s%s%n",
                                                name,
                                                command.getCommandSpec()
                                                        .usageMessage()
                                                        .description()[0]));
    }
}
