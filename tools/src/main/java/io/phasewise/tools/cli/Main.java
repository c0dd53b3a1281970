/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.tools.cli;

import io.phasewise.common.cli.FailureHandler;
import io.phasewise.common.cli.UsageErrors;
import io.phasewise.common.cli.Version;
import io.phasewise.common.progress.Interruption;
import io.phasewise.common.progress.Screen;
import io.phasewise.ops.demotion.DemotionException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.ResourceBundle;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.KafkaException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;

/** The entry: parses the command line and maps failures to exit statuses. */
@Command(
        name = "phasewise",
        mixinStandardHelpOptions = true,
        description = "Commands that change a cluster or a canary, and the capacity review.")
public final class Main {

    private Main() {}

    public static void main(String[] arguments) {
        Interruption interruption = Interruption.install();
        Screen screen = Screen.ofStandardOutput();
        Path here = Path.of("").toAbsolutePath();
        Context context = new Context(
                Optional.ofNullable(System.getProperty("phasewise.root"))
                        .map(Path::of)
                        .orElse(here),
                here,
                System.getenv(),
                System.getProperty("phasewise.program", "phasewise"),
                screen,
                InstantSource.system(),
                System::nanoTime,
                time -> Thread.sleep(time.toMillis()));
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        int status = run(
                context,
                interruption::requested,
                new PrintWriter(screen.out(), true, StandardCharsets.UTF_8),
                err,
                arguments);
        screen.out().flush();
        interruption.finish(status);
    }

    /** All commands. */
    static CommandLine commands(Context context) {
        CommandLine all = new CommandLine(new Main())
                .addSubcommand(new DemoteCommand(context))
                .addSubcommand(new TelemetryCommand(context))
                .addSubcommand("pause", new PauseCommand(context, true))
                .addSubcommand("resume", new PauseCommand(context, false));
        all.setResourceBundle(ResourceBundle.getBundle("io.phasewise.tools.cli.commands"));
        // Added last: it has a resource bundle of its own, which the line above would replace.
        all.addSubcommand(new ReportCommand(context));
        complete(all);
        for (CommandLine each : all.getSubcommands().values()) {
            each.getCommandSpec().mixinStandardHelpOptions(true);
            complete(each);
            // Subcommands that are methods have the standard options by their annotation.
            each.getSubcommands().values().forEach(Main::complete);
        }
        return all;
    }

    private static void complete(CommandLine command) {
        command.getCommandSpec().versionProvider(new Version()).usageMessage().sortOptions(false);
    }

    /**
     * Runs one command line.
     *
     * @param askedToEnd whether the process was
     */
    static int run(Context context, BooleanSupplier askedToEnd, PrintWriter out, PrintWriter err, String... arguments) {
        Ansi ansi = context.screen().terminal().colour() ? Ansi.ON : Ansi.OFF;
        return commands(context)
                .setOut(out)
                .setErr(err)
                .setColorScheme(CommandLine.Help.defaultColorScheme(ansi))
                .setParameterExceptionHandler((refused, line) ->
                        new UsageErrors(program(refused.getCommandLine())).handleParseException(refused, line))
                .setExecutionExceptionHandler(
                        new FailureHandler("phasewise", askedToEnd, DemotionException.class, KafkaException.class))
                .execute(arguments);
    }

    /** What messages about that command begin with. */
    private static String program(CommandLine command) {
        return command.getCommandName().equals("report") ? "phasewise report" : "phasewise";
    }
}
