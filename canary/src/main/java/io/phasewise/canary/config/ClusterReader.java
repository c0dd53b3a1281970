/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import static org.apache.kafka.common.config.TopicConfig.DELETE_RETENTION_MS_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.RETENTION_BYTES_CONFIG;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.phasewise.canary.config.KafkaPropertyRules.Role;
import io.phasewise.common.time.Durations;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigException;

/**
 * Reads one cluster with its profiles: what a profile inherits from its cluster, and the rules on
 * several keys together. Each key's own range is left to the records, the rules of Kafka's
 * properties to {@link KafkaPropertyRules}.
 */
final class ClusterReader {
    /** Each profile takes threads, connections and buffers of its own. */
    private static final int MOST_PROFILES = 16;

    private static final int LONGEST_TOPIC_NAME = 249;
    private static final String PROFILE = "/canary/clusters/*/profiles/*";
    private static final String PROFILE_NAME = "[A-Za-z0-9_-]{1,50}";
    private static final String A_NAME = "letters, digits, dashes, underscores, at most 50";

    private final Binder binder;
    private final KnownKeys keys;
    private final Section cluster;

    /** The switch of a profile; its other keys are a cluster's. */
    record Profile(boolean enabled) {}

    /** Which defaults a cluster has; {@code presets.yml} says how they differ. */
    enum Preset {
        STANDARD,
        READ_ONLY,
        FLEET;

        private static final KnownKeys ALL = KnownKeys.read("presets.yml");

        ObjectNode tree() {
            String name = name().toLowerCase(Locale.ROOT).replace('_', '-');
            return ALL.tree().withObjectProperty(name);
        }
    }

    /** The key that chooses a preset. */
    record Presets(Preset preset) {}

    /**
     * @param binder makes records of texts
     * @param keys with the defaults of clusters and profiles
     * @param cluster what is given below its name
     */
    ClusterReader(Binder binder, KnownKeys keys, Section cluster) {
        this.binder = binder;
        this.keys = keys;
        this.cluster = cluster;
    }

    /**
     * Reads the cluster.
     *
     * @param name its name
     * @return an entry for each profile that is switched on, the default one first
     */
    List<ClusterConfig> read(String name) {
        Section profiles = cluster.below("profiles");
        cluster.own().remove("profiles");
        ObjectNode otherwise = keys.defaults("/canary/clusters/*");
        Preset preset = binder.bind(Presets.class, cluster, otherwise).preset();
        otherwise = Section.merged(otherwise, preset.tree());
        otherwise.remove("preset");
        cluster.own().remove("preset");
        otherwise.put("name", name).put("profile", ClusterConfig.DEFAULT_PROFILE);
        requireServers();
        KafkaPropertyRules.check(cluster, "client", Role.values());
        KafkaPropertyRules.check(cluster, "admin", Role.ADMIN);
        ClusterConfig own = bind(cluster, otherwise);
        requireAdoption(cluster, preset, own);
        own.exporters().check(cluster.below("exporters"));
        boolean isSound = checkTogether(cluster, own);
        ObjectNode inherited = Section.merged(otherwise, cluster.own());
        inherited.withObjectProperty("consumer-group").remove("id"); // in one group the profiles would take turns
        Map<String, ClusterConfig> byTopic = new LinkedHashMap<>();
        if (isEnabled(profiles.below(ClusterConfig.DEFAULT_PROFILE))) {
            byTopic.put(own.topic().name(), own);
        }
        Set<String> names = profiles.names(PROFILE_NAME, "profile name; allowed: " + A_NAME);
        names.remove(ClusterConfig.DEFAULT_PROFILE);
        if (names.size() > MOST_PROFILES) {
            String tooMany = " beside the default one are too many; allowed: at most ";
            cluster.fault("profiles", names.size() + tooMany + MOST_PROFILES);
        }
        for (String profile : names) {
            Section given = profiles.below(profile);
            ObjectNode base = inherited.deepCopy().put("profile", profile);
            Section.set(base, "topic.name", topicName(given, own.topic().name() + "-" + profile));
            ClusterConfig entry = bind(given, base);
            if (own.topic().adopt()) {
                requireAdoption(given, preset, entry);
            }
            if (isSound) {
                checkTogether(given, entry); // otherwise each profile would repeat the same fault
            }
            if (isEnabled(given)) {
                ClusterConfig other = byTopic.putIfAbsent(entry.topic().name(), entry);
                if (other != null) {
                    // They would fetch each other's probes and quarrel over its settings.
                    String fault = "\"%s\" is the topic of profile %s; allowed: a topic of its own";
                    String topicName = other.topic().name();
                    given.fault("topic.name", fault.formatted(topicName, other.profile()));
                }
            }
        }
        if (byTopic.isEmpty()) {
            cluster.fault("profiles", "are all switched off; leave one on, or take the cluster out");
            byTopic.put(own.topic().name(), own);
        }
        return List.copyOf(byTopic.values());
    }

    /**
     * A canary that may neither create a topic nor mark one cannot know whether a topic is its own.
     */
    private static void requireAdoption(Section given, Preset preset, ClusterConfig read) {
        if (preset == Preset.READ_ONLY && !read.topic().adopt()) {
            given.fault(
                    "topic.adopt",
                    "is false, but with preset read-only somebody else creates the topic, and the canary cannot know"
                            + " whose it is; allowed: true, which says that topic "
                            + read.topic().name()
                            + " is for the canary alone");
        }
    }

    private boolean isEnabled(Section profile) {
        return binder.bind(Profile.class, profile, keys.defaults(PROFILE)).enabled();
    }

    private void requireServers() {
        String key = "bootstrap-servers";
        if (!cluster.has(key)) {
            cluster.fault(key, "is missing; give " + BootstrapServers.ALLOWED);
        } else if (!BootstrapServers.areValid(cluster.text(key))) {
            cluster.refuseText(key, BootstrapServers.ALLOWED);
        }
    }

    /**
     * Binds, and checks the values that may be no larger than another key's.
     *
     * @param otherwise what applies where nothing is given; lowered where what is given demands
     *     that
     */
    private ClusterConfig bind(Section given, ObjectNode otherwise) {
        ClusterConfig read = binder.bind(ClusterConfig.class, given, otherwise);
        Duration deadline = given.limit("deadline", read.deadline(), "1ms", read.lossHorizon(), otherwise);
        given.limit("slo.target", read.slo().target(), "100us", deadline, otherwise);
        Duration logAbove = read.slowProbes().logAbove().orElse(Duration.ZERO);
        given.limit("slow-probes.log-above", logAbove, "0s", deadline, otherwise);
        // Keys are decimal numbers: no more than fit their digits, or an int.
        int distinct = (int) Math.min(1e9, Math.pow(10, read.probe().keys().size()));
        given.limit("probe.keys.count", read.probe().keys().count(), "0", distinct, otherwise);
        int replicas = read.topic().replicationFactor();
        String inSync = "topic.min-insync-replicas";
        if (given.has(inSync)) {
            given.limit(inSync, read.topic().minInsyncReplicas(), "1", replicas, otherwise);
        } else if (given.has("topic.replication-factor")) {
            Section.set(otherwise, inSync, String.valueOf(Math.max(1, replicas - 1)));
        }
        if (given.own().at("/topic/config").has("min.insync.replicas")) {
            given.fault(
                    "topic.config.min.insync.replicas", "means the same as topic.min-insync-replicas; set that one");
        }
        refuseMarks(given);
        KafkaPropertyRules.check(given, "producer", read.probe().pipelined(), Role.PRODUCER);
        KafkaPropertyRules.check(given, "consumer", Role.CONSUMER);
        return binder.bind(ClusterConfig.class, given, otherwise);
    }

    /** Refuses the settings in which the canary itself marks whose the topic is. */
    private static void refuseMarks(Section given) {
        for (String setting : List.of(DELETE_RETENTION_MS_CONFIG, RETENTION_BYTES_CONFIG)) {
            if (given.own().at("/topic/config") instanceof ObjectNode config && config.has(setting)) {
                given.fault(
                        "topic.config." + setting,
                        config.get(setting).asText()
                                + " is not allowed: the canary marks its topic with this setting; allowed: leave it out");
                config.remove(setting);
            }
        }
    }

    /**
     * The name of a profile's topic where none is given. The topic's name and the profile's may
     * each be short enough, and too long together.
     */
    private static String topicName(Section profile, String name) {
        int excess = Math.max(0, name.length() - LONGEST_TOPIC_NAME);
        if (excess > 0 && !profile.has("topic.name")) {
            profile.fault(
                    "topic.name",
                    "is missing: the cluster's topic and the profile's name together are longer than the 249"
                            + " characters that Kafka allows");
        }
        // A bad name of a cluster or a profile is already a fault.
        return name.substring(excess).replaceAll("[^\\w.-]", "-");
    }

    /**
     * Adds the faults of keys that are valid alone but not together; returns whether there are
     * none.
     */
    private static boolean checkTogether(Section own, ClusterConfig read) {
        int before = own.faults().size();
        try {
            ProducerConfig producer = new ProducerConfig(read.producerProperties(0));
            // Kafka would say so when the producer is made; here it is said in our keys.
            long sum = producer.getLong(ProducerConfig.LINGER_MS_CONFIG)
                    + producer.getInt(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG);
            if (sum > read.lossHorizon().toMillis()) {
                own.fault(
                        "loss-horizon",
                        ("%s is shorter than the producer's linger.ms and request.timeout.ms"
                                        + " together; allowed: %dms or more")
                                .formatted(Durations.show(read.lossHorizon()), sum));
            }
        } catch (ConfigException e) {
            own.fault("producer", "is refused by Kafka: " + e.getMessage());
        }
        return own.faults().size() == before;
    }
}
