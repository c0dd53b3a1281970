/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
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
final class GivenTree {
    private static final Pattern REFERENCE =
            Pattern.compile("([\\\\$]?)\\$\\{([^}:]*)(?::([^}]*))?}");
    private static final Pattern CLUSTER =
            Pattern.compile("CANARY_CLUSTERS_((?:(?!_PROFILES_).)+)_BOOTSTRAP_SERVERS");

    private final Map<String, String> environment;
    private final Faults faults;

    /** Environment variables that are meant for the canary and that no key has taken yet. */
    private final Set<String> unused = new TreeSet<>();

    /**
     * @param environment environment variables, by name
     * @param faults takes what is wrong
     */
    GivenTree(Map<String, String> environment, Faults faults) {
        this.environment = environment;
        this.faults = faults;
        environment.keySet().stream()
                .filter(name -> name.startsWith("CANARY_"))
                .forEach(unused::add);
    }

    /**
     * Makes the tree.
     *
     * @param file as it was parsed; becomes the tree
     * @param type record of the root's keys
     */
    void complete(ObjectNode file, Class<?> type) {
        keys(file, type, Set.of(), "");
        // Orchestrators inject variables of their own (CANARY_SERVICE_HOST).
        unused.forEach(
                name -> faults.warn("environment variable " + name + ": names no key; ignored"));
    }

    private void keys(ObjectNode node, Class<?> record, Set<String> without, String at) {
        Map<String, Field> known = Keys.of(record, without);
        for (String name : names(node)) {
            if (!known.containsKey(name)) {
                faults.add(
                        at + name,
                        "is not a known key; allowed here: " + String.join(", ", known.keySet()));
                node.remove(name);
            }
        }
        known.forEach((name, key) -> key(node, name, key, at + name));
    }

    private void key(ObjectNode node, String name, Field key, String at) {
        if (Keys.isSingle(key)) {
            single(node, name, at);
            return;
        }
        boolean given = node.has(name);
        ObjectNode below = mapping(node, name, at);
        if (!Keys.isMap(key)) {
            keys(below, key.getType(), Set.of(), at + ".");
        } else if (Keys.held(key).isRecord()) {
            for (String entry : entries(below, key)) {
                keys(
                        mapping(below, entry, at + "." + entry),
                        Keys.held(key),
                        Keys.without(key, entry),
                        at + "." + entry + ".");
            }
        } else {
            properties(below, at + ".");
        }
        if (!given && below.isEmpty()) {
            node.remove(name);
        }
    }

    /** A value that is blank or null counts as not given. */
    private void single(ObjectNode node, String name, String at) {
        String variable = environmentForm(at);
        JsonNode inFile = node.path(name);
        if (unused.remove(variable)) {
            node.put(name, expanded(environment.get(variable), at));
        } else if (inFile.isContainerNode()) {
            faults.add(at, "is not a single value");
            node.remove(name);
        } else {
            node.put(name, expanded(inFile.asText(), at));
        }
        if (node.path(name).asText().isEmpty() || node.path(name).asText().equals("null")) {
            node.remove(name);
        }
    }

    /** The mapping below a key, a new one where there is none; anything else is taken out. */
    private ObjectNode mapping(ObjectNode parent, String name, String at) {
        if (parent.path(name) instanceof ObjectNode mapping) {
            return mapping;
        }
        if (!parent.path(name).asText().isBlank() || parent.path(name).isArray()) {
            faults.add(at, "is not a mapping of keys to values");
            parent.remove(name);
            return parent.objectNode();
        }
        return parent.putObject(name);
    }

    /** Names of a map's entries, with clusters that only the environment names. */
    private Set<String> entries(ObjectNode map, Field key) {
        Set<String> names = new TreeSet<>(names(map));
        names.addAll(Keys.always(key));
        if (key.getName().equals("clusters")) {
            Set<String> forms = new TreeSet<>();
            names.forEach(name -> forms.add(environmentForm(name)));
            for (String variable : unused) {
                Matcher cluster = CLUSTER.matcher(variable);
                if (cluster.matches() && !forms.contains(cluster.group(1))) {
                    names.add(cluster.group(1).toLowerCase(Locale.ROOT));
                }
            }
        }
        return names;
    }

    /** Any names, of which nested mappings mean the same as names with dots. */
    private void properties(ObjectNode node, String at) {
        ObjectNode nested = node.deepCopy();
        node.removeAll();
        flatten(nested, "", node, at);
        String prefix = environmentForm(at);
        for (String variable : List.copyOf(unused)) {
            if (variable.startsWith(prefix)) {
                unused.remove(variable);
                String rest = variable.substring(prefix.length());
                String property =
                        names(node).stream()
                                .filter(name -> environmentForm(name).equals(rest))
                                .findFirst()
                                .orElse(rest.replace('_', '.').toLowerCase(Locale.ROOT));
                node.put(property, expanded(environment.get(variable), at + property));
            }
        }
    }

    private void flatten(ObjectNode nested, String before, ObjectNode flat, String at) {
        for (String name : names(nested)) {
            String property = before + name;
            if (nested.get(name) instanceof ObjectNode below) {
                flatten(below, property + ".", flat, at);
            } else if (flat.has(property)) {
                faults.add(at + property, "is given twice");
            } else {
                flat.put(property, expanded(nested.get(name).asText(), at + property));
            }
        }
    }

    private String expanded(String text, String at) {
        return REFERENCE
                .matcher(text)
                .replaceAll(found -> Matcher.quoteReplacement(expanded(found, at)))
                .strip();
    }

    private String expanded(MatchResult reference, String at) {
        if (!reference.group(1).isEmpty()) {
            return reference.group().substring(1); // for somebody else to replace
        }
        String value = environment.getOrDefault(reference.group(2), reference.group(3));
        if (value == null) {
            faults.add(
                    at,
                    "holds a ${...} that names no environment variable; set the variable or give a"
                            + " default: ${NAME:default}");
        }
        return Optional.ofNullable(value).orElse("");
    }

    /** The variable that sets a key: what is neither letter nor digit becomes an underscore. */
    private static String environmentForm(String key) {
        return key.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
    }

    /** A copy, for the node is changed on the way. */
    static List<String> names(ObjectNode node) {
        List<String> names = new ArrayList<>();
        node.fieldNames().forEachRemaining(names::add);
        return names;
    }
}
