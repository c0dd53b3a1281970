/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.ops.cli;

import io.phasewise.common.cli.UsageException;
import io.phasewise.common.stack.LocalStack;
import io.phasewise.ops.demotion.Demotion;
import io.phasewise.ops.demotion.Demotion.DemotionException;
import io.phasewise.ops.demotion.DemotionPlan;
import io.phasewise.ops.prediction.Prediction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.kafka.clients.admin.Admin;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code demote}: takes a degraded broker out of the path of clients, and back. */
@Command(name = "demote")
final class DemoteCommand implements Callable<Integer> {

    private final Context context;

    @Parameters(paramLabel = "BROKER", arity = "0..1", descriptionKey = "broker")
    private Integer broker;

    @ArgGroup
    private Action action = new Action();

    @Option(names = "--keep", paramLabel = "REGEX", defaultValue = "phasewise-canary.*")
    private String keep;

    @Option(names = "--file", paramLabel = "FILE")
    private Path file;

    @Mixin
    private ClusterOption cluster;

    @Mixin
    private PrometheusOption figures;

    /** One of the two, or a dry run. */
    static final class Action {
        @Option(names = "--execute")
        private boolean execute;

        @Option(names = "--revert")
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
            throw new UsageException("BROKER: say which; whom kafka_suspect names changes");
        }
        if (broker != null && broker < 0) {
            throw new UsageException("BROKER: must be 0 or more, was " + broker);
        }
        if (action.revert && !Files.exists(backup(broker))) {
            throw new UsageException("--revert: there is no " + backup(broker) + "; --file says where it is");
        }
        if (action.execute && Files.exists(backup(broker))) {
            throw new UsageException(
                    "--execute: %s exists already, from an earlier demotion: run --revert first, or name another --file"
                            .formatted(backup(broker)));
        }
        Optional<LocalStack> local = cluster.local(context);
        try (Admin admin = cluster.open(context, "phasewise-demote")) {
            if (action.revert) {
                return tell(demotion(admin, broker).revert(), "Moved back", true);
            }
            GainReport gain = GainReport.open(context, figures, local);
            return action.execute ? execute(demotion(admin, broker), kept, gain) : show(admin, kept, gain);
        }
    }

    private int show(Admin admin, Predicate<String> kept, GainReport gain)
            throws DemotionException, IOException, InterruptedException {
        Optional<Integer> named = broker != null ? Optional.of(broker) : gain.suspect();
        if (named.isEmpty()) {
            return CommandLine.ExitCode.USAGE;
        }
        DemotionPlan plan = demotion(admin, named.get()).plan(kept);
        int status = tell(plan, "Would move", false);
        if (isDone(plan)) {
            gain.predict(named.get());
            context.print("Nothing was done; demote " + named.get() + " --execute does it");
        }
        return status;
    }

    private int execute(Demotion demotion, Predicate<String> kept, GainReport gain)
            throws DemotionException, IOException, InterruptedException {
        Optional<Prediction> prediction = gain.predict(broker);
        DemotionPlan done = demotion.execute(kept);
        int status = tell(done, "Moved", false);
        if (isDone(done)) {
            context.print("To undo: --revert (" + backup(broker) + ")");
            if (prediction.isPresent()) {
                gain.measure(prediction.get());
            }
        }
        return status;
    }

    private Demotion demotion(Admin admin, int demoted) {
        return new Demotion(admin, demoted, backup(demoted));
    }

    private Path backup(int demoted) {
        return context.workingDirectory().resolve(file != null ? file : Path.of("demoted-broker-" + demoted + ".json"));
    }

    private static boolean isDone(DemotionPlan plan) {
        return plan.obstacles().isEmpty() && !plan.moves().isEmpty();
    }

    private int tell(DemotionPlan plan, String verb, boolean anyway) {
        boolean refused = !anyway && !plan.obstacles().isEmpty();
        if (refused) {
            context.print("Refused: min.insync.replicas would break");
        }
        plan.obstacles().forEach(line -> context.print("  " + line));
        if (refused) {
            return CommandLine.ExitCode.SOFTWARE;
        }
        int moves = plan.moves().size();
        context.print(
                moves == 0 ? "Nothing to move" : verb + " " + moves + (moves == 1 ? " partition" : " partitions"));
        plan.moves().forEach(line -> context.print("  " + line));
        return CommandLine.ExitCode.OK;
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
