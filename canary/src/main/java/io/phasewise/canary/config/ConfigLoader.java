/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.config.source.yaml.YamlConfigSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.spi.ConfigSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * Reads the YAML file and the environment that overrides it, and refuses whatever it cannot vouch
 * for: every key, its default and its range are said here and nowhere else. Parsing and expansion
 * are left to SmallRye Config, the rules of Kafka's own properties to {@link KafkaPropertyRules}.
 */
public final class ConfigLoader {
    private static final int FILE_ORDINAL = 200;
    private static final int ENVIRONMENT_ORDINAL = 300;
    private static final String ROOT = "canary";
    private static final String CLUSTERS = ROOT + ".clusters.";

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,100}");
    private static final Pattern TOPIC_NAME = Pattern.compile("(?!\\.{1,2}$)[A-Za-z0-9._-]{1,249}");
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._:%-]{1,253}");
    private static final Pattern SERVERS =
            Pattern.compile("[^\\s,:]+:\\d{1,5}(\\s*,\\s*[^\\s,:]+:\\d{1,5})*|.*\\[.*\\]:\\d{1,5}");
    private static final Pattern CLUSTER_OF_ENVIRONMENT =
            Pattern.compile("CANARY_CLUSTERS_(.+)_BOOTSTRAP_SERVERS");

    /** What the canary asks of its topic unless {@code topic.config} says otherwise. */
    private static final Map<String, String> TOPIC_DEFAULTS =
            Map.of(
                    "cleanup.policy", "delete",
                    "message.timestamp.type", "LogAppendTime",
                    "retention.ms", "600000",
                    "segment.ms", "600000",
                    "segment.bytes", "67108864");

    private final Map<String, String> environment;

    /**
     * @param environment environment variables, by name
     */
    public ConfigLoader(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
    }

    /**
     * A checked configuration and what in it deserves a word of warning.
     *
     * @param config the configuration
     * @param warnings one line each, naming the key; may be empty
     */
    public record Loaded(CanaryConfig config, List<String> warnings) {}

    /**
     * Reads and checks a file.
     *
     * @param file the YAML file
     * @throws InvalidConfigException with every fault found
     */
    public Loaded load(Path file) throws InvalidConfigException {
        try {
            return load(Files.readString(file, StandardCharsets.UTF_8), file.toString());
        } catch (NoSuchFileException e) {
            throw new InvalidConfigException(
                    List.of(new ConfigFault(file.toString(), "there is no such file")));
        } catch (IOException e) {
            throw new InvalidConfigException(
                    List.of(new ConfigFault(file.toString(), "cannot be read: " + e)));
        }
    }

    /**
     * Checks the text of a file.
     *
     * @param yaml the text
     * @param origin what to call it in messages
     * @throws InvalidConfigException with every fault found
     */
    public Loaded load(String yaml, String origin) throws InvalidConfigException {
        Map<?, ?> root = parse(yaml, origin);
        SmallRyeConfig source =
                new SmallRyeConfigBuilder()
                        .addDefaultInterceptors()
                        .withSources(
                                new YamlConfigSource(origin, yaml, FILE_ORDINAL),
                                new EnvConfigSource(environment, ENVIRONMENT_ORDINAL))
                        .build();
        return new Reading(source, new KeyReader(source), environment.keySet())
                .read(clustersOf(root));
    }

    /**
     * Finds what the config source would swallow: duplicate keys, tabs, text that is no mapping.
     */
    private static Map<?, ?> parse(String yaml, String origin) throws InvalidConfigException {
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        String fault;
        try {
            Object root = new Yaml(new SafeConstructor(options)).load(yaml);
            if (root == null) {
                return Map.of();
            }
            if (root instanceof Map<?, ?> map) {
                return map;
            }
            fault = "is not a YAML mapping; its root key is canary";
        } catch (MarkedYAMLException e) {
            int line = e.getProblemMark() == null ? 0 : e.getProblemMark().getLine() + 1;
            fault = "line " + line + ": " + e.getProblem();
        } catch (YAMLException e) {
            fault = "is not YAML: " + e.getMessage();
        }
        throw new InvalidConfigException(List.of(new ConfigFault(origin, fault)));
    }

    /**
     * Names of the clusters, also of those whose mapping is empty, which the config source leaves
     * out.
     */
    private static Set<String> clustersOf(Map<?, ?> root) {
        Set<String> names = new TreeSet<>();
        if (root.get(ROOT) instanceof Map<?, ?> canary
                && canary.get("clusters") instanceof Map<?, ?> clusters) {
            clusters.keySet().forEach(name -> names.add(String.valueOf(name)));
        }
        return names;
    }

    /** One pass over one source. */
    private static final class Reading {
        private final KeyReader keys;
        private final List<String> warnings = new ArrayList<>();

        /** Keys of the file, quotes and all, with their values before expansion. */
        private final Map<String, String> inFile = new TreeMap<>();

        /** Environment variables that are meant for the canary. */
        private final Set<String> inEnvironment = new TreeSet<>();

        Reading(SmallRyeConfig source, KeyReader keys, Set<String> environment) {
            this.keys = keys;
            for (ConfigSource each : source.getConfigSources()) {
                if (each.getOrdinal() == FILE_ORDINAL) {
                    inFile.putAll(each.getProperties());
                }
            }
            for (String name : environment) {
                if (name.startsWith("CANARY_")) {
                    inEnvironment.add(name);
                }
            }
        }

        Loaded read(Set<String> clustersInFile) throws InvalidConfigException {
            HttpConfig http =
                    new HttpConfig(
                            keys.text(
                                    ROOT + ".http.host",
                                    "127.0.0.1",
                                    HOST,
                                    "a host name or an IP address"),
                            keys.integer(ROOT + ".http.port", 9470, 0, 65535));
            List<ClusterConfig> clusters = new ArrayList<>();
            clusterNames(clustersInFile)
                    .forEach((name, segment) -> clusters.add(cluster(name, segment)));
            if (clusters.isEmpty()) {
                keys.fault(
                        ROOT + ".clusters",
                        "is missing; name at least one cluster with its bootstrap-servers");
            }
            refuseUnknown();
            if (!keys.faults().isEmpty()) {
                List<ConfigFault> faults = new ArrayList<>(keys.faults());
                faults.sort(Comparator.comparing(ConfigFault::key));
                throw new InvalidConfigException(faults);
            }
            return new Loaded(new CanaryConfig(http, clusters), List.copyOf(warnings));
        }

        /** Name of each cluster, and how it is written inside a key (quoted when it has dots). */
        private Map<String, String> clusterNames(Set<String> named) {
            Map<String, String> names = new TreeMap<>();
            for (String name : named) {
                if (NAME.matcher(name).matches()) {
                    names.put(name, name.contains(".") ? '"' + name + '"' : name);
                } else {
                    inFile.keySet().removeIf(key -> unquote(key).startsWith(CLUSTERS + name + "."));
                    keys.fault(
                            CLUSTERS + name,
                            "is not a cluster name; allowed: letters, digits, dots, dashes,"
                                    + " underscores, at most 100");
                }
            }
            for (String variable : inEnvironment) {
                Matcher matcher = CLUSTER_OF_ENVIRONMENT.matcher(variable);
                if (matcher.matches() && !hasEnvironmentTwin(names.keySet(), matcher.group(1))) {
                    String name = matcher.group(1).toLowerCase(Locale.ROOT);
                    names.put(name, name);
                }
            }
            return names;
        }

        /** Whether a cluster of the file is spelt the same as an environment variable's part. */
        private static boolean hasEnvironmentTwin(Set<String> names, String part) {
            return names.stream().anyMatch(n -> environmentForm(n).equals(part));
        }

        private ClusterConfig cluster(String name, String segment) {
            String at = CLUSTERS + segment + ".";
            String servers =
                    keys.text(
                            at + "bootstrap-servers",
                            "",
                            SERVERS,
                            "host:port, several separated by commas");
            if (servers.isEmpty()
                    && keys.faults().stream()
                            .noneMatch(f -> f.key().equals(at + "bootstrap-servers"))) {
                keys.fault(
                        at + "bootstrap-servers",
                        "is missing; give host:port, several separated by commas");
            }
            KafkaConfig kafka =
                    new KafkaConfig(
                            servers,
                            kafkaProperties(at + "client.", KafkaPropertyRules.Role.values()),
                            kafkaProperties(at + "producer.", KafkaPropertyRules.Role.PRODUCER),
                            kafkaProperties(at + "consumer.", KafkaPropertyRules.Role.CONSUMER),
                            kafkaProperties(at + "admin.", KafkaPropertyRules.Role.ADMIN));
            ProbeConfig probe =
                    new ProbeConfig(
                            keys.decimal(at + "probe.rate", 20, 0.1, 1000, "0.1 to 1000"),
                            keys.choice(
                                    at + "probe.schedule",
                                    ProbeConfig.Arrival.POISSON,
                                    ProbeConfig.Arrival.class),
                            keys.integer(at + "probe.size", 1024, 64, 10 * 1024 * 1024),
                            keys.integer(at + "probe.lanes", 16, 1, 256));
            Duration lossHorizon =
                    keys.duration(
                            at + "loss-horizon",
                            Duration.ofSeconds(60),
                            Duration.ofSeconds(1),
                            Duration.ofMinutes(10));
            Duration deadline =
                    keys.duration(
                            at + "deadline",
                            Duration.ofSeconds(5),
                            Duration.ofMillis(1),
                            lossHorizon);
            SloConfig slo =
                    new SloConfig(
                            keys.duration(
                                    at + "slo.target",
                                    Duration.ofMillis(50),
                                    Duration.ofNanos(100_000),
                                    deadline),
                            keys.decimal(
                                    at + "slo.objective",
                                    0.99,
                                    Double.MIN_VALUE,
                                    Math.nextDown(1.0),
                                    "more than 0, less than 1"));
            checkTimeouts(at, kafka, lossHorizon);
            return new ClusterConfig(name, kafka, topic(at), probe, deadline, lossHorizon, slo);
        }

        private TopicConfig topic(String at) {
            int replicationFactor =
                    keys.integer(at + "topic.replication-factor", 3, 1, Short.MAX_VALUE);
            Map<String, String> config = new LinkedHashMap<>(TOPIC_DEFAULTS);
            config.putAll(passThrough(at + "topic.config."));
            if (config.remove("min.insync.replicas") != null) {
                keys.fault(
                        at + "topic.config.min.insync.replicas",
                        "means the same as topic.min-insync-replicas; set that one");
            }
            return new TopicConfig(
                    keys.text(
                            at + "topic.name",
                            "phasewise-canary",
                            TOPIC_NAME,
                            "a Kafka topic name: letters, digits, dots, dashes, underscores"),
                    replicationFactor,
                    keys.integer(
                            at + "topic.min-insync-replicas",
                            Math.max(1, replicationFactor - 1),
                            1,
                            replicationFactor),
                    config,
                    new ManageConfig(
                            keys.bool(at + "topic.manage.create", true),
                            keys.bool(at + "topic.manage.expand", true),
                            keys.bool(at + "topic.manage.reassign", true),
                            keys.bool(at + "topic.manage.elect", true),
                            keys.bool(at + "topic.manage.configure", true)));
        }

        /**
         * Kafka refuses a producer whose request timeout and linger exceed its delivery timeout;
         * say it in our keys.
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

        private Map<String, String> kafkaProperties(String at, KafkaPropertyRules.Role... roles) {
            Map<String, String> properties = passThrough(at);
            properties.forEach(
                    (name, value) -> {
                        String key = at + name;
                        KafkaPropertyRules.owned(name)
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
            warnings.add(key + ": no Kafka client knows this property; passed on as it is");
        }

        /**
         * All properties below a prefix, by the rest of their name; the environment wins over the
         * file.
         */
        private Map<String, String> passThrough(String prefix) {
            String parent = prefix.substring(0, prefix.length() - 1);
            if (keys.textOrNull(parent) != null) {
                keys.fault(parent, "is not a mapping of property names to values");
            }
            Map<String, String> properties = new TreeMap<>();
            for (String name : inFile.keySet()) {
                if (name.startsWith(prefix)) {
                    String value = keys.textOrNull(name);
                    String property = unquote(name.substring(prefix.length()));
                    if (properties.put(property, value == null ? "" : value) != null) {
                        keys.fault(parent + "." + property, "is given twice");
                    }
                }
            }
            String variablePrefix = environmentForm(prefix);
            for (String variable : inEnvironment) {
                if (variable.startsWith(variablePrefix)) {
                    String rest = variable.substring(variablePrefix.length());
                    String property =
                            properties.keySet().stream()
                                    .filter(p -> environmentForm(p).equals(rest))
                                    .findFirst()
                                    .orElse(rest.replace('_', '.').toLowerCase(Locale.ROOT));
                    String value = keys.textOrNull(variable);
                    properties.put(property, value == null ? "" : value);
                }
            }
            return properties;
        }

        private void refuseUnknown() {
            for (String name : inFile.keySet()) {
                if (!keys.asked().contains(name) && !isOpenParent(name)) {
                    keys.fault(unquoteAll(name), "is not a known key" + suggestion(name));
                }
            }
            Set<String> known = new TreeSet<>();
            keys.asked().forEach(k -> known.add(environmentForm(k)));
            for (String name : inEnvironment) {
                if (!known.contains(name)) {
                    // Orchestrators inject variables of their own (CANARY_SERVICE_HOST): warned of,
                    // not refused.
                    warnings.add("environment variable " + name + ": names no key; ignored");
                }
            }
        }

        /**
         * An empty mapping shows up as a key of its own: harmless where keys below it are known.
         */
        private boolean isOpenParent(String name) {
            String value = inFile.get(name);
            return (value == null || value.isBlank())
                    && keys.asked().stream().anyMatch(k -> k.startsWith(name + "."));
        }

        private String suggestion(String name) {
            String parent = name.substring(0, Math.max(0, name.lastIndexOf('.') + 1));
            List<String> siblings =
                    keys.asked().stream()
                            .filter(k -> k.startsWith(parent) && !parent.isEmpty())
                            .map(k -> firstSegment(k.substring(parent.length())))
                            .distinct()
                            .toList();
            return siblings.isEmpty() ? "" : "; allowed here: " + String.join(", ", siblings);
        }

        private static String firstSegment(String key) {
            if (key.startsWith("\"")) {
                int end = key.indexOf('"', 1);
                return end < 0 ? key : key.substring(0, end + 1);
            }
            int dot = key.indexOf('.');
            return dot < 0 ? key : key.substring(0, dot);
        }

        private static String unquote(String text) {
            return text.replace("\"", "");
        }

        private static String unquoteAll(String key) {
            return key.replace("\"", "");
        }

        /**
         * The environment variable that would set a key: what is neither letter nor digit becomes
         * an underscore.
         */
        private static String environmentForm(String key) {
            return key.replace("\"", "").replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
        }
    }
}
