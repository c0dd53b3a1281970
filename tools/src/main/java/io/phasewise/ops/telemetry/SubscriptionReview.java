/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.ops.telemetry;

import io.phasewise.common.telemetry.PushedMetrics;
import io.phasewise.ops.telemetry.ClientMetricsSubscription.Subscription;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds subscriptions that harm clients. Those of librdkafka before 2.10.1 keep only one of several
 * names that they are asked for; when that is none of theirs, they push null, which no broker can
 * read: it closes the connection, at every second interval. Those before 2.5.3 can end with a
 * failed assertion instead. They are safe where they are asked for everything, or for the one
 * prefix that all their metrics have. A broker that has several subscriptions for a client asks it
 * for all together; everything and something else is everything. Pure.
 */
public final class SubscriptionReview {

    /** Each minor release that pushes and cannot take several names, with a version in between. */
    private static final List<String> FRAGILE =
            List.of("2.5.0", "2.5.1", "2.5.2", "2.5.3", "2.6.0", "2.6.1", "2.8.0", "2.10.0");

    private static final String METRICS = "metrics";
    private static final String MATCH = "match";

    private SubscriptionReview() {}

    /**
     * What is wrong.
     *
     * @param subscriptions names of those that together ask these clients for what they cannot take
     * @param versions of librdkafka, as far as they are looked at
     * @param ours the one among them that this tool made, now or as an earlier commit did
     */
    public record Finding(List<String> subscriptions, List<String> versions, Optional<Subscription> ours) {}

    /** A client, by what decides which subscriptions it has. */
    private record Client(String software, String version, String rdkafka) {

        static Stream<Client> of(String rdkafka) {
            return Stream.of(
                    new Client("librdkafka", rdkafka, rdkafka),
                    new Client("confluent-kafka-go", rdkafka, rdkafka),
                    new Client("confluent-kafka-python", rdkafka + "-rdkafka-" + rdkafka, rdkafka),
                    new Client("any", "1.0.0-librdkafka-" + rdkafka, rdkafka));
        }

        boolean isMatched(Map<String, String> match) {
            return matches(match.get(ClientKind.SOFTWARE), software) && matches(match.get(ClientKind.VERSION), version);
        }

        private static boolean matches(String pattern, String text) {
            try {
                return pattern == null || Pattern.matches(pattern, text);
            } catch (PatternSyntaxException notOfJava) {
                // The brokers would have refused it: assume the worst.
                return true;
            }
        }
    }

    /** What harms, one for each set of subscriptions. */
    public static List<Finding> of(List<Subscription> all) {
        Map<List<String>, Set<String>> harmed = new LinkedHashMap<>();
        FRAGILE.stream()
                .flatMap(Client::of)
                .forEach(client -> harming(client, all)
                        .forEach(names -> harmed.computeIfAbsent(names, any -> new LinkedHashSet<>())
                                .add(client.rdkafka())));
        return harmed.entrySet().stream()
                .map(each -> new Finding(
                        each.getKey(),
                        List.copyOf(each.getValue()),
                        all.stream()
                                .filter(one -> each.getKey().contains(one.name()) && isOldOfPhasewise(one))
                                .findFirst()))
                .toList();
    }

    /** The names of those that harm it together: all that it surely has, and one that it may have. */
    private static List<List<String>> harming(Client client, List<Subscription> all) {
        List<Subscription> surely = new ArrayList<>();
        List<Subscription> perhaps = new ArrayList<>();
        for (Subscription each : all) {
            Map<String, String> match = match(each);
            if (!metrics(each).isEmpty() && client.isMatched(match)) {
                match.remove(ClientKind.SOFTWARE);
                match.remove(ClientKind.VERSION);
                (match.isEmpty() ? surely : perhaps).add(each);
            }
        }
        if (!isSafe(surely)) {
            return List.of(names(surely));
        }
        return perhaps.stream()
                .map(one -> Stream.concat(surely.stream(), Stream.of(one)).toList())
                .filter(together -> !isSafe(together))
                .map(SubscriptionReview::names)
                .toList();
    }

    private static boolean isSafe(List<Subscription> together) {
        Set<String> asked = new HashSet<>();
        together.forEach(each -> asked.addAll(metrics(each)));
        return asked.isEmpty()
                || asked.contains(ClientKind.ALL)
                || asked.size() == 1
                        && PushedMetrics.PREFIX.startsWith(asked.iterator().next());
    }

    private static List<String> names(List<Subscription> together) {
        return together.stream().map(Subscription::name).sorted().toList();
    }

    /**
     * Whether this tool made it, now or as an earlier commit did: then it may be replaced or removed
     * under this name.
     */
    static boolean isOfPhasewise(Subscription subscription) {
        return isOldOfPhasewise(subscription) || ClientKind.TRIED.stream().anyMatch(kind -> is(kind, subscription));
    }

    private static boolean is(ClientKind kind, Subscription subscription) {
        Map<String, String> match = match(subscription);
        return subscription.name().endsWith(kind.suffix())
                && metrics(subscription).equals(Set.copyOf(kind.metrics()))
                && Objects.equals(match.get(ClientKind.SOFTWARE), kind.software())
                && kind.versions().contains(match.getOrDefault(ClientKind.VERSION, ""));
    }

    /**
     * Whether it is the subscription for all clients that earlier commits made: it asks only for
     * known names, and for more than half of them.
     */
    private static boolean isOldOfPhasewise(Subscription subscription) {
        Set<String> known = Set.copyOf(PushedMetrics.names(""));
        Set<String> asked = metrics(subscription);
        return known.containsAll(asked) && 2 * asked.size() > known.size();
    }

    /** Between two pushes, rounded up to what may be asked for; Kafka's default where none is set. */
    public static long intervalSeconds(Subscription subscription) {
        long millis = Long.parseLong(subscription.settings().getOrDefault("interval.ms", "300000"));
        return Math.max(1, Math.min(3_600, (millis + 999) / 1_000));
    }

    /** Which clients it is for, as {@code client_id=REGEX}, but for their software and its version. */
    public static List<String> conditions(Subscription subscription) {
        Map<String, String> match = match(subscription);
        match.remove(ClientKind.SOFTWARE);
        match.remove(ClientKind.VERSION);
        return match.entrySet().stream()
                .map(each -> each.getKey() + "=" + each.getValue())
                .toList();
    }

    private static Set<String> metrics(Subscription subscription) {
        return texts(subscription, METRICS).collect(Collectors.toSet());
    }

    private static Map<String, String> match(Subscription subscription) {
        Map<String, String> match = new TreeMap<>();
        texts(subscription, MATCH).map(each -> each.split("=", 2)).forEach(each -> match.put(each[0], each[1]));
        return match;
    }

    private static Stream<String> texts(Subscription subscription, String key) {
        return Stream.of(subscription.settings().getOrDefault(key, "").split(","))
                .map(String::trim)
                .filter(each -> !each.isEmpty());
    }
}
