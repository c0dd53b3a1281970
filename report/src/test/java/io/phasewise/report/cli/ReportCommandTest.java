/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.progress.Screen;
import io.phasewise.common.progress.Terminal;
import io.phasewise.lab.junit.CommandReference;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** What the command line refuses, before any server is asked. */
class ReportCommandTest {

    private final StringWriter err = new StringWriter();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @Test
    void theReferenceSaysWhatTheHelpSays() throws IOException {
        CommandReference.holds(command());
    }

    @Test
    void allFaultsAreToldAtOnce(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "");
        String faults =
                "--prometheus=ftp://x --cluster= --from=yesterday --to=2026-11-01 --zone=Mars"
                        + " --user=me --timeout=0 --compare-from=2026-10-01 --out=";
        int status = run((faults + file).split(" "));
        assertThat(status).isEqualTo(2);
        assertThat(err.toString())
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
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    ''                                | --cluster and --fleet; allowed: one of them
                    --cluster=c --fleet               | --cluster and --fleet; allowed: one of them
                    --fleet=                          | --fleet: empty; allowed: a regular expression
                    --fleet --compare-from=2026-10-01 | --compare-to: with --fleet; allowed: with --cluster
                    --cluster=c --from=2026-11-02 --to=2026-11-01 | an end that is ten minutes or more after the begin
                    --cluster=c --from=2026-11-01 --to=2026-11-08 --compare-from=2026-10-25 --compare-to=2026-11-02 | a window that overlaps with the other
                    --cluster=c --prometheus=http://me:hunter2@x  | --password-file
                    """)
    void isRefused(String options, String why) {
        String server = options.contains("--prometheus") ? "" : "--prometheus=http://x ";

        assertThat(run((server + options).split(" "))).isEqualTo(2);
        assertThat(err.toString()).contains(why).doesNotContain("hunter2");
    }

    private CommandLine command() {
        return new CommandLine(
                new ReportCommand(
                        new Screen(new PrintStream(out), Terminal.plain()),
                        InstantSource.fixed(Instant.parse("2026-11-21T12:00:00Z")),
                        () -> 0,
                        time -> {}));
    }

    private int run(String... arguments) {
        return command()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }
}
