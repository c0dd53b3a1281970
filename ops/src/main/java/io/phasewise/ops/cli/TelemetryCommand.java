/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.ops.cli;

import io.phasewise.ops.telemetry.ClientMetricsSubscription;
import io.phasewise.ops.telemetry.ClientMetricsSubscription.Subscription;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.kafka.clients.admin.Admin;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code telemetry}: has the clients of a cluster push what they measure, or not. */
@Command(
        name = "telemetry",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        synopsisSubcommandLabel = "COMMAND",
        description = {
            "Let the applications' own clients push what they measure to the brokers (KIP-714),"
                    + " where the exporter shows it: docs/how-to/client-telemetry.md."
        })
final class TelemetryCommand implements Runnable {

    private static final List<String> MATCHES =
            List.of(
                    "client_instance_id",
                    "client_id",
                    "client_software_name",
                    "client_software_version",
                    "client_source_address",
                    "client_source_port");

    /**
     * Matches each version, as a client states it, but those of librdkafka that end with a failed
     * assertion when a subscription names no metric that they have (its issue 4833). Libraries on
     * top of it put their own version in front.
     */
    static final String WITHOUT_LIBRDKAFKA_25 = "client_software_version=(?!.*2[.]5[.][0-2]).*";

    private final Context context;

    @Spec private CommandSpec spec;

    TelemetryCommand(Context context) {
        this.context = context;
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "telemetry: allowed: enable, show, disable");
    }

    @Command(
            name = "enable",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            sortOptions = false,
            description = "Make a subscription, or change the one of that name.")
    int enable(
            @Option(
                            names = "--interval",
                            paramLabel = "SECONDS",
                            defaultValue = "30",
                            description =
                                    "Time between two pushes of a client, 1 to 3600. Default:"
                                            + " ${DEFAULT-VALUE}.")
                    int interval,
            @Option(
                            names = "--match",
                            paramLabel = "WHAT=REGEX",
                            description =
                                    "Only clients that match, all of several: client_id,"
                                            + " client_software_name, client_software_version,"
                                            + " client_source_address, client_source_port,"
                                            + " client_instance_id.")
                    List<String> match,
            @Option(
                            names = "--name",
                            paramLabel = "NAME",
                            defaultValue = "phasewise",
                            description = "Name of the subscription. Default: ${DEFAULT-VALUE}.")
                    String name,
            @Mixin ClusterOption cluster)
            throws IOException, InterruptedException {
        List<String> matches = match == null ? List.of() : match;
        if (interval < 1 || interval > 3_600) {
            throw refused("--interval: must be from 1 to 3600, was " + interval);
        }
        matches.forEach(this::check);
        return with(
                cluster,
                subscriptions -> {
                    subscriptions.enable(name, Duration.ofSeconds(interval), matches);
                    context.screen()
                            .print(
                                    "Clients"
                                            + (matches.isEmpty()
                                                    ? ""
                                                    : " with " + String.join(", ", matches))
                                            + " push every "
                                            + interval
                                            + " s (subscription "
                                            + name
                                            + "); those that run hear of it within 5 minutes");
                    if (matches.stream().noneMatch(TelemetryCommand::isOfVersions)) {
                        context.screen()
                                .print(
                                        "Clients of librdkafka 2.5.0 to 2.5.2 can crash when they"
                                                + " hear of it; to leave them out: --match '"
                                                + WITHOUT_LIBRDKAFKA_25
                                                + "'");
                    }
                    warnOfBrokersWithoutReceiver(subscriptions);
                });
    }

    @Command(
            name = "show",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            sortOptions = false,
            description = "All subscriptions, and the brokers that cannot take what is pushed.")
    int show(@Mixin ClusterOption cluster) throws IOException, InterruptedException {
        return with(
                cluster,
                subscriptions -> {
                    List<Subscription> all = subscriptions.all();
                    if (all.isEmpty()) {
                        context.print("No subscription: no client pushes");
                    }
                    for (Subscription each : all) {
                        context.print(each.name());
                        each.settings()
                                .forEach((key, value) -> context.print("  " + key + " = " + value));
                    }
                    warnOfBrokersWithoutReceiver(subscriptions);
                });
    }

    @Command(
            name = "disable",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            sortOptions = false,
            description = "Remove a subscription.")
    int disable(
            @Option(
                            names = "--name",
                            paramLabel = "NAME",
                            defaultValue = "phasewise",
                            description = "Name of the subscription. Default: ${DEFAULT-VALUE}.")
                    String name,
            @Mixin ClusterOption cluster)
            throws IOException, InterruptedException {
        return with(
                cluster,
                subscriptions -> {
                    subscriptions.disable(name);
                    context.print("No subscription " + name + " any more");
                });
    }

    private static boolean isOfVersions(String match) {
        return match.startsWith("client_software_version=");
    }

    private void check(String match) {
        String[] parts = match.split("=", 2);
        if (parts.length != 2 || !MATCHES.contains(parts[0])) {
            throw refused(
                    "--match: '"
                            + match
                            + "': allowed is WHAT=REGEX with WHAT one of "
                            + String.join(", ", MATCHES));
        }
        try {
            Pattern.compile(parts[1]);
        } catch (PatternSyntaxException wrong) {
            throw refused(
                    "--match: '"
                            + parts[1]
                            + "' is not a regular expression: "
                            + wrong.getDescription());
        }
        if (parts[1].contains(",")) {
            throw refused("--match: '" + parts[1] + "': Kafka takes no comma in it");
        }
    }

    private ParameterException refused(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    private void warnOfBrokersWithoutReceiver(ClientMetricsSubscription subscriptions)
            throws InterruptedException {
        List<Integer> without = subscriptions.brokersWithoutReceiver();
        if (!without.isEmpty()) {
            context.screen()
                    .print(
                            "Brokers "
                                    + without
                                    + " take nothing: their metric.reporters names no receiver"
                                    + " (docs/how-to/client-telemetry.md)");
        }
    }

    private int with(ClusterOption cluster, Task task) throws IOException, InterruptedException {
        try (Admin admin = Admin.create(cluster.clientProperties(context, "phasewise-telemetry"))) {
            task.run(new ClientMetricsSubscription(admin));
            return ExitCode.DONE;
        }
    }

    /** Something done to the subscriptions of a cluster. */
    private interface Task {
        void run(ClientMetricsSubscription subscriptions) throws InterruptedException;
    }
}
