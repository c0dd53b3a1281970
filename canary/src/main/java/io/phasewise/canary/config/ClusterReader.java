/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.phasewise.canary.config.KafkaPropertyRules.Role;
import io.phasewise.canary.phase.Acks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigException;

/**
 * Reads one cluster with its profiles: what a profile takes from its cluster, and what the keys
 * mean together. Each key's own range is said by the records, the rules of Kafka's properties by
 * {@link KafkaPropertyRules}.
 */
final class ClusterReader {
    /** Each profile takes threads, connections and buffers of its own. */
    private static final int MOST_PROFILES = 16;

    /** A pipelined profile remembers at most this many requests for each broker. */
    private static final int MOST_IN_FLIGHT = 100;

    private static final int LONGEST_TOPIC_NAME = 249;
    private static final String PROFILE_NAME = "[A-Za-z0-9_-]{1,50}";
    private static final String WINDOW = ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION;

    private final Binder binder;
    private final Section cluster;
    private final int faultsBefore;

    /**
     * @param binder makes records of texts
     * @param cluster what is given below its name
     */
    ClusterReader(Binder binder, Section cluster) {
        this.binder = binder;
        this.cluster = cluster;
        this.faultsBefore = cluster.faults().count();
    }

    /**
     * Reads the cluster.
     *
     * @param name its name
     * @param defaults of a cluster
     * @return an entry for each profile that is switched on, the default one first
     */
    List<ClusterConfig> read(String name, ObjectNode defaults) {
        Section profiles = cluster.below("profiles");
        cluster.own().remove("profiles");
        requireServers(cluster);
        checkProperties(cluster, "client", Set.of(), Role.values());
        checkProperties(cluster, "admin", Set.of(), Role.ADMIN);
        ObjectNode otherwise = defaults.deepCopy();
        Settings settings = bind(cluster, otherwise);
        ClusterConfig own = entry(name, ClusterConfig.DEFAULT_PROFILE, cluster, settings);
        ObjectNode inherited = Section.merged(otherwise, cluster.own());
        inherited.withObjectProperty("consumer-group").remove("id"); // they would take turns in it
        List<ClusterConfig> entries = new ArrayList<>();
        Section ofDefault = profiles.below(ClusterConfig.DEFAULT_PROFILE);
        if (binder.bind(Settings.class, ofDefault, inherited).enabled()) {
            entries.add(own);
        }
        for (String profile : profiles(profiles)) {
            Section given = profiles.below(profile);
            ObjectNode base = inherited.deepCopy();
            String topic = own.topic().name() + "-" + profile.replaceAll("[^\\w.-]", "-");
            String parts = "the cluster's topic and the profile's name";
            Section.set(base, "topic.name", fitting(given, "topic.name", topic, parts));
            if (given.has("mirror")) {
                // MirrorMaker copies in batches, and the other cluster is far away as a rule.
                Section.set(base, "slo.target", "1s");
                requireServers(given.below("mirror"));
            }
            Settings other = bind(given, base);
            ClusterConfig entry = entry(name, profile, given, other);
            if (other.enabled()) {
                entries.add(entry);
            }
        }
        if (entries.isEmpty()) {
            cluster.fault(
                    "profiles", "are all switched off; leave one on, or take the cluster out");
            entries.add(own);
        }
        refuseSharedTopics(entries);
        return entries;
    }

    private static void requireServers(Section section) {
        if (!section.has("bootstrap-servers")) {
            section.fault("bootstrap-servers", "is missing; give " + KafkaConfig.SOME_SERVERS);
        }
    }

    /**
     * Binds, and bounds what other keys bound.
     *
     * @param otherwise what applies where nothing is given; gives way to what is
     */
    private Settings bind(Section given, ObjectNode otherwise) {
        Settings read = binder.bind(Settings.class, given, otherwise);
        Duration deadline =
                given.limit("deadline", read.deadline(), "1ms", read.lossHorizon(), otherwise);
        given.limit("slo.target", read.slo().target(), "100us", deadline, otherwise);
        read.slowProbes()
                .logAbove()
                .ifPresent(
                        above ->
                                given.limit(
                                        "slow-probes.log-above", above, "0s", deadline, otherwise));
        // Keys are decimal numbers: there are no more than their digits can tell.
        int digits = read.probe().keySize();
        int distinct = digits < 10 ? (int) Math.pow(10, digits) : ProbeConfig.MOST_KEYS;
        given.limit("probe.keys.count", read.probe().keys(), "0", distinct, otherwise);
        int replicas = read.topic().replicationFactor();
        String inSync = "topic.min-insync-replicas";
        if (given.has(inSync)) {
            given.limit(inSync, read.topic().minInsyncReplicas(), "1", replicas, otherwise);
        } else if (given.has("topic.replication-factor")) {
            Section.set(otherwise, inSync, String.valueOf(Math.max(1, replicas - 1)));
        }
        if (given.own().at("/topic/config").has("min.insync.replicas")) {
            given.fault(
                    "topic.config.min.insync.replicas",
                    "means the same as topic.min-insync-replicas; set that one");
        }
        return binder.bind(Settings.class, given, otherwise);
    }

    /**
     * A topic's name that nobody gave.
     *
     * @param parts what it is made of: two names that fit alone may not together
     */
    private static String fitting(Section own, String key, String name, String parts) {
        if (name.length() <= LONGEST_TOPIC_NAME) {
            return name;
        }
        if (!own.has(key)) {
            own.fault(
                    key,
                    "is missing: "
                            + parts
                            + " together are longer than the 249 characters that Kafka allows");
        }
        return name.substring(name.length() - LONGEST_TOPIC_NAME);
    }

    /** Names of the profiles beside the default one. */
    private Set<String> profiles(Section profiles) {
        Set<String> names = new TreeSet<>(GivenTree.names(profiles.own()));
        names.remove(ClusterConfig.DEFAULT_PROFILE);
        for (String name : names) {
            if (!name.matches(PROFILE_NAME)) {
                profiles.fault(
                        name,
                        "is not a profile name; allowed: letters, digits, dashes, underscores, at"
                                + " most 50");
            }
        }
        if (names.size() > MOST_PROFILES) {
            cluster.fault(
                    "profiles",
                    names.size()
                            + " beside the default one are too many; allowed: at most "
                            + MOST_PROFILES);
        }
        return names;
    }

    /** Two profiles on one topic would fetch each other's probes and quarrel over its settings. */
    private void refuseSharedTopics(List<ClusterConfig> entries) {
        Map<String, String> owners = new HashMap<>();
        for (ClusterConfig entry : entries) {
            String owner = owners.putIfAbsent(entry.topic().name(), entry.profile());
            if (owner != null) {
                cluster.fault(
                        "profiles." + entry.profile() + ".topic.name",
                        Faults.quote(entry.topic().name())
                                + " is the topic of profile "
                                + owner
                                + "; allowed: a topic of its own");
            }
        }
    }

    /** What the settings of a cluster or a profile amount to. */
    private ClusterConfig entry(String name, String profile, Section given, Settings settings) {
        Set<String> window = settings.probe().pipelined() ? Set.of(WINDOW) : Set.of();
        checkProperties(given, "producer", window, Role.PRODUCER);
        checkProperties(given, "consumer", Set.of(), Role.CONSUMER);
        checkTimeouts(given, settings.kafka(), settings.lossHorizon());
        ClusterConfig entry =
                new ClusterConfig(
                        name,
                        profile,
                        settings.kafka(),
                        settings.topic(),
                        settings.probe(),
                        settings.deadline(),
                        settings.lossHorizon(),
                        settings.slo(),
                        settings.consumerGroup(),
                        settings.slowProbes(),
                        Optional.ofNullable(settings.mirror())
                                .map(mirror -> mirror(name, given, mirror, settings.topic())));
        if (cluster.faults().count() == faultsBefore) {
            checkTogether(given, entry); // else it would say the same again, less clearly
        }
        return entry;
    }

    private MirrorConfig mirror(
            String name, Section profile, Settings.Mirror mirror, TopicConfig source) {
        Section own = profile.below("mirror");
        checkProperties(own, "client", Set.of(), Role.CONSUMER, Role.ADMIN);
        checkProperties(own, "consumer", Set.of(), Role.CONSUMER);
        checkProperties(own, "admin", Set.of(), Role.ADMIN);
        for (String property : GivenTree.names(profile.own().withObjectProperty("consumer"))) {
            profile.fault(
                    "consumer." + property,
                    "cannot be set: the consumer of a mirrored profile reads in the target; set"
                            + " mirror.consumer."
                            + property);
        }
        // The topic is MirrorMaker's to create, with the partitions that it has in the source.
        Map<String, String> consumer = new HashMap<>(mirror.consumer());
        consumer.putIfAbsent(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
        String alias = Optional.ofNullable(mirror.sourceAlias()).orElse(name);
        String topic =
                mirror.topic() != null
                        ? mirror.topic()
                        : fitting(
                                own,
                                "topic",
                                alias + "." + source.name(),
                                "the source's alias and the topic's name");
        String servers = Optional.ofNullable(mirror.bootstrapServers()).orElse("");
        // Nothing of the source's: its passwords are no business of another cluster's.
        return new MirrorConfig(
                new KafkaConfig(servers, mirror.client(), Map.of(), consumer, mirror.admin()),
                topic);
    }

    /**
     * Kafka refuses a producer whose request timeout and linger exceed its delivery timeout; say it
     * in our keys.
     */
    private static void checkTimeouts(Section own, KafkaConfig kafka, Duration lossHorizon) {
        long sum = number(kafka, "linger.ms", 0) + number(kafka, "request.timeout.ms", 1);
        if (sum > lossHorizon.toMillis()) {
            own.fault(
                    "loss-horizon",
                    Durations.show(lossHorizon)
                            + " is shorter than the producer's linger.ms and request.timeout.ms"
                            + " together; allowed: "
                            + sum
                            + "ms or more");
        }
    }

    private static long number(KafkaConfig kafka, String property, long fallback) {
        String value = kafka.producer().getOrDefault(property, kafka.client().get(property));
        try {
            return value == null ? fallback : Long.parseLong(value.strip());
        } catch (NumberFormatException e) {
            return fallback; // already a fault of its own
        }
    }

    /** Says what is wrong with keys that are sound one by one. */
    private static void checkTogether(Section own, ClusterConfig read) {
        Map<String, Object> producer = read.producerProperties(0);
        try {
            new ProducerConfig(producer);
        } catch (ConfigException e) {
            own.fault("producer", "is refused by Kafka: " + e.getMessage());
        }
        if (read.mirror().isEmpty()) {
            return;
        }
        String acks = producer.get(ProducerConfig.ACKS_CONFIG).toString();
        if (Acks.parse(acks) != Acks.ALL) {
            own.fault(
                    "producer.acks",
                    Faults.quote(acks)
                            + " is not allowed in a mirrored profile, where the acknowledgement is"
                            + " the one evidence of the commit in the source; allowed: all");
        }
        boolean sameServers =
                read.readFrom().bootstrapServers().equals(read.kafka().bootstrapServers());
        if (sameServers && read.readTopic().equals(read.topic().name())) {
            own.fault(
                    "mirror.topic",
                    Faults.quote(read.readTopic())
                            + " of the same servers is what the probes are sent to; allowed: the"
                            + " topic that MirrorMaker writes, in the cluster that it writes to");
        }
    }

    /**
     * @param allowed properties that may be set here though the canary owns them elsewhere
     */
    private void checkProperties(Section own, String key, Set<String> allowed, Role... roles) {
        ObjectNode properties = own.own().withObjectProperty(key);
        for (String name : GivenTree.names(properties)) {
            String value = properties.get(name).textValue();
            Optional<String> owner = KafkaPropertyRules.owned(name);
            if (owner.isPresent() && !allowed.contains(name)) {
                own.fault(key + "." + name, "cannot be set: " + owner.get());
            } else if (List.of(roles).stream().anyMatch(role -> role.knows(name))) {
                KafkaPropertyRules.fault(name, value, roles)
                        .or(() -> tooWide(name, value))
                        .ifPresent(fault -> own.fault(key + "." + name, fault));
            } else if (!name.startsWith(AbstractConfig.CONFIG_PROVIDERS_CONFIG + ".")) {
                // Settings of a configuration provider have names of the provider's own.
                String whole = own.at() + key + "." + name;
                own.faults()
                        .warn(whole + ": no Kafka client knows this property; passed on as it is");
            }
        }
    }

    private static Optional<String> tooWide(String property, String value) {
        return property.equals(WINDOW) && Long.parseLong(value.strip()) > MOST_IN_FLIGHT
                ? Optional.of(value + " is out of range; allowed: 1 to " + MOST_IN_FLIGHT)
                : Optional.empty();
    }
}
