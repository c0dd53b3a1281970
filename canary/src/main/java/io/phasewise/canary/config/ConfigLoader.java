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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * Reads the YAML file and the environment that overrides it, and refuses whatever it cannot vouch
 * for. Parsing and expansion are left to SmallRye Config, the keys below a cluster to {@link
 * ClusterReader}, those of the traces to {@link TracesReader}, of the endpoint to {@link
 * HttpReader}.
 */
public final class ConfigLoader {
    private static final int FILE_ORDINAL = 200;
    private static final int ENVIRONMENT_ORDINAL = 300;
    private static final String ROOT = "canary";

    /** Each cluster is hashed with each of them at the start. */
    private static final int MOST_SHARDS = 1000;

    private static final String CLUSTERS = ROOT + ".clusters.";

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,100}");
    private static final Pattern CLUSTER_OF_ENVIRONMENT =
            Pattern.compile("CANARY_CLUSTERS_(.+)_BOOTSTRAP_SERVERS");

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
        return new Reading(source, environment.keySet()).read(clustersOf(root));
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
     * Names of the clusters and of their profiles, each with whether it names a mirror; also of
     * those whose mapping is empty, which the config source leaves out.
     */
    private static Map<String, Map<String, Boolean>> clustersOf(Map<?, ?> root) {
        Map<String, Map<String, Boolean>> names = new TreeMap<>();
        mapping(mapping(root, ROOT), "clusters")
                .forEach((name, cluster) -> names.put(String.valueOf(name), profilesOf(cluster)));
        return names;
    }

    private static Map<String, Boolean> profilesOf(Object cluster) {
        Map<String, Boolean> names = new TreeMap<>();
        if (cluster instanceof Map<?, ?> keys) {
            mapping(keys, "profiles")
                    .forEach(
                            (name, profile) ->
                                    names.put(
                                            String.valueOf(name),
                                            profile instanceof Map<?, ?> settings
                                                    && settings.containsKey("mirror")));
        }
        return names;
    }

    private static Map<?, ?> mapping(Map<?, ?> parent, String key) {
        return parent.get(key) instanceof Map<?, ?> child ? child : Map.of();
    }

    /** One pass over one source. */
    private static final class Reading {
        private final KeyReader keys;
        private final GivenKeys given;
        private final List<String> warnings = new ArrayList<>();

        Reading(SmallRyeConfig source, Set<String> environment) {
            this.keys = new KeyReader(source);
            this.given = new GivenKeys(source, FILE_ORDINAL, environment, keys);
        }

        Loaded read(Map<String, Map<String, Boolean>> inFile) throws InvalidConfigException {
            String site =
                    keys.text(
                            ROOT + ".site",
                            "",
                            NAME,
                            "letters, digits, dots, dashes, underscores, at most 100");
            HttpConfig http = new HttpReader(keys, warnings).read(ROOT + ".http.");
            Optional<TracesConfig> traces = new TracesReader(keys, given).read(ROOT + ".traces.");
            List<ClusterConfig> clusters = new ArrayList<>();
            ClusterReader reader = new ClusterReader(keys, given, warnings);
            clusterNames(inFile.keySet())
                    .forEach(
                            (name, segment) ->
                                    clusters.addAll(
                                            reader.read(
                                                    name,
                                                    CLUSTERS + segment + ".",
                                                    inFile.getOrDefault(name, Map.of()))));
            if (clusters.isEmpty()) {
                keys.fault(
                        ROOT + ".clusters",
                        "is missing; name at least one cluster with its bootstrap-servers");
            }
            Shard shard = shard();
            given.refuseUnknown(warnings);
            if (!keys.faults().isEmpty()) {
                List<ConfigFault> faults = new ArrayList<>(keys.faults());
                faults.sort(Comparator.comparing(ConfigFault::key));
                throw new InvalidConfigException(faults);
            }
            return new Loaded(
                    new CanaryConfig(
                            site.isEmpty() ? Optional.empty() : Optional.of(site),
                            http,
                            ownOf(clusters, shard),
                            traces),
                    List.copyOf(warnings));
        }

        private Shard shard() {
            int count = keys.integer(ROOT + ".shard.count", 1, 1, MOST_SHARDS);
            return new Shard(keys.integer(ROOT + ".shard.index", 0, 0, count - 1), count);
        }

        /** All were checked: what is wrong stops every canary, not only whose cluster it is. */
        private List<ClusterConfig> ownOf(List<ClusterConfig> clusters, Shard shard) {
            List<ClusterConfig> own =
                    clusters.stream().filter(cluster -> shard.takes(cluster.name())).toList();
            if (own.isEmpty()) {
                warnings.add(
                        ROOT
                                + ".shard: none of the "
                                + clusters.stream().map(ClusterConfig::name).distinct().count()
                                + " clusters is this canary's; it measures nothing");
            }
            return own;
        }

        /** Name of each cluster, and how it is written inside a key (quoted when it has dots). */
        private Map<String, String> clusterNames(Set<String> named) {
            Map<String, String> names = new TreeMap<>();
            for (String name : named) {
                if (GivenKeys.isReadable(name)) {
                    names.put(name, GivenKeys.segment(name)); // also to find what is wrong below
                } else {
                    given.dropBelow(CLUSTERS + name + ".");
                }
                if (!NAME.matcher(name).matches()) {
                    keys.fault(
                            CLUSTERS + name,
                            "is not a cluster name; allowed: letters, digits, dots, dashes,"
                                    + " underscores, at most 100");
                }
            }
            for (String variable : given.environment()) {
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
            return names.stream().anyMatch(n -> GivenKeys.environmentForm(n).equals(part));
        }
    }
}
