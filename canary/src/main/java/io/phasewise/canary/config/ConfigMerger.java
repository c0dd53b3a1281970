/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes one tree of the file and the environment, of known keys only: refuses the others, replaces
 * <code>${VARIABLE}</code>, and lets environment variables override what the file says. What the
 * values mean is left to {@link Binder}.
 */
final class ConfigMerger {
    private static final Pattern REFERENCE = Pattern.compile("([\\\\$]?)\\$\\{([^}:]*)(?::([^}]*))?}");
    private static final Pattern CLUSTER = Pattern.compile("CANARY_CLUSTERS_((?:(?!_PROFILES_).)+)_BOOTSTRAP_SERVERS");

    /** Added to the fault where a profile has the key mirror, which was removed. */
    private static final String MIRROR_REMOVED = "; profiles that read in another cluster were removed: measure each"
            + " cluster by profiles of its own, and MirrorMaker by its metric replication-latency-ms";

    private final Map<String, String> environment;
    private final KnownKeys keys;

    /** Environment variables that are meant for the canary and that no key has taken yet. */
    private final Set<String> unused;

    /** Environment variables that a <code>${...}</code> refers to. */
    private final Set<String> referenced = new HashSet<>();

    /**
     * @param environment environment variables, by name
     * @param keys that there are
     */
    ConfigMerger(Map<String, String> environment, KnownKeys keys) {
        this.environment = environment;
        this.keys = keys;
        unused = new TreeSet<>(environment.keySet());
        unused.removeIf(name -> !name.startsWith("CANARY_"));
    }

    /**
     * Makes the tree.
     *
     * @param file as it was parsed; becomes the tree
     */
    void complete(Section file) {
        complete(file, keys.tree());
        // Orchestrators inject variables of their own (CANARY_SERVICE_HOST).
        unused.removeAll(referenced);
        for (String name : unused) {
            file.warnings().add("environment variable " + name + ": names no key; ignored");
        }
    }

    private void complete(Section given, ObjectNode known) {
        Set<String> names = new TreeSet<>(Section.names(known));
        if (names.remove(KnownKeys.ANY)) {
            names.addAll(Section.names(given.own()));
        } else {
            refuseOthers(given, names, known == keys.tree().at("/canary/clusters/*/profiles/*"));
        }
        if (given.at().equals("canary.clusters.")) {
            addClustersOfTheEnvironment(names);
        }
        for (String name : names) {
            JsonNode key = known.has(name) ? known.get(name) : known.get(KnownKeys.ANY);
            if (key instanceof ObjectNode below) {
                mapping(given, name, below);
            } else {
                single(given, name);
            }
        }
    }

    private void refuseOthers(Section given, Set<String> known, boolean ofProfile) {
        String fault = "is not a known key; allowed here: " + String.join(", ", known);
        String cluster = given.at().replaceFirst("(?<=\\.)profiles\\.default\\.$", "");
        boolean isDefault = !cluster.equals(given.at());
        for (String name : Section.names(given.own())) {
            if (!known.contains(name)) {
                boolean isOfCluster =
                        isDefault && keys.tree().at("/canary/clusters/*").has(name);
                String hint = "; the default profile has the cluster's own settings: set ";
                String removed = ofProfile && name.equals("mirror") ? MIRROR_REMOVED : "";
                given.fault(name, fault + (isOfCluster ? hint + cluster + name : removed));
                given.own().remove(name);
            }
        }
    }

    static boolean namesCluster(String variable) {
        return CLUSTER.matcher(variable).matches();
    }

    /** Clusters that only the environment names. */
    private void addClustersOfTheEnvironment(Set<String> names) {
        List<String> forms = names.stream().map(ConfigMerger::environmentForm).toList();
        for (String variable : unused) {
            Matcher cluster = CLUSTER.matcher(variable);
            if (cluster.matches() && !forms.contains(cluster.group(1))) {
                names.add(cluster.group(1).toLowerCase(Locale.ROOT));
            }
        }
    }

    /** A value that is blank or null counts as not given. */
    private void single(Section given, String name) {
        JsonNode inFile = given.own().path(name);
        if (inFile.isContainerNode() && !unused.contains(environmentForm(given.at() + name))) {
            given.fault(name, "is not a single value");
        }
        String text = text(given, name, inFile);
        given.own().put(name, text);
        if (text.isEmpty() || text.equals("null")) {
            given.own().remove(name);
        }
    }

    /** Anything else than a mapping is taken out; so is an empty one that is not in the file. */
    private void mapping(Section parent, String name, ObjectNode known) {
        JsonNode inFile = parent.own().path(name);
        boolean isOther = inFile.isArray() || !inFile.asText().isBlank();
        if (isOther) {
            parent.fault(name, "is not a mapping of keys to values");
        }
        parent.own().set(name, inFile.isObject() ? inFile : parent.own().objectNode());
        Section given = parent.below(name);
        if (known.path(KnownKeys.ANY).isValueNode()) {
            properties(given);
        } else {
            complete(given, known);
        }
        if (isOther || inFile.isMissingNode() && given.own().isEmpty()) {
            parent.own().remove(name);
        }
    }

    /** Properties of any name; nested mappings mean the same as names with dots. */
    private void properties(Section given) {
        ObjectNode nested = given.own().deepCopy();
        given.own().removeAll();
        flatten(nested, "", given);
        String prefix = environmentForm(given.at());
        for (String variable : List.copyOf(unused)) {
            if (variable.startsWith(prefix)) {
                unused.remove(variable);
                String name = variable.substring(prefix.length()).replace('_', '.');
                String property = name.toLowerCase(Locale.ROOT);
                given.own().put(property, expanded(environment.get(variable), given, property));
            }
        }
    }

    private void flatten(ObjectNode nested, String before, Section flat) {
        for (String name : Section.names(nested)) {
            String property = before + name;
            if (nested.get(name) instanceof ObjectNode below) {
                flatten(below, property + ".", flat);
            } else if (flat.own().has(property)) {
                flat.fault(property, "is given twice");
            } else {
                flat.own().put(property, text(flat, property, nested.get(name)));
            }
        }
    }

    /** What the key's environment variable says; otherwise what the file says. */
    private String text(Section given, String name, JsonNode inFile) {
        String variable = environmentForm(given.at() + name);
        boolean isOverridden = unused.remove(variable);
        return expanded(isOverridden ? environment.get(variable) : inFile.asText(), given, name);
    }

    private String expanded(String text, Section given, String name) {
        return REFERENCE
                .matcher(text)
                .replaceAll(found -> Matcher.quoteReplacement(expanded(found, given, name)))
                .strip();
    }

    private String expanded(MatchResult reference, Section given, String name) {
        if (!reference.group(1).isEmpty()) {
            return reference.group().substring(1); // escaped: not the canary's to replace
        }
        referenced.add(reference.group(2));
        String value = environment.getOrDefault(reference.group(2), reference.group(3));
        if (value == null) {
            given.fault(
                    name,
                    "holds a ${...} that names no environment variable; set the variable or give a"
                            + " default: ${NAME:default}");
        }
        return value == null ? "" : value;
    }

    /** The variable that sets a key: what is neither letter nor digit becomes an underscore. */
    private static String environmentForm(String key) {
        return key.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
    }
}
