/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.ops.cli;

import io.phasewise.common.cli.OptionCheck;
import io.phasewise.common.cli.UsageException;
import io.phasewise.ops.telemetry.ClientMetricsSubscription;
import io.phasewise.ops.telemetry.ClientMetricsSubscription.Subscription;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.kafka.clients.admin.Admin;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code telemetry}: has the clients of a cluster push what they measure, or not. */
@Command(name = "telemetry", synopsisSubcommandLabel = "COMMAND")
final class TelemetryCommand implements Runnable {

    private static final List<String> MATCHES = List.of(
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
            @Mixin SubscriptionOption subscription,
            @Mixin ClusterOption cluster)
            throws IOException, InterruptedException {
        List<String> matches = match == null ? List.of() : match;
        new OptionCheck().within("--interval", interval, 1, 3_600).done();
        matches.forEach(this::check);
        return with(cluster, subscriptions -> {
            subscriptions.enable(subscription.name, Duration.ofSeconds(interval), matches);
            context.print("Clients%s push every %d s (subscription %s); running clients learn of it within 5 minutes"
                    .formatted(
                            matches.isEmpty() ? "" : " with " + String.join(", ", matches),
                            interval,
                            subscription.name));
            if (matches.stream().noneMatch(TelemetryCommand::isOfVersions)) {
                context.print(
                        "Clients of librdkafka 2.5.0 to 2.5.2 can crash when they learn of it; to exclude them: --match '%s'"
                                .formatted(WITHOUT_LIBRDKAFKA_25));
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
                each.settings().forEach((key, value) -> context.print("  " + key + " = " + value));
            }
            warnOfBrokersWithoutReceiver(subscriptions);
        });
    }

    @Command(name = "disable", mixinStandardHelpOptions = true)
    int disable(@Mixin SubscriptionOption subscription, @Mixin ClusterOption cluster)
            throws IOException, InterruptedException {
        return with(cluster, subscriptions -> {
            subscriptions.disable(subscription.name);
            context.print("No subscription " + subscription.name + " any more");
        });
    }

    private static boolean isOfVersions(String match) {
        return match.startsWith("client_software_version=");
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
        if (parts[1].contains(",")) {
            throw new UsageException("--match: '" + parts[1] + "': Kafka allows no comma in it");
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
        }
    }

    /** Something done to the subscriptions of a cluster. */
    private interface Task {
        void run(ClientMetricsSubscription subscriptions) throws InterruptedException;
    }
}
