/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/**
 * Says which Kafka client properties a user may set and whether a value fits, by Kafka's own
 * definitions; where the properties go is left to {@link KafkaConfig}.
 */
final class KafkaPropertyRules {
    /** Properties whose meaning the canary owns, and what to do instead of setting them. */
    private static final Map<String, String> OWNED =
            Map.ofEntries(
                    Map.entry("bootstrap.servers", "set bootstrap-servers of the cluster instead"),
                    Map.entry("client.id", "brokers tell the canary's requests by it"),
                    Map.entry("key.serializer", "the canary writes the record"),
                    Map.entry("value.serializer", "the canary writes the record"),
                    Map.entry("key.deserializer", "the canary reads the record"),
                    Map.entry("value.deserializer", "the canary reads the record"),
                    Map.entry("partitioner.class", "the canary picks the partition"),
                    Map.entry("transactional.id", "probes are not transactional"),
                    Map.entry("delivery.timeout.ms", "set loss-horizon of the cluster instead"),
                    Map.entry("max.block.ms", "a probe must never wait for another broker's"),
                    Map.entry(
                            "max.in.flight.requests.per.connection",
                            "only a pipelined producer has one; see probe.pipelined"),
                    Map.entry("group.id", "see consumer-group of the cluster"),
                    Map.entry("group.instance.id", "see consumer-group of the cluster"),
                    Map.entry("group.protocol", "see consumer-group of the cluster"),
                    Map.entry(
                            "enable.auto.commit",
                            "the canary commits by itself; see consumer-group of the cluster"),
                    Map.entry("auto.offset.reset", "the canary starts at the end"));

    private static final Set<String> SECRET_WORDS =
            Set.of("password", "jaas", "key", "secret", "token", "credential", "assertion");

    /** One of the canary's three Kafka clients. */
    enum Role {
        PRODUCER(ProducerConfig.configDef()),
        CONSUMER(ConsumerConfig.configDef()),
        ADMIN(AdminClientConfig.configDef());

        private final Map<String, ConfigDef.ConfigKey> keys;

        Role(ConfigDef definition) {
            this.keys = definition.configKeys();
        }

        boolean knows(String name) {
            return keys.containsKey(name);
        }
    }

    private KafkaPropertyRules() {}

    static boolean knownToAny(String name) {
        return Arrays.stream(Role.values()).anyMatch(role -> role.knows(name));
    }

    /** Why the canary owns the property, or empty when the user may set it. */
    static Optional<String> owned(String name) {
        return Optional.ofNullable(OWNED.get(name));
    }

    /**
     * What is wrong with the value by the definition of the first of the roles that knows it; empty
     * when nothing is.
     */
    static Optional<String> fault(String name, String value, Role... roles) {
        for (Role role : roles) {
            ConfigDef.ConfigKey key = role.keys.get(name);
            if (key == null) {
                continue;
            }
            try {
                Object parsed = ConfigDef.parseType(name, value, key.type);
                if (key.validator != null) {
                    key.validator.ensureValid(name, parsed);
                }
                return Optional.empty();
            } catch (ConfigException e) {
                String type = key.type.name().toLowerCase(Locale.ROOT);
                String shown = secret(name, key) ? "the value" : Faults.quote(value);
                String allowed = key.validator == null ? "" : "; allowed: " + key.validator;
                return Optional.of(
                        shown + " is not a valid " + type + " for this Kafka property" + allowed);
            }
        }
        return Optional.empty();
    }

    private static boolean secret(String name, ConfigDef.ConfigKey key) {
        return key.type == ConfigDef.Type.PASSWORD
                || SECRET_WORDS.stream().anyMatch(name::contains);
    }
}
