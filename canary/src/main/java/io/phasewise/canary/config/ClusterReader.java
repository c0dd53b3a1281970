/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import io.phasewise.canary.phase.Acks;
import io.phasewise.canary.phase.Attribution;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigException;

/**
 * Reads one cluster with its profiles: every key below a cluster, its default and its range are
 * said here and nowhere else. A profile takes from its cluster what it does not set itself. The
 * rules of Kafka's own properties are left to {@link KafkaPropertyRules}.
 */
final class ClusterReader {
    /** Each profile takes threads, connections and buffers of its own. */
    private static final int MOST_PROFILES = 16;

    private static final int MOST_KEYS = 1_000_000_000;

    /** So many requests of a pipelined profile are remembered for each broker. */
    private static final int MOST_IN_FLIGHT = 100;

    private static final Pattern PROFILE_NAME = Pattern.compile("[A-Za-z0-9_-]{1,50}");
    private static final Pattern TOPIC_NAME = Pattern.compile("(?!\\.{1,2}$)[A-Za-z0-9._-]{1,249}");
    private static final Pattern GROUP_ID = Pattern.compile("[A-Za-z0-9._-]{1,200}");
    private static final Pattern SERVERS =
            Pattern.compile("[^\\s,:]+:\\d{1,5}(\\s*,\\s*[^\\s,:]+:\\d{1,5})*|.*\\[.*\\]:\\d{1,5}");

    /** What the canary asks of its topic unless {@code topic.config} says otherwise. */
    private static final TopicConfig TOPIC =
            new TopicConfig(
                    "phasewise-canary",
                    3,
                    2,
                    Map.of(
                            "cleanup.policy", "delete",
                            "message.timestamp.type", "LogAppendTime",
                            "retention.ms", "600000",
                            "segment.ms", "600000",
                            "segment.bytes", "67108864"),
                    new ManageConfig(true, true, true, true, true));

    private static final ProbeConfig PROBE =
            new ProbeConfig(
                    20,
                    ProbeConfig.Arrival.POISSON,
                    1024,
                    16,
                    20_000,
                    OptionalLong.empty(),
                    false,
                    Attribution.CRITICAL_PATH,
                    0,
                    0,
                    16);
    private static final Pattern ALIAS = Pattern.compile("[A-Za-z0-9._-]{1,100}");
    private static final String A_TOPIC_NAME =
            "a Kafka topic name: letters, digits, dots, dashes, underscores";
    private static final Duration DEADLINE = Duration.ofSeconds(5);
    private static final Duration LOSS_HORIZON = Duration.ofSeconds(60);
    private static final SloConfig SLO = new SloConfig(Duration.ofMillis(50), 0.99);

    /** MirrorMaker copies in batches, and the other cluster is far away as a rule. */
    private static final Duration MIRRORED_TARGET = Duration.ofSeconds(1);

    private static final GroupConfig GROUP =
            new GroupConfig(
                    false, Optional.empty(), GroupConfig.Protocol.CLASSIC, Duration.ofSeconds(1));
    private static final SlowProbesConfig SLOW_PROBES =
            new SlowProbesConfig(50, 10, Optional.empty());

    private final KeyReader keys;
    private final GivenKeys given;
    private final List<String> warnings;

    /**
     * @param keys reads values and notes faults
     * @param given which keys there are
     * @param warnings takes what deserves a word
     */
    ClusterReader(KeyReader keys, GivenKeys given, List<String> warnings) {
        this.keys = keys;
        this.given = given;
        this.warnings = warnings;
    }

    /**
     * Reads a cluster.
     *
     * @param name its name
     * @param at the prefix of its keys, with the dot
     * @param named its profiles that the file names, each with whether it names a mirror
     * @return an entry for each profile that is switched on, the default one first
     */
    List<ClusterConfig> read(String name, String at, Map<String, Boolean> named) {
        int faultsBefore = keys.faults().size();
        KafkaConfig kafka =
                new KafkaConfig(
                        servers(at),
                        kafkaProperties(at + "client.", KafkaPropertyRules.Role.values()),
                        Map.of(),
                        Map.of(),
                        kafkaProperties(at + "admin.", KafkaPropertyRules.Role.ADMIN));
        ClusterConfig own =
                settings(
                        at,
                        faultsBefore,
                        new ClusterConfig(
                                name,
                                ClusterConfig.DEFAULT_PROFILE,
                                kafka,
                                TOPIC,
                                PROBE,
                                DEADLINE,
                                LOSS_HORIZON,
                                SLO,
                                GROUP,
                                SLOW_PROBES,
                                Optional.empty()));
        List<ClusterConfig> entries = new ArrayList<>();
        if (enabled(at + "profiles." + ClusterConfig.DEFAULT_PROFILE + ".")) {
            entries.add(own);
        }
        for (String profile : profiles(at, named.keySet())) {
            String below = at + "profiles." + GivenKeys.segment(profile) + ".";
            boolean mirrored = isMirrored(below) || named.getOrDefault(profile, false);
            ClusterConfig entry =
                    mirrored
                            ? mirrored(below, faultsBefore, own.as(profile))
                            : settings(below, faultsBefore, own.as(profile));
            if (enabled(below)) {
                entries.add(entry);
            }
        }
        if (entries.isEmpty()) {
            keys.fault(
                    at + "profiles", "are all switched off; leave one on, or take the cluster out");
            entries.add(own);
        }
        refuseSharedTopics(at, entries);
        return entries;
    }

    private String servers(String at) {
        String key = at + "bootstrap-servers";
        String servers = keys.text(key, "", SERVERS, "host:port, several separated by commas");
        if (servers.isEmpty() && keys.faults().stream().noneMatch(f -> f.key().equals(key))) {
            keys.fault(key, "is missing; give host:port, several separated by commas");
        }
        return servers;
    }

    /** Reads a profile whose probes are read in another cluster. */
    private ClusterConfig mirrored(String at, int faultsBefore, ClusterConfig base) {
        String below = at + "mirror.";
        if (keys.textOrNull(at + "mirror") != null) {
            keys.fault(at + "mirror", "is not a mapping of keys to values");
            return settings(at, faultsBefore, base);
        }
        ClusterConfig read =
                settings(
                        at,
                        faultsBefore,
                        base.with(new SloConfig(MIRRORED_TARGET, base.slo().objective())));
        // Nothing of the source's: its passwords are no business of another cluster's.
        KafkaConfig kafka =
                new KafkaConfig(
                        servers(below),
                        kafkaProperties(
                                below + "client.",
                                KafkaPropertyRules.Role.CONSUMER,
                                KafkaPropertyRules.Role.ADMIN),
                        Map.of(),
                        mirrorConsumer(below + "consumer."),
                        kafkaProperties(below + "admin.", KafkaPropertyRules.Role.ADMIN));
        String alias =
                keys.text(
                        below + "source-alias",
                        base.name(),
                        ALIAS,
                        "letters, digits, dots, dashes, underscores, at most 100");
        String topic =
                topicName(
                        below + "topic",
                        alias + "." + read.topic().name(),
                        "the source's alias and the topic's name");
        given.properties(at + "consumer.")
                .keySet()
                .forEach(
                        property ->
                                keys.fault(
                                        at + "consumer." + property,
                                        "cannot be set: the consumer of a mirrored profile reads in"
                                                + " the target; set mirror.consumer."
                                                + property));
        if (keys.faults().size() == faultsBefore) {
            checkMirrored(at, read, kafka, topic);
        }
        return read.mirroredTo(new MirrorConfig(kafka, topic));
    }

    private Map<String, String> mirrorConsumer(String at) {
        // The topic is MirrorMaker's to create, with the partitions that it has in the source.
        Map<String, String> properties = new TreeMap<>();
        properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
        properties.putAll(kafkaProperties(at, KafkaPropertyRules.Role.CONSUMER));
        return properties;
    }

    /** Whether file or environment say anything of where a profile is mirrored to. */
    private boolean isMirrored(String at) {
        return Stream.of("bootstrap-servers", "source-alias", "topic")
                .anyMatch(key -> keys.textOrNull(at + "mirror." + key) != null);
    }

    private void checkMirrored(String at, ClusterConfig read, KafkaConfig target, String topic) {
        String acks = read.producerProperties(0).get(ProducerConfig.ACKS_CONFIG).toString();
        if (Acks.parse(acks) != Acks.ALL) {
            keys.fault(
                    at + "producer.acks",
                    KeyReader.quote(acks)
                            + " is not allowed in a mirrored profile, where the acknowledgement is"
                            + " the one evidence of the commit in the source; allowed: all");
        }
        boolean sameServers = target.bootstrapServers().equals(read.kafka().bootstrapServers());
        if (sameServers && topic.equals(read.topic().name())) {
            keys.fault(
                    at + "mirror.topic",
                    KeyReader.quote(topic)
                            + " of the same servers is what the probes are sent to; allowed: the"
                            + " topic that MirrorMaker writes, in the cluster that it writes to");
        }
    }

    /** Names of the profiles beside the default one. */
    private Set<String> profiles(String at, Set<String> named) {
        if (keys.textOrNull(at + "profiles") != null) {
            keys.fault(at + "profiles", "is not a mapping of profile names to their settings");
        }
        Set<String> names = new TreeSet<>();
        for (String name : named) {
            String key = at + "profiles." + GivenKeys.segment(name);
            if (name.equals(ClusterConfig.DEFAULT_PROFILE)) {
                refuseSettingsOfTheDefault(at, key + ".");
            } else {
                if (!PROFILE_NAME.matcher(name).matches()) {
                    keys.fault(
                            key,
                            "is not a profile name; allowed: letters, digits, dashes, underscores,"
                                    + " at most 50");
                }
                if (!GivenKeys.isReadable(name)) {
                    given.dropBelow(key + ".");
                    continue;
                }
                if (keys.textOrNull(key) != null) {
                    keys.fault(key, "is not a mapping of keys to values");
                }
                names.add(name);
            }
        }
        if (names.size() > MOST_PROFILES) {
            keys.fault(
                    at + "profiles",
                    names.size()
                            + " beside the default one are too many; allowed: at most "
                            + MOST_PROFILES);
        }
        return names;
    }

    private void refuseSettingsOfTheDefault(String at, String below) {
        for (String key : given.below(below)) {
            if (key.equals("mirror") || key.startsWith("mirror.")) {
                keys.fault(
                        below + key,
                        "cannot be set: the default profile is read in its own cluster; name"
                                + " another profile");
            } else if (!key.equals("enabled")) {
                keys.fault(
                        below + key,
                        "cannot be set: the default profile has the cluster's own settings; set "
                                + (at + key).replace("\"", ""));
            }
        }
        given.dropBelow(below);
    }

    private boolean enabled(String below) {
        return keys.bool(below + "enabled", true);
    }

    /** Two profiles on one topic would fetch each other's probes and quarrel over its settings. */
    private void refuseSharedTopics(String at, List<ClusterConfig> entries) {
        Map<String, String> owners = new HashMap<>();
        for (ClusterConfig entry : entries) {
            String owner = owners.putIfAbsent(entry.topic().name(), entry.profile());
            if (owner != null) {
                keys.fault(
                        at + "profiles." + entry.profile() + ".topic.name",
                        KeyReader.quote(entry.topic().name())
                                + " is the topic of profile "
                                + owner
                                + "; allowed: a topic of its own");
            }
        }
    }

    /**
     * Reads what a cluster and a profile can both set.
     *
     * @param faultsBefore how many faults there were before this cluster
     * @param base what applies where nothing is set
     */
    private ClusterConfig settings(String at, int faultsBefore, ClusterConfig base) {
        ProbeConfig probe = probe(at + "probe.", base.probe());
        KafkaConfig kafka =
                base.kafka()
                        .with(
                                producerProperties(at + "producer.", probe.pipelined()),
                                kafkaProperties(
                                        at + "consumer.", KafkaPropertyRules.Role.CONSUMER));
        Duration lossHorizon =
                keys.duration(
                        at + "loss-horizon",
                        base.lossHorizon(),
                        Duration.ofSeconds(1),
                        Duration.ofMinutes(10));
        Duration deadline =
                keys.duration(
                        at + "deadline",
                        atMost(lossHorizon, base.deadline()),
                        Duration.ofMillis(1),
                        lossHorizon);
        checkTimeouts(at, kafka, lossHorizon);
        ClusterConfig read =
                new ClusterConfig(
                        base.name(),
                        base.profile(),
                        kafka,
                        topic(at + "topic.", base.topic()),
                        probe,
                        deadline,
                        lossHorizon,
                        slo(at + "slo.", base.slo(), deadline),
                        group(at + "consumer-group.", base.group()),
                        slowProbes(at + "slow-probes.", base.slowProbes(), deadline),
                        base.mirror());
        if (keys.faults().size() == faultsBefore) {
            checkTogether(at, read); // else it would say the same again, less clearly
        }
        return read;
    }

    private ProbeConfig probe(String at, ProbeConfig base) {
        int keySize = keys.integer(at + "keys.size", base.keySize(), 1, 1024);
        // Keys are decimal numbers.
        int distinct = keySize < 10 ? (int) Math.pow(10, keySize) : MOST_KEYS;
        return new ProbeConfig(
                keys.decimal(at + "rate", base.rate(), 0.1, 10_000, "0.1 to 10000"),
                keys.choice(at + "schedule", base.schedule(), ProbeConfig.Arrival.class),
                keys.integer(at + "size", base.size(), 64, 10 * 1024 * 1024),
                keys.integer(at + "lanes", base.lanes(), 1, 256),
                keys.integer(at + "max-in-flight", base.maxInFlight(), 100, 10_000_000),
                keys.wholeNumber(at + "seed", base.seed(), 0, ProbeConfig.GREATEST_SEED),
                keys.bool(at + "pipelined", base.pipelined()),
                keys.choice(at + "attribution", base.attribution(), Attribution.class),
                keys.decimal(at + "compressibility", base.compressibility(), 0, 1, "0 to 1"),
                keys.integer(
                        at + "keys.count",
                        Math.min(base.keys(), distinct),
                        0,
                        Math.min(distinct, MOST_KEYS)),
                keySize);
    }

    private GroupConfig group(String at, GroupConfig base) {
        String id =
                keys.text(
                        at + "id",
                        base.id().orElse(""),
                        GROUP_ID,
                        "letters, digits, dots, dashes, underscores, at most 200");
        return new GroupConfig(
                keys.bool(at + "enabled", base.enabled()),
                id.isEmpty() ? Optional.empty() : Optional.of(id),
                keys.choice(at + "protocol", base.protocol(), GroupConfig.Protocol.class),
                keys.duration(
                        at + "commit-interval",
                        base.commitInterval(),
                        Duration.ofMillis(100),
                        Duration.ofMinutes(1)));
    }

    private SlowProbesConfig slowProbes(String at, SlowProbesConfig base, Duration deadline) {
        String above = at + "log-above";
        Duration inherited = atMost(deadline, base.logAbove().orElse(Duration.ZERO));
        Duration logAbove = keys.duration(above, inherited, Duration.ZERO, deadline);
        return new SlowProbesConfig(
                keys.integer(at + "keep", base.keep(), 0, 1000),
                keys.integer(at + "log-per-minute", base.logPerMinute(), 0, 6000),
                keys.textOrNull(above) == null && base.logAbove().isEmpty()
                        ? Optional.empty()
                        : Optional.of(logAbove));
    }

    private SloConfig slo(String at, SloConfig base, Duration deadline) {
        return new SloConfig(
                keys.duration(
                        at + "target",
                        atMost(deadline, base.target()),
                        Duration.ofNanos(100_000),
                        deadline),
                keys.decimal(
                        at + "objective",
                        base.objective(),
                        Double.MIN_VALUE,
                        Math.nextDown(1.0),
                        "more than 0, less than 1"));
    }

    private static Duration atMost(Duration limit, Duration value) {
        return value.compareTo(limit) < 0 ? value : limit;
    }

    private TopicConfig topic(String at, TopicConfig base) {
        int replicationFactor =
                keys.integer(
                        at + "replication-factor", base.replicationFactor(), 1, Short.MAX_VALUE);
        int minInsyncReplicas =
                replicationFactor == base.replicationFactor()
                        ? base.minInsyncReplicas()
                        : Math.max(1, replicationFactor - 1);
        Map<String, String> config = new TreeMap<>(base.config());
        config.putAll(given.properties(at + "config."));
        if (config.remove("min.insync.replicas") != null) {
            keys.fault(
                    at + "config.min.insync.replicas",
                    "means the same as topic.min-insync-replicas; set that one");
        }
        ManageConfig manage = base.manage();
        return new TopicConfig(
                topicName(at + "name", base.name(), "the cluster's topic and the profile's name"),
                replicationFactor,
                keys.integer(at + "min-insync-replicas", minInsyncReplicas, 1, replicationFactor),
                config,
                new ManageConfig(
                        keys.bool(at + "manage.create", manage.create()),
                        keys.bool(at + "manage.expand", manage.expand()),
                        keys.bool(at + "manage.reassign", manage.reassign()),
                        keys.bool(at + "manage.elect", manage.elect()),
                        keys.bool(at + "manage.configure", manage.configure())));
    }

    /**
     * @param parts what the fallback is made of: two names that fit alone may not together
     */
    private String topicName(String key, String fallback, String parts) {
        String name = keys.text(key, fallback, TOPIC_NAME, A_TOPIC_NAME);
        if (!TOPIC_NAME.matcher(name).matches()) {
            keys.fault(
                    key,
                    "is missing: "
                            + parts
                            + " together are longer than the 249 characters that Kafka allows");
        }
        return name;
    }

    /**
     * Kafka refuses a producer whose request timeout and linger exceed its delivery timeout; say it
     * in our keys.
     */
    private void checkTimeouts(String at, KafkaConfig kafka, Duration lossHorizon) {
        long sum = number(kafka, "linger.ms", 0) + number(kafka, "request.timeout.ms", 1);
        if (sum > lossHorizon.toMillis()) {
            keys.fault(
                    at + "loss-horizon",
                    KeyReader.show(lossHorizon)
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

    /** Says what Kafka has against producer properties that are sound one by one. */
    private void checkTogether(String at, ClusterConfig read) {
        try {
            new ProducerConfig(read.producerProperties(0));
        } catch (ConfigException e) {
            keys.fault(at + "producer", "is refused by Kafka: " + e.getMessage());
        }
    }

    private Map<String, String> producerProperties(String at, boolean pipelined) {
        String window = ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION;
        Map<String, String> properties =
                kafkaProperties(
                        at,
                        pipelined ? Set.of(window) : Set.of(),
                        KafkaPropertyRules.Role.PRODUCER);
        String value = properties.get(window);
        if (pipelined && value != null && value.matches("\\d+") && tooWide(value)) {
            keys.fault(at + window, value + " is out of range; allowed: 1 to " + MOST_IN_FLIGHT);
        }
        return properties;
    }

    private static boolean tooWide(String window) {
        return window.length() > 9 || Integer.parseInt(window) > MOST_IN_FLIGHT;
    }

    private Map<String, String> kafkaProperties(String at, KafkaPropertyRules.Role... roles) {
        return kafkaProperties(at, Set.of(), roles);
    }

    /**
     * @param allowed properties that may be set here though the canary owns them elsewhere
     */
    private Map<String, String> kafkaProperties(
            String at, Set<String> allowed, KafkaPropertyRules.Role... roles) {
        Map<String, String> properties = given.properties(at);
        properties.forEach(
                (name, value) -> {
                    String key = at + name;
                    KafkaPropertyRules.owned(name)
                            .filter(why -> !allowed.contains(name))
                            .ifPresentOrElse(
                                    why -> keys.fault(key, "cannot be set: " + why),
                                    () -> check(key, name, value, roles));
                });
        return properties;
    }

    private void check(String key, String name, String value, KafkaPropertyRules.Role[] roles) {
        for (KafkaPropertyRules.Role role : roles) {
            if (role.knows(name)) {
                KafkaPropertyRules.fault(name, value, roles)
                        .ifPresent(fault -> keys.fault(key, fault));
                return;
            }
        }
        // Settings of a configuration provider have names of the provider's own.
        if (!name.startsWith(AbstractConfig.CONFIG_PROVIDERS_CONFIG + ".")) {
            warnings.add(key + ": no Kafka client knows this property; passed on as it is");
        }
    }
}
