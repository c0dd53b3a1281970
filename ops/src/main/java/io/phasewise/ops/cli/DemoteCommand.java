/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.ops.cli;

import io.phasewise.ops.demotion.Demotion;
import io.phasewise.ops.demotion.Demotion.DemotionException;
import io.phasewise.ops.demotion.Demotion.Report;
import io.phasewise.ops.demotion.Demotion.UnknownBrokerException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.kafka.clients.admin.Admin;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code demote}: takes a degraded broker out of the path of clients, and back. */
@Command(
        name = "demote",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Move leadership off a degraded broker, so that no client waits for it. Its replicas"
                    + " stay where they are; no data moves. Without --execute it only says what it"
                    + " would do.",
            "Refuses when a partition would be left with fewer in-sync replicas than"
                    + " min.insync.replicas once the broker falls out."
        })
final class DemoteCommand implements Callable<Integer> {

    private final Context context;

    @Spec private CommandSpec spec;

    @Parameters(paramLabel = "BROKER", description = "Its node id.")
    private int broker;

    @ArgGroup private Action action;

    @Option(
            names = "--keep",
            paramLabel = "REGEX",
            defaultValue = "phasewise-canary.*",
            description =
                    "Topics to leave alone; ${DEFAULT-VALUE} unless said, so that the canary goes"
                            + " on measuring the broker and shows when it is well.")
    private String keep;

    @Option(
            names = "--file",
            paramLabel = "FILE",
            description =
                    "Where the way back is kept, as kafka-reassign-partitions.sh reads it;"
                            + " demoted-broker-BROKER.json here unless said.")
    private Path file;

    @Mixin private ClusterOption cluster;

    /** One of the two, or a dry run. */
    static final class Action {
        @Option(names = "--execute", description = "Do it, and write down the way back.")
        private boolean execute;

        @Option(names = "--revert", description = "Go the way back.")
        private boolean revert;
    }

    DemoteCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() throws DemotionException, IOException, InterruptedException {
        Pattern kept = kept();
        if (broker < 0) {
            throw refused("BROKER: must be 0 or more, was " + broker);
        }
        Path wayBack =
                context.workingDirectory()
                        .resolve(
                                file != null
                                        ? file
                                        : Path.of("demoted-broker-" + broker + ".json"));
        boolean revert = action != null && action.revert;
        boolean execute = action != null && action.execute;
        if (revert && !Files.exists(wayBack)) {
            throw refused("--revert: there is no " + wayBack + "; --file says where it is");
        }
        if (execute && Files.exists(wayBack)) {
            throw refused(
                    "--execute: "
                            + wayBack
                            + " is there already, the way back from before: --revert first, or"
                            + " another --file");
        }
        try (Admin admin = Admin.create(cluster.clientProperties(context, "phasewise-demote"))) {
            Demotion demotion = new Demotion(admin, broker, wayBack);
            if (revert) {
                return tell(demotion.revert(), "Moved back", true, "");
            }
            if (execute) {
                return tell(
                        demotion.execute(topic -> kept.matcher(topic).matches()),
                        "Moved",
                        false,
                        "The way back: --revert (" + wayBack + ")");
            }
            return tell(
                    demotion.plan(topic -> kept.matcher(topic).matches()),
                    "Would move",
                    false,
                    "Nothing was done; --execute does it");
        } catch (UnknownBrokerException wrong) {
            throw refused(wrong.getMessage());
        }
    }

    private int tell(Report report, String verb, boolean anyway, String then) {
        boolean refused = !anyway && !report.obstacles().isEmpty();
        if (refused) {
            context.screen().print("Refused: min.insync.replicas would break");
        }
        report.obstacles().forEach(line -> context.screen().print("  " + line));
        if (refused) {
            return ExitCode.FAILED;
        }
        if (report.moves().isEmpty()) {
            context.screen().print("Nothing to move");
            return ExitCode.DONE;
        }
        context.screen()
                .print(
                        verb
                                + " "
                                + report.moves().size()
                                + (report.moves().size() == 1 ? " partition" : " partitions"));
        report.moves().forEach(line -> context.screen().print("  " + line));
        if (!then.isEmpty()) {
            context.screen().print(then);
        }
        return ExitCode.DONE;
    }

    private Pattern kept() {
        try {
            return Pattern.compile(keep);
        } catch (PatternSyntaxException wrong) {
            throw refused(
                    "--keep: '"
                            + keep
                            + "' is not a regular expression: "
                            + wrong.getDescription());
        }
    }

    private ParameterException refused(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
