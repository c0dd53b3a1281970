/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.junit;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/**
 * Makes a program's parts of the pages {@code commands.md} and {@code exit-codes.md} from its own
 * help.
 */
public final class CommandReference {
    private static final Pattern EXIT_CODES = Pattern.compile("Exit codes: ([^.]+)[.]");
    private static final Pattern EXIT_CODE = Pattern.compile("(\\d) ([^,]+)");

    private CommandReference() {}

    /**
     * Checks that both pages have the help of this program and of its subcommands.
     *
     * @throws AssertionError when they do not
     * @throws IOException when they cannot be read or written
     */
    public static void holds(CommandLine program) throws IOException {
        StringBuilder text = new StringBuilder();
        describe(program, "##", text);
        Map<String, String> exitCodes =
                new TreeMap<>(program.getCommandSpec().usageMessage().exitCodeList());
        program.getSubcommands()
                .forEach((name, command) -> command.getCommandSpec()
                        .usageMessage()
                        .exitCodeList()
                        .forEach((code, meaning) -> exitCodes.put("`" + name + "`: " + code.strip(), meaning)));
        holds(program.getCommandSpec().qualifiedName(), text, exitCodes);
    }

    /**
     * Checks that the page of commands has the help of a program's subcommands, in a part of its
     * own: for a program that users know as a part of another one.
     *
     * @throws AssertionError when it does not
     * @throws IOException when it cannot be read or written
     */
    public static void holdsBelow(CommandLine program, String part) throws IOException {
        StringBuilder text = new StringBuilder();
        describeBelow(program, text);
        new ReferencePage("commands.md").holds(part, text.toString());
    }

    /**
     * Checks that both pages have this help, which ends with {@code Exit codes: 0 done, 1 failed.}
     *
     * @param program its name
     * @throws AssertionError when they do not
     * @throws IOException when they cannot be read or written
     */
    public static void holds(String program, String help) throws IOException {
        StringBuilder text = new StringBuilder();
        describe("##", program, help, text);
        Map<String, String> exitCodes = new TreeMap<>();
        Matcher list = EXIT_CODES.matcher(help);
        if (list.find()) {
            EXIT_CODE
                    .matcher(list.group(1))
                    .results()
                    .forEach(each -> exitCodes.put(each.group(1), each.group(2).strip()));
        }
        holds(program, text, exitCodes);
    }

    private static void holds(String program, StringBuilder commands, Map<String, String> exitCodes)
            throws IOException {
        StringBuilder table = new StringBuilder(ReferencePage.headings("exit code", "meaning"));
        exitCodes.forEach((code, meaning) -> table.append(ReferencePage.row(code, meaning)));
        new ReferencePage("commands.md").holds(program, commands.toString());
        new ReferencePage("exit-codes.md").holds(program, table.toString());
    }

    private static void describe(CommandLine command, String heading, StringBuilder text) {
        describe(heading, command.getCommandSpec().qualifiedName(), command.getUsageMessage(Ansi.OFF), text);
        describeBelow(command, text);
    }

    private static void describeBelow(CommandLine command, StringBuilder text) {
        command.getSubcommands().values().stream().distinct().forEach(each -> describe(each, "###", text));
    }

    private static void describe(String heading, String command, String help, StringBuilder text) {
        String plain = help.replaceAll("(?m) +$", "").strip();
        text.append("%s %s\n\n```\n%s\n```\n\n".formatted(heading, command, plain));
    }
}
