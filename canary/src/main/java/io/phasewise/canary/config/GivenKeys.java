/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import io.smallrye.config.SmallRyeConfig;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.eclipse.microprofile.config.spi.ConfigSource;

/**
 * The keys that the file and the environment hold: finds those below a prefix, and those that
 * nobody asked for. Which keys there are is left to the readers, their values to {@link KeyReader}.
 */
final class GivenKeys {
    private final KeyReader keys;

    /** Keys of the file, quotes and all, with their values before expansion. */
    private final Map<String, String> inFile = new TreeMap<>();

    /** Environment variables that are meant for the canary. */
    private final Set<String> inEnvironment = new TreeSet<>();

    /**
     * @param source of file and environment
     * @param fileOrdinal tells the file among the source's parts
     * @param environment names of environment variables
     * @param keys reads values and notes faults
     */
    GivenKeys(SmallRyeConfig source, int fileOrdinal, Set<String> environment, KeyReader keys) {
        this.keys = keys;
        for (ConfigSource each : source.getConfigSources()) {
            if (each.getOrdinal() == fileOrdinal) {
                inFile.putAll(each.getProperties());
            }
        }
        for (String name : environment) {
            if (name.startsWith("CANARY_")) {
                inEnvironment.add(name);
            }
        }
    }

    /** Environment variables that are meant for the canary, sorted. */
    Set<String> environment() {
        return inEnvironment;
    }

    /** How a name is written as part of a key: in quotes when it has dots. */
    static String segment(String name) {
        return name.contains(".") ? '"' + name + '"' : name;
    }

    /** Whether keys below a name can be told from others; a quote or nothing at all hides them. */
    static boolean isReadable(String name) {
        return !name.isBlank() && !name.contains("\"") && !name.contains("\\");
    }

    /** Takes back all keys of the file below a prefix: a fault is noted for them already. */
    void dropBelow(String prefix) {
        inFile.keySet().removeIf(key -> unquote(key).startsWith(unquote(prefix)));
    }

    /** Names of the file's keys below a prefix, without it. */
    Set<String> below(String prefix) {
        Set<String> names = new TreeSet<>();
        for (String key : inFile.keySet()) {
            if (key.startsWith(prefix)) {
                names.add(unquote(key.substring(prefix.length())));
            }
        }
        return names;
    }

    /**
     * All properties below a prefix, by the rest of their name; the environment wins over the file.
     */
    Map<String, String> properties(String prefix) {
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

    /** Notes a fault for each key of the file that nobody asked for. */
    void refuseUnknown(List<String> warnings) {
        for (String name : inFile.keySet()) {
            if (!keys.asked().contains(name) && !isOpenParent(name)) {
                keys.fault(unquote(name), "is not a known key" + suggestion(name));
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

    /** An empty mapping shows up as a key of its own: harmless where keys below it are known. */
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

    /**
     * The environment variable that would set a key: what is neither letter nor digit becomes an
     * underscore.
     */
    static String environmentForm(String key) {
        return key.replace("\"", "").replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
    }
}
