/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.phasewise.kafka.AnswerLimit;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigException;

/**
 * Says which Kafka client properties a user may set and whether a value fits, by Kafka's own
 * definitions; where the properties go is left to {@link KafkaConfig}.
 */
final class KafkaPropertyRules {
    private static final String WINDOW = "max.in.flight.requests.per.connection";

    /** A pipelined profile remembers at most this many requests for each broker. */
    private static final int MOST_IN_FLIGHT = 100;

    /** Each property that is not to be set, and why. */
    private static final KnownKeys OWNED = KnownKeys.read("owned-properties.yml");

    private static final Pattern SECRET = Pattern.compile("password|jaas|key|secret|token|credential|assertion");

    /** One of the canary's three Kafka clients. */
    enum Role {
        PRODUCER(ProducerConfig.configDef()),
        CONSUMER(ConsumerConfig.configDef()),
        ADMIN(AdminClientConfig.configDef());

        private final Map<String, ConfigKey> keys;

        Role(ConfigDef definition) {
            this.keys = definition.configKeys();
        }

        boolean knows(String name) {
            return keys.containsKey(name);
        }

        /** Whether any of the three knows it; plugins read those that none knows. */
        static boolean isKnown(String name) {
            return Arrays.stream(values()).anyMatch(role -> role.knows(name));
        }

        private static Set<String> known() {
            return Arrays.stream(values())
                    .flatMap(role -> role.keys.keySet().stream())
                    .collect(Collectors.toSet());
        }
    }

    private KafkaPropertyRules() {}

    /**
     * As {@link #check(Section, String, boolean, Role...)}, where the number of requests in flight
     * may not be set.
     */
    static void check(Section section, String map, Role... roles) {
        check(section, map, false, roles);
    }

    /**
     * Takes out the properties that cannot be set and those that no client would take, each with a
     * fault; warns of those that no client knows.
     *
     * @param map the key that they are given below
     * @param window whether the number of requests in flight may be set
     * @param roles the clients that are to have them
     */
    static void check(Section section, String map, boolean window, Role... roles) {
        ObjectNode properties = section.own().withObjectProperty(map);
        for (String name : Section.names(properties)) {
            String key = map + "." + name;
            String value = properties.get(name).asText();
            Optional<String> fault = owner(name, window)
                    .map(owner -> "cannot be set: " + owner)
                    .or(() -> PropertyClasses.fault(name, value, roles))
                    .or(() -> misfit(name, value, roles))
                    .or(() -> slip(name));
            if (fault.isPresent()) {
                section.fault(key, fault.get());
                properties.remove(name);
            } else if (KafkaConfig.FETCH_SIZES.contains(name)) {
                tooLong(value).ifPresent(warning -> section.warnings().add(section.at() + key + warning));
            } else if (Arrays.stream(roles).noneMatch(role -> role.knows(name))
                    // Settings of a configuration provider have names of the provider's own.
                    && !name.startsWith("config.providers.")) {
                String whose = Role.isKnown(name) ? "only another Kafka client" : "no Kafka client";
                section.warnings().add(section.at() + key + ": " + whose + " knows this property; passed on as it is");
            }
        }
    }

    /**
     * A name of a plugin's own is legal and passed on. One that differs from Kafka's by one slip of
     * the hand is refused: it would leave the property that was meant at its default, unnoticed.
     */
    private static Optional<String> slip(String name) {
        return Role.isKnown(name)
                ? Optional.empty()
                : Slips.meant(name, Role.known())
                        .map(meant -> "is no Kafka property, but nearly one; allowed: " + meant);
    }

    /** A warning where the canary would not accept answers of that size. */
    private static Optional<String> tooLong(String bytes) {
        AnswerLimit limit = AnswerLimit.ofProcess();
        return Integer.parseInt(bytes.strip()) <= limit.fetchBytes()
                ? Optional.empty()
                : Optional.of(": %s bytes do not fit into this heap, %d are used (half of an eighth of -Xmx)"
                        .formatted(bytes.strip(), limit.fetchBytes()));
    }

    /** Why the canary owns the property, and what to do instead; empty when the user may set it. */
    private static Optional<String> owner(String name, boolean window) {
        JsonNode owner = OWNED.tree().path(name);
        boolean isSet = owner.isMissingNode() || window && name.equals(WINDOW);
        return isSet ? Optional.empty() : Optional.of(owner.asText());
    }

    /**
     * What is wrong with the value by the definition of the first of the roles that knows it; empty
     * when nothing is.
     */
    private static Optional<String> misfit(String name, String value, Role... roles) {
        return Arrays.stream(roles)
                .filter(role -> role.knows(name))
                .findFirst()
                .flatMap(role -> misfit(value, role.keys.get(name)));
    }

    private static Optional<String> misfit(String value, ConfigKey key) {
        try {
            Object parsed = ConfigDef.parseType(key.name, value, key.type);
            if (key.validator != null) {
                key.validator.ensureValid(key.name, parsed);
            }
            return key.name.equals(WINDOW) && (int) parsed > MOST_IN_FLIGHT
                    ? Optional.of(value + " is out of range; allowed: 1 to " + MOST_IN_FLIGHT)
                    : Optional.empty();
        } catch (ConfigException e) {
            String type = key.type.name().toLowerCase(Locale.ROOT);
            boolean isSecret =
                    key.type == Type.PASSWORD || SECRET.matcher(key.name).find();
            String shown = isSecret ? "the value" : Section.quote(value);
            String allowed = key.validator == null ? "" : "; allowed: " + key.validator;
            return Optional.of(shown + " is not a valid " + type + " for this Kafka property" + allowed);
        }
    }
}
