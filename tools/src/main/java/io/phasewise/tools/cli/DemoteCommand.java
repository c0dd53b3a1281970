/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.tools.cli;

import io.phasewise.common.cli.UsageException;
import io.phasewise.common.stack.LocalStack;
import io.phasewise.ops.demotion.Demotion;
import io.phasewise.ops.demotion.DemotionException;
import io.phasewise.ops.demotion.DemotionPlan;
import io.phasewise.ops.demotion.Move;
import io.phasewise.ops.prediction.Prediction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.kafka.clients.admin.Admin;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code demote}: takes a degraded broker out of the path of clients, and back. */
@Command(name = "demote")
final class DemoteCommand implements Callable<Integer> {

    private static final String EXECUTE = "--execute";
    private static final String REVERT = "--revert";

    /** The canary's topic, unless it has another name. */
    private static final String KEEP = "phasewise-canary.*";

    private final Context context;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "BROKER", arity = "0..1", descriptionKey = "broker")
    private Integer broker;

    @ArgGroup
    private Action action = new Action();

    @Option(names = "--keep", paramLabel = "REGEX", defaultValue = KEEP)
    private String keep;

    @Option(names = "--file", paramLabel = "FILE")
    private Path file;

    @Mixin
    private ClusterOption cluster;

    @Mixin
    private PrometheusOption figures;

    /** What to do; without either option it is a dry run. */
    static final class Action {
        @Option(names = EXECUTE)
        private boolean execute;

        @Option(names = REVERT)
        private boolean revert;
    }

    DemoteCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() throws DemotionException, IOException, InterruptedException {
        Predicate<String> kept = kept();
        figures.check();
        if (broker == null && (action.execute || action.revert)) {
            throw new UsageException("BROKER: give the broker id: the suspect can change between two calls");
        }
        if (broker != null && broker < 0) {
            throw new UsageException("BROKER: must be 0 or more, was " + broker);
        }
        if (action.revert && !Files.exists(backup(broker))) {
            throw new UsageException("--revert: there is no " + backup(broker) + "; --file says where it is");
        }
        if (action.execute && Files.exists(backup(broker))) {
            throw new UsageException(
                    "--execute: %s exists already: it is the only way back from an earlier demotion. Run --revert first, or name another --file"
                            .formatted(backup(broker)));
        }
        Optional<LocalStack> local = cluster.local(context);
        try (Admin admin = cluster.open(context, "phasewise-demote")) {
            if (action.revert) {
                return revert(demotion(admin, broker));
            }
            GainReport gain = GainReport.open(context, figures, local);
            return action.execute ? execute(demotion(admin, broker), kept, gain) : show(admin, kept, gain);
        } catch (DemotionException failed) {
            throw ClusterOption.isSilence(failed) ? failed.at(cluster.servers()) : failed;
        }
    }

    private int show(Admin admin, Predicate<String> kept, GainReport gain)
            throws DemotionException, IOException, InterruptedException {
        Optional<Integer> named = broker != null ? Optional.of(broker) : gain.suspect();
        if (named.isEmpty()) {
            return CommandLine.ExitCode.USAGE;
        }
        DemotionPlan plan = demotion(admin, named.get()).plan(kept);
        if (isRefused(plan)) {
            return CommandLine.ExitCode.SOFTWARE;
        }
        tell(plan, named.get(), "Would move");
        gain.predict(named.get());
        if (plan.canBeDone()) {
            context.print("Nothing was done. This does it:");
            context.print("  " + same(named.get(), EXECUTE));
        }
        return CommandLine.ExitCode.OK;
    }

    private int execute(Demotion demotion, Predicate<String> kept, GainReport gain)
            throws DemotionException, IOException, InterruptedException {
        Optional<Prediction> prediction = gain.predict(broker);
        DemotionPlan done = demotion.execute(kept);
        if (isRefused(done)) {
            return CommandLine.ExitCode.SOFTWARE;
        }
        tell(done, broker, "Moved");
        if (Files.exists(backup(broker))) {
            context.print("The way back is in " + backup(broker) + ": keep that file. This undoes it:");
            context.print("  " + same(broker, REVERT));
        }
        if (!done.moves().isEmpty() && prediction.isPresent()) {
            gain.measure(prediction.get());
        }
        return done.left().isEmpty() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private int revert(Demotion demotion) throws DemotionException, IOException, InterruptedException {
        Demotion.Reverted reverted = demotion.revert();
        list("Moved back " + partitions(reverted.back()), reverted.back());
        list("No longer there, nothing to undo:", reverted.gone());
        if (reverted.left().isEmpty()) {
            return CommandLine.ExitCode.OK;
        }
        list("Not moved back:", reverted.left());
        context.print(
                "%s keeps the way back for these. Where a partition is to stay as it is now, take it out of the file, or delete the file"
                        .formatted(backup(broker)));
        return CommandLine.ExitCode.SOFTWARE;
    }

    private Demotion demotion(Admin admin, int demoted) {
        return new Demotion(admin, demoted, backup(demoted));
    }

    private Path backup(int demoted) {
        return context.workingDirectory().resolve(file != null ? file : Path.of("demoted-broker-" + demoted + ".json"));
    }

    /** The command line of this run, with another action. */
    private String same(int demoted, String instead) {
        return ShellCommand.of(
                context.program(),
                spec.commandLine().getParseResult(),
                Integer.toString(demoted),
                Set.of(EXECUTE, REVERT),
                instead);
    }

    private boolean isRefused(DemotionPlan plan) {
        if (plan.obstacles().isEmpty()) {
            return false;
        }
        context.print("Refused: min.insync.replicas would break");
        plan.obstacles().forEach(line -> context.print("  " + line));
        context.print("Bring the missing replicas back into sync, or leave these topics alone with --keep REGEX");
        return true;
    }

    private void tell(DemotionPlan plan, int demoted, String verb) {
        if (plan.moves().isEmpty()) {
            context.print("Nothing to move");
        }
        list(verb + " " + partitions(plan.moves()), plan.moves());
        list("Left alone:", plan.left());
        if (!plan.left().isEmpty()) {
            context.print("Run it again once that is over; kafka-reassign-partitions.sh --list shows reassignments"
                    + (Files.exists(backup(demoted)) ? ". Then name another --file: this one is in use" : ""));
        } else if (plan.moves().isEmpty()) {
            context.print(reason(plan, demoted));
        }
    }

    private String reason(DemotionPlan plan, int demoted) {
        if (plan.kept().isEmpty()) {
            return "Broker %d leads no partition and is the preferred leader of none. Is it slow as a follower? Then repair it, restart it, or move its replicas away"
                    .formatted(demoted);
        }
        return "Broker %d leads partitions of these topics only, which --keep '%s' leaves alone: %s"
                        .formatted(demoted, keep, String.join(", ", plan.kept()))
                + (keep.equals(KEEP)
                        ? ". A canary gives each broker a partition to lead: it would move them back"
                        : "");
    }

    private void list(String head, List<?> lines) {
        if (!lines.isEmpty()) {
            context.print(head);
            lines.forEach(line -> context.print("  " + line));
        }
    }

    private static String partitions(List<Move> moves) {
        return moves.size() + (moves.size() == 1 ? " partition" : " partitions");
    }

    private Predicate<String> kept() {
        try {
            return Pattern.compile(keep).asMatchPredicate();
        } catch (PatternSyntaxException wrong) {
            throw new UsageException(
                    "--keep: '%s' is not a regular expression: %s".formatted(keep, wrong.getDescription()));
        }
    }
}
