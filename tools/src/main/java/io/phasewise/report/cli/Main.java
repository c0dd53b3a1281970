/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.cli;

import io.phasewise.common.progress.Screen;
import io.phasewise.common.progress.Terminal;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;

/** The entry of {@code ./phasewise report}. */
public final class Main {

    private Main() {}

    public static void main(String[] arguments) {
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
        ReportCommand command = new ReportCommand(
                new Screen(out, Terminal.detect(System.getenv())),
                InstantSource.system(),
                System::nanoTime,
                time -> Thread.sleep(time.toMillis()));
        int status = ReportCommand.line(command)
                .setOut(new PrintWriter(out, true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(System.err, true, StandardCharsets.UTF_8))
                .execute(arguments);
        out.flush();
        System.exit(status);
    }
}
