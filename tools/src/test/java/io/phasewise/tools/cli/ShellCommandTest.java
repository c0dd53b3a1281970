/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

class ShellCommandTest {

    private static String of(String... arguments) {
        ParseResult given = new CommandLine(new DemoteCommand(null)).parseArgs(arguments);
        return ShellCommand.of("./phasewise", given, "2", Set.of("--execute", "--revert"), "--execute");
    }

    @Test
    void everyOptionIsThereAsAShellReadsIt() {
        assertThat(of("2", "--bootstrap-server", "a:9092,b:9092", "--keep", "phasewise.*|it's", "--window=120"))
                .isEqualTo("./phasewise demote 2 --bootstrap-server a:9092,b:9092 --keep 'phasewise.*|it'\\''s'"
                        + " --window 120 --execute");
        assertThat(of("--keep=", "--cluster=-x", "--command-config", "my file", "--state-dir", "/tmp/x"))
                .isEqualTo("./phasewise demote 2 --keep '' --cluster=-x --command-config 'my file'"
                        + " --state-dir /tmp/x --execute");
    }

    @Test
    void anotherActionTakesThePlaceOfTheOneThatWasGiven() {
        assertThat(of("7", "--revert", "--file=back.json"))
                .isEqualTo("./phasewise demote 2 --file back.json --execute");
    }
}
