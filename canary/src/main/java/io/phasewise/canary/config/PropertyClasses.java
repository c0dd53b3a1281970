/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import io.phasewise.canary.config.KafkaPropertyRules.Role;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.common.config.provider.ConfigProvider;
import org.apache.kafka.common.metrics.MetricsReporter;
import org.apache.kafka.common.security.auth.AuthenticateCallbackHandler;
import org.apache.kafka.common.security.auth.Login;
import org.apache.kafka.common.security.auth.SecurityProviderCreator;
import org.apache.kafka.common.security.auth.SslEngineFactory;
import org.apache.kafka.common.security.oauthbearer.JwtRetriever;
import org.apache.kafka.common.security.oauthbearer.JwtValidator;
import org.apache.kafka.common.utils.Utils;

/**
 * Looks whether the classes that a client property names are on the class path and of the kind that
 * Kafka asks for. Without this check the fault would show only in a running canary, which could
 * make no client.
 */
final class PropertyClasses {
    private static final String ABSENT =
            " is not on the class path; allowed: classes that are (in the image, or in a directory that java -cp names)";

    private static final Map<String, Class<?>> KINDS = Map.ofEntries(
            Map.entry("metric.reporters", MetricsReporter.class),
            Map.entry("partition.assignment.strategy", ConsumerPartitionAssignor.class),
            Map.entry("sasl.client.callback.handler.class", AuthenticateCallbackHandler.class),
            Map.entry("sasl.login.callback.handler.class", AuthenticateCallbackHandler.class),
            Map.entry("sasl.login.class", Login.class),
            Map.entry("sasl.oauthbearer.jwt.retriever.class", JwtRetriever.class),
            Map.entry("sasl.oauthbearer.jwt.validator.class", JwtValidator.class),
            Map.entry("security.providers", SecurityProviderCreator.class),
            Map.entry("ssl.engine.factory.class", SslEngineFactory.class));

    private static final String INTERCEPTORS = "interceptor.classes";
    private static final Pattern PROVIDER = Pattern.compile("config\\.providers\\.[^.]+\\.class");
    private static final String JAAS = "sasl.jaas.config";

    /**
     * In a JAAS configuration, a login module's class and the word after it, which says whether the
     * module has to succeed.
     */
    private static final Pattern MODULE =
            Pattern.compile("(?i)(?:^|;)\\s*([\\w$]+(?:\\.[\\w$]+)+)\\s+(?:required|requisite|sufficient|optional)\\b");

    private PropertyClasses() {}

    /**
     * What is wrong with the classes that a property names; empty where it names none, or a
     * configuration provider is to fill it in.
     *
     * @param roles the clients that are to have the property
     */
    static Optional<String> fault(String name, String value, Role... roles) {
        if (name.equals(JAAS)) {
            Matcher modules = MODULE.matcher(value);
            return first(modules.results().map(module -> module.group(1)), List.of());
        }
        List<Class<?>> kinds = kinds(name, roles);
        if (kinds.isEmpty() || value.contains("${")) {
            return Optional.empty();
        }
        return first(Arrays.stream(value.split(",")).map(String::strip).filter(each -> !each.isEmpty()), kinds);
    }

    private static List<Class<?>> kinds(String name, Role... roles) {
        if (PROVIDER.matcher(name).matches()) {
            return List.of(ConfigProvider.class);
        }
        if (name.equals(INTERCEPTORS)) {
            List<Role> all = List.of(roles);
            Stream<Class<?>> producers =
                    all.contains(Role.PRODUCER) ? Stream.of(ProducerInterceptor.class) : Stream.of();
            Stream<Class<?>> consumers =
                    all.contains(Role.CONSUMER) ? Stream.of(ConsumerInterceptor.class) : Stream.of();
            return Stream.concat(producers, consumers).toList();
        }
        boolean isRead =
                PropertyClasses.KINDS.containsKey(name) && Arrays.stream(roles).anyMatch(role -> role.knows(name));
        return isRead ? List.of(KINDS.get(name)) : List.of();
    }

    private static Optional<String> first(Stream<String> classes, List<Class<?>> kinds) {
        return classes.flatMap(each -> fault(each, kinds).stream()).findFirst();
    }

    private static Optional<String> fault(String className, List<Class<?>> kinds) {
        Class<?> found;
        try {
            // Not initialised: a check must run none of its code.
            found = Class.forName(className, false, Utils.getContextOrKafkaClassLoader());
        } catch (ClassNotFoundException | LinkageError e) {
            return Optional.of(Section.quote(className) + ABSENT);
        }
        List<String> lacking = kinds.stream()
                .filter(kind -> !kind.isAssignableFrom(found))
                .map(Class::getName)
                .toList();
        return lacking.isEmpty()
                ? Optional.empty()
                : Optional.of(Section.quote(className) + " is of no use here; allowed: classes that implement "
                        + String.join(" and ", lacking));
    }
}
