/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.tools.cli;

import io.phasewise.common.cli.ShellWord;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** A command line that somebody can copy into a shell: the one that runs, with another action. */
final class ShellCommand {

    private ShellCommand() {}

    /**
     * The same command with every option that was given.
     *
     * @param program as it was called
     * @param given what was parsed
     * @param parameter in place of the parameters that were given
     * @param actions options to leave out
     * @param action option to put at the end
     */
    static String of(String program, ParseResult given, String parameter, Set<String> actions, String action) {
        List<String> words = new ArrayList<>();
        words.add(ShellWord.quoted(program));
        words.add(given.commandSpec().name());
        words.add(ShellWord.quoted(parameter));
        for (OptionSpec option : given.matchedOptions()) {
            if (actions.contains(option.longestName())) {
                continue;
            }
            for (String value : option.originalStringValues()) {
                // An option's name would be taken for a value that begins as one does.
                String separator = value.startsWith("-") ? "=" : " ";
                words.add(option.longestName() + separator + ShellWord.quoted(value));
            }
        }
        words.add(action);
        return String.join(" ", words);
    }
}
