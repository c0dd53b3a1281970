/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.lab.junit.CommandReference;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the command line refuses, before any server is asked. */
class ReportCommandTest {

    private final CommandRun run = new CommandRun();

    @Test
    void theReferenceSaysWhatTheHelpSays() throws IOException {
        CommandReference.holds(Main.commands(run.context()).getSubcommands().get("report"));
    }

    @Test
    void allFaultsAreToldAtOnce(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "");
        String faults = "--prometheus=ftp://x --cluster= --from=yesterday --to=2026-11-01 --zone=Mars"
                + " --user=me --timeout=0 --compare-from=2026-10-01 --out=";
        assertThat(run.of(List.of((faults + file).split(" ")))).isEqualTo(2);
        assertThat(run.said())
                .contains(
                        "--prometheus: 'ftp://x'; allowed:",
                        "--cluster: empty",
                        "--from: 'yesterday'; allowed: 2026-11-01",
                        "--zone: 'Mars'",
                        "--user and --password-file; allowed: both",
                        "--timeout: 0; allowed: 1 to 3600",
                        "--compare-from and --compare-to; allowed: both or neither",
                        "--out: ");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    ''                                | give --cluster NAME, or --fleet for all clusters
                    --cluster=c --fleet               | --cluster and --fleet; allowed: one of them
                    --fleet=                          | --fleet: empty; allowed: a regular expression
                    --fleet --compare-from=2026-10-01 | --compare-to: with --fleet; allowed: with --cluster
                    --cluster=c --from=2026-11-02 --to=2026-11-01 | an end at least ten minutes after the start
                    --cluster=c --from=2026-11-01 --to=2026-11-08 --compare-from=2026-10-25 --compare-to=2026-11-02 | overlaps the other window
                    --cluster=c --prometheus=http://me:hunter2@x  | --password-file
                    """)
    void isRefused(String options, String why) {
        String server = options.contains("--prometheus") ? "" : "--prometheus=http://x ";

        assertThat(run.of(List.of((server + options).split(" ")))).isEqualTo(2);
        assertThat(run.said()).startsWith("phasewise report: ").contains(why).doesNotContain("hunter2", "Usage:");
        assertThat(run.said().lines())
                .hasSizeLessThanOrEqualTo(3)
                .last()
                .isEqualTo("phasewise report --help says what is allowed");
    }
}
