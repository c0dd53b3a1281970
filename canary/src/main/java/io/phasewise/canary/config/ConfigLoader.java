/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import com.fasterxml.jackson.databind.node.ObjectNode;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Pattern;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Reads the YAML file and the environment that overrides it, and refuses whatever it cannot vouch
 * for. Which of the two says what is left to {@link GivenTree}, conversion and ranges to {@link
 * Binder} and the records' components, what keys mean together to the readers.
 */
public final class ConfigLoader {
    private static final String NAME = "[A-Za-z0-9._-]{1,100}";
    private static final String A_NAME = "letters, digits, dots, dashes, underscores, at most 100";

    private final Map<String, String> environment;
    private final Binder binder = new Binder();

    /** What the file holds. */
    record File(Root canary) {}

    /** The keys below {@code canary}. */
    record Root(
            @Pattern(regexp = NAME, message = A_NAME) String site,
            @Valid Shard shard,
            @Valid HttpReader.Http http,
            @Valid TracesConfig traces,
            @Keys.Entries(without = {"enabled", "mirror"}) Map<String, Settings> clusters) {}

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
        ObjectNode file = Yaml.parse(yaml, origin);
        Faults faults = new Faults();
        new GivenTree(environment, faults).complete(file, File.class);
        CanaryConfig config = read(new Section("", file, faults).below("canary"));
        faults.throwIfAny();
        return new Loaded(config, faults.warnings());
    }

    private CanaryConfig read(Section given) {
        ObjectNode defaults = defaults();
        ObjectNode ofCluster = (ObjectNode) defaults.remove("cluster");
        Section clusters = given.below("clusters");
        given.own().remove("clusters");
        TracesReader.checkEndpoint(given);
        Root root = binder.bind(Root.class, given, defaults);
        int last = root.shard().count() - 1;
        given.limit("shard.index", root.shard().index(), "0", last, defaults);
        List<ClusterConfig> entries = new ArrayList<>();
        for (String name : new TreeSet<>(GivenTree.names(clusters.own()))) {
            if (!name.matches(NAME)) {
                clusters.fault(name, "is not a cluster name; allowed: " + A_NAME);
            }
            entries.addAll(new ClusterReader(binder, clusters.below(name)).read(name, ofCluster));
        }
        if (entries.isEmpty()) {
            given.fault(
                    "clusters", "is missing; name at least one cluster with its bootstrap-servers");
        }
        return new CanaryConfig(
                Optional.ofNullable(root.site()),
                HttpReader.read(given, root.http()),
                ownOf(entries, root.shard(), given.faults()),
                TracesReader.read(given, root.traces()));
    }

    /** All were checked: what is wrong stops every canary, not only whose cluster it is. */
    private static List<ClusterConfig> ownOf(
            List<ClusterConfig> clusters, Shard shard, Faults faults) {
        List<ClusterConfig> own =
                clusters.stream().filter(cluster -> shard.takes(cluster.name())).toList();
        if (own.isEmpty()) {
            faults.warn(
                    "canary.shard: none of the "
                            + clusters.stream().map(ClusterConfig::name).distinct().count()
                            + " clusters is this canary's; it measures nothing");
        }
        return own;
    }

    private static ObjectNode defaults() {
        try (InputStream in = ConfigLoader.class.getResourceAsStream("defaults.yml")) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return Yaml.parse(text, "defaults.yml");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InvalidConfigException e) {
            throw new IllegalStateException(e);
        }
    }
}
