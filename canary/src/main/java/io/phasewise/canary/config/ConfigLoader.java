/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.phasewise.common.file.JarResource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the YAML file and the environment that overrides it, and refuses whatever it cannot vouch
 * for. Which of the two wins is left to {@link ConfigMerger}, conversion and ranges to {@link
 * Binder} and the records' components, what a cluster's keys mean together to {@link
 * ClusterReader}.
 */
public final class ConfigLoader {
    /**
     * Far more than a configuration has. There is a limit, as a device in place of a file has no
     * end.
     */
    private static final int MOST_BYTES = 4 << 20;

    static final String NAME = "[A-Za-z0-9._-]{1,100}";
    static final String A_NAME = "letters, digits, dots, dashes, underscores, at most 100";

    private final Map<String, String> environment;
    private final KnownKeys keys = KnownKeys.read();
    private final Binder binder = new Binder();

    /** The keys below {@code canary}, except the clusters. */
    record Root(
            @Form(value = NAME, allowed = A_NAME) Optional<String> site,
            Optional<Path> pauseFile,
            Optional<Path> stateFile,
            Shard shard,
            HttpConfig http,
            TracesConfig traces) {}

    /**
     * @param environment environment variables, by name
     */
    public ConfigLoader(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
    }

    /** Whether environment variables name a cluster, so that a canary can run without a file. */
    public boolean isAnyClusterInTheEnvironment() {
        return environment.keySet().stream().anyMatch(ConfigMerger::namesCluster);
    }

    /**
     * The file with every key, its default and what it means: config/canary.yml.
     *
     * @throws java.io.UncheckedIOException where the jar cannot be read
     */
    public static String reference() {
        return JarResource.text(ConfigLoader.class, "canary.yml");
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
        try (InputStream in = Files.newInputStream(file)) {
            byte[] content = in.readNBytes(MOST_BYTES + 1);
            if (content.length > MOST_BYTES) {
                String fault = "is larger than the " + MOST_BYTES + " bytes that are allowed";
                throw new InvalidConfigException(List.of(new ConfigFault(file.toString(), fault)));
            }
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(content))
                    .toString();
            return load(text, file.toString());
        } catch (IOException e) {
            boolean isAbsent = e instanceof NoSuchFileException;
            String fault = isAbsent ? "there is no such file" : "cannot be read: " + e;
            throw new InvalidConfigException(List.of(new ConfigFault(file.toString(), fault)));
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
        List<ConfigFault> faults = new ArrayList<>();
        List<String> warnings = new ArrayList<>();
        Section file = new Section("", Yaml.parse(yaml, origin), faults, warnings);
        new ConfigMerger(environment, keys).complete(file);
        CanaryConfig config = read(file.below("canary"));
        if (!faults.isEmpty()) {
            faults.sort(Comparator.comparing(ConfigFault::key));
            throw new InvalidConfigException(faults);
        }
        return new Loaded(config, List.copyOf(warnings));
    }

    private static void checkStateFile(Section given, Path file) {
        Path directory = file.toAbsolutePath().getParent();
        if (Files.isDirectory(file) || directory == null || !Files.isDirectory(directory)) {
            given.refuseText("state-file", "a file in a directory that is there, and that the canary may write to");
        }
    }

    private CanaryConfig read(Section given) {
        Section clusters = given.below("clusters");
        given.own().remove("clusters");
        ObjectNode defaults = keys.defaults("/canary");
        Root root = binder.bind(Root.class, given, defaults);
        int last = root.shard().count() - 1;
        given.limit("shard.index", root.shard().index(), "0", last, defaults);
        List<ClusterConfig> entries = new ArrayList<>();
        for (String name : clusters.names(NAME, "cluster name; allowed: " + A_NAME)) {
            entries.addAll(new ClusterReader(binder, keys, clusters.below(name)).read(name));
        }
        if (entries.isEmpty()) {
            given.fault("clusters", "is missing; name at least one cluster with its bootstrap-servers");
        }
        // All were checked: a fault stops every canary, not only the one that measures that cluster.
        List<ClusterConfig> own =
                entries.stream().filter(each -> root.shard().takes(each.name())).toList();
        if (own.isEmpty()) {
            long all = entries.stream().map(ClusterConfig::name).distinct().count();
            String none = "none of the " + all + " clusters is this canary's; it measures nothing";
            given.warnings().add("canary.shard: " + none);
        }
        root.http().check(given.below("http"));
        root.stateFile().ifPresent(file -> checkStateFile(given, file));
        return new CanaryConfig(
                root.site(),
                root.pauseFile(),
                root.stateFile(),
                root.http(),
                own,
                root.traces().checked(given.below("traces")));
    }
}
