/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.tools.cli;

import io.phasewise.common.cli.OptionCheck;
import io.phasewise.common.cli.ShellWord;
import io.phasewise.common.cli.UsageException;
import io.phasewise.ops.telemetry.ClientMetricsSubscription;
import io.phasewise.ops.telemetry.ClientMetricsSubscription.Change;
import io.phasewise.ops.telemetry.ClientMetricsSubscription.Subscription;
import io.phasewise.ops.telemetry.SubscriptionReview;
import io.phasewise.ops.telemetry.SubscriptionReview.Finding;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code telemetry}: has the clients of a cluster push what they measure, or not. */
@Command(name = "telemetry", synopsisSubcommandLabel = "COMMAND")
final class TelemetryCommand implements Runnable {

    /**
     * The conditions that may be added. The clients' software is none of them: which software is
     * asked was decided by trying it.
     */
    private static final List<String> MATCHES =
            List.of("client_instance_id", "client_id", "client_source_address", "client_source_port");

    /** The option that names a subscription. */
    static final class SubscriptionOption {
        @Option(names = "--name", paramLabel = "NAME", defaultValue = "phasewise")
        private String name;
    }

    private final Context context;

    TelemetryCommand(Context context) {
        this.context = context;
    }

    @Override
    public void run() {
        throw new UsageException("telemetry: allowed: enable, show, disable");
    }

    @Command(name = "enable", mixinStandardHelpOptions = true)
    int enable(
            @Option(names = "--interval", paramLabel = "SECONDS", defaultValue = "30") int interval,
            @Option(names = "--match", paramLabel = "WHAT=REGEX") List<String> match,
            @Option(names = "--execute", descriptionKey = "telemetry-execute") boolean execute,
            @Mixin SubscriptionOption subscription,
            @Mixin ClusterOption cluster)
            throws IOException, InterruptedException {
        List<String> matches = match == null ? List.of() : match;
        new OptionCheck().within("--interval", interval, 1, 3_600).done();
        matches.forEach(this::check);
        return with(cluster, subscriptions -> {
            List<Change> changes = subscriptions.enabling(subscription.name, Duration.ofSeconds(interval), matches);
            List<String> options = new ArrayList<>(List.of("--interval", Integer.toString(interval)));
            matches.forEach(each -> options.addAll(List.of("--match", each)));
            change(
                    subscriptions,
                    changes,
                    execute,
                    command(context.program(), "enable", subscription.name, cluster.words(), options));
            context.print("Asked to push every %d s: %s. No other version: it was not tried"
                    .formatted(interval, String.join("; ", ClientMetricsSubscription.asked())));
            if (execute) {
                context.print("Running clients learn of it within 5 minutes");
                warnOfHarm(subscriptions, cluster);
            }
            warnOfBrokersWithoutReceiver(subscriptions);
        });
    }

    @Command(name = "show", mixinStandardHelpOptions = true)
    int show(@Mixin ClusterOption cluster) throws IOException, InterruptedException {
        return with(cluster, subscriptions -> {
            List<Subscription> all = subscriptions.all();
            if (all.isEmpty()) {
                context.print("No subscription: no client pushes");
            }
            for (Subscription each : all) {
                context.print(each.name());
                print(each.settings());
            }
            warnOfHarm(subscriptions, cluster);
            warnOfBrokersWithoutReceiver(subscriptions);
        });
    }

    @Command(name = "disable", mixinStandardHelpOptions = true)
    int disable(
            @Option(names = "--execute", descriptionKey = "telemetry-execute") boolean execute,
            @Mixin SubscriptionOption subscription,
            @Mixin ClusterOption cluster)
            throws IOException, InterruptedException {
        return with(cluster, subscriptions -> {
            List<Change> changes = subscriptions.disabling(subscription.name);
            change(
                    subscriptions,
                    changes,
                    execute,
                    command(context.program(), "disable", subscription.name, cluster.words(), List.of()));
        });
    }

    /** Changes subscriptions, or says what would be changed and by which command. */
    private void change(ClientMetricsSubscription subscriptions, List<Change> changes, boolean execute, String command)
            throws InterruptedException {
        if (changes.isEmpty()) {
            context.print("Nothing to change");
            return;
        }
        if (execute) {
            subscriptions.apply(changes);
        }
        for (Change change : changes) {
            context.print(verb(change, execute) + " " + change.name());
            if (change.before() != null) {
                print("  was ", change.before());
            }
            if (change.after() != null) {
                print("  ", change.after());
            }
        }
        if (!execute) {
            context.print("Nothing was changed. This does it: " + command + " --execute");
        }
    }

    private static String verb(Change change, boolean done) {
        if (change.after() == null) {
            return done ? "Removed" : "Would remove";
        }
        if (change.before() == null) {
            return done ? "Made" : "Would make";
        }
        return done ? "Replaced" : "Would replace";
    }

    private void print(Map<String, String> settings) {
        print("  ", settings);
    }

    private void print(String indent, Map<String, String> settings) {
        settings.forEach((key, value) -> context.print(indent + key + " = " + value));
    }

    /** Names what harms clients, and says what to do about it. */
    private void warnOfHarm(ClientMetricsSubscription subscriptions, ClusterOption cluster)
            throws InterruptedException {
        for (Finding finding : SubscriptionReview.of(subscriptions.all())) {
            context.print(
                    "HARMFUL: %s: librdkafka %s cannot take this: its pushes fail and it loses a broker connection every two intervals, or it crashes (2.5.0 to 2.5.2)"
                            .formatted(
                                    String.join(" with ", finding.subscriptions()),
                                    String.join(", ", finding.versions())));
            context.print("  " + way(finding, cluster));
        }
    }

    /** What to do about it. A subscription that somebody else made is left alone. */
    private String way(Finding finding, ClusterOption cluster) {
        return finding.ours()
                .map(ours -> "this shows what would mend it: "
                        + command(context.program(), "enable", ours.name(), cluster.words(), again(ours)))
                .orElse(
                        "Phasewise did not make it and does not change it: ask who did. It is safe once it asks for * alone;"
                                + " kafka-client-metrics.sh --delete --name NAME removes it");
    }

    /**
     * The options that keep a subscription's interval and conditions, while what it asks for and of
     * which software is replaced.
     */
    static List<String> again(Subscription ours) {
        List<String> options =
                new ArrayList<>(List.of("--interval", Long.toString(SubscriptionReview.intervalSeconds(ours))));
        SubscriptionReview.conditions(ours).forEach(each -> options.addAll(List.of("--match", each)));
        return options;
    }

    /** The whole command, as a shell takes it. */
    static String command(String program, String what, String name, List<String> cluster, List<String> options) {
        List<String> words = new ArrayList<>(List.of(program, "telemetry", what));
        words.addAll(cluster);
        words.addAll(List.of("--name", name));
        words.addAll(options);
        return words.stream().map(ShellWord::quoted).collect(Collectors.joining(" "));
    }

    private void check(String match) {
        String[] parts = match.split("=", 2);
        if (parts.length != 2 || !MATCHES.contains(parts[0])) {
            throw new UsageException("--match: '%s': allowed is WHAT=REGEX with WHAT one of %s"
                    .formatted(match, String.join(", ", MATCHES)));
        }
        try {
            Pattern.compile(parts[1]);
        } catch (PatternSyntaxException wrong) {
            throw new UsageException(
                    "--match: '%s' is not a regular expression: %s".formatted(parts[1], wrong.getDescription()));
        }
        if (parts[1].contains(",") || parts[1].contains("=")) {
            throw new UsageException("--match: '" + parts[1] + "': Kafka allows no comma and no = in it");
        }
    }

    private void warnOfBrokersWithoutReceiver(ClientMetricsSubscription subscriptions) throws InterruptedException {
        List<Integer> without = subscriptions.brokersWithoutReceiver();
        if (!without.isEmpty()) {
            context.print(
                    "Brokers %s accept no pushes: their metric.reporters names no receiver (docs/how-to/client-telemetry.md)"
                            .formatted(without));
        }
    }

    private int with(ClusterOption cluster, Task task) throws IOException, InterruptedException {
        try (Admin admin = cluster.open(context, "phasewise-telemetry")) {
            task.run(new ClientMetricsSubscription(admin));
            return CommandLine.ExitCode.OK;
        } catch (KafkaException failed) {
            throw ClusterOption.isSilence(failed)
                    ? new KafkaException(cluster.servers() + ": " + failed.getMessage(), failed)
                    : failed;
        }
    }

    /** Something done to the subscriptions of a cluster. */
    private interface Task {
        void run(ClientMetricsSubscription subscriptions) throws InterruptedException;
    }
}
