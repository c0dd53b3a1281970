/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.jmx;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;
import javax.management.MBeanAttributeInfo;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * Rules in the format of the JMX exporter, and the same rules with every bean named: patterns
 * replaced by the beans that match them now. What the rules make of a bean is left to the JMX
 * exporter's collector.
 */
public final class RuleFile {

    private static final String INCLUDE = "includeObjectNames";
    private static final String EXCLUDE = "excludeObjectNames";
    private static final String EXCLUDE_ATTRIBUTES = "excludeObjectNameAttributes";
    private static final String CUSTOMIZERS = "metricCustomizers";
    private static final String RULES = "rules";

    /** All top-level keys of the JMX exporter that mean something to an agent. */
    private static final Set<String> KEYS =
            Set.of(
                    "lowercaseOutputName",
                    "lowercaseOutputLabelNames",
                    "inferCounterTypeFromName",
                    INCLUDE,
                    "whitelistObjectNames",
                    EXCLUDE,
                    "blacklistObjectNames",
                    EXCLUDE_ATTRIBUTES,
                    "includeObjectNameAttributes",
                    "autoExcludeObjectNameAttributes",
                    "excludeJvmMetrics",
                    CUSTOMIZERS,
                    RULES,
                    "startDelaySeconds");

    private static final Set<String> RULE_KEYS =
            Set.of(
                    "pattern",
                    "name",
                    "value",
                    "valueFactor",
                    "help",
                    "attrNameSnakeCase",
                    "cache",
                    "type",
                    "labels");

    private final Map<String, Object> document;
    private final Map<String, Node> nodes;
    private final Set<ObjectName> included = new LinkedHashSet<>();
    private final List<ObjectName> excluded = new ArrayList<>();
    private final Map<ObjectName, Collection<String>> excludedAttributes = new LinkedHashMap<>();

    private RuleFile(Map<String, Object> document, Map<String, Node> nodes) {
        this.document = document;
        this.nodes = nodes;
    }

    /**
     * Reads rules.
     *
     * @param text YAML
     * @throws IllegalArgumentException when it cannot be used; the message names the line and the
     *     key, and is one line
     */
    public static RuleFile parse(String text) {
        Object loaded;
        Map<String, Node> nodes = new LinkedHashMap<>();
        try {
            Yaml yaml = new Yaml(new SafeConstructor(new LoaderOptions()));
            loaded = yaml.load(text);
            Node root = yaml.compose(new StringReader(text));
            if (root instanceof MappingNode) {
                for (NodeTuple entry : ((MappingNode) root).getValue()) {
                    if (entry.getKeyNode() instanceof ScalarNode) {
                        nodes.put(
                                ((ScalarNode) entry.getKeyNode()).getValue(), entry.getValueNode());
                    }
                }
            }
        } catch (YAMLException e) {
            throw new IllegalArgumentException(
                    "not YAML: " + e.getMessage().replaceAll("\\s+", " "), e);
        }
        if (!(loaded instanceof Map)) {
            throw new IllegalArgumentException("no keys in it; allowed: " + new TreeSet<>(KEYS));
        }
        Map<String, Object> document = new LinkedHashMap<>();
        ((Map<?, ?>) loaded).forEach((key, value) -> document.put(String.valueOf(key), value));
        for (String key : document.keySet()) {
            if (!KEYS.contains(key)) {
                throw new IllegalArgumentException(
                        line(nodes.get(key))
                                + "key '"
                                + key
                                + "' is unknown; allowed: "
                                + new TreeSet<>(KEYS));
            }
        }
        RuleFile file = new RuleFile(document, nodes);
        file.readNames();
        file.checkRules();
        return file;
    }

    private static String line(Node node) {
        return node == null ? "" : "line " + (node.getStartMark().getLine() + 1) + ": ";
    }

    /** The line of an item of the list that is the key's value; of the key where it is no list. */
    private String line(String key, int index) {
        Node node = nodes.get(key);
        return line(
                node instanceof SequenceNode ? ((SequenceNode) node).getValue().get(index) : node);
    }

    private void readNames() {
        included.addAll(names(INCLUDE));
        excluded.addAll(names(EXCLUDE));
        Object attributes = document.get(EXCLUDE_ATTRIBUTES);
        if (attributes instanceof Map) {
            ((Map<?, ?>) attributes)
                    .forEach(
                            (name, value) ->
                                    excludedAttributes.put(
                                            name(
                                                    line(nodes.get(EXCLUDE_ATTRIBUTES)),
                                                    EXCLUDE_ATTRIBUTES,
                                                    name),
                                            strings(name, value)));
        } else if (attributes != null) {
            throw new IllegalArgumentException(
                    line(nodes.get(EXCLUDE_ATTRIBUTES))
                            + "key '"
                            + EXCLUDE_ATTRIBUTES
                            + "': allowed are bean names with a list each");
        }
    }

    private void checkRules() {
        int number = 0;
        for (Object rule : list(RULES)) {
            number++;
            String where = line(RULES, number - 1) + "key 'rules', rule " + number + ": ";
            if (!(rule instanceof Map)) {
                throw new IllegalArgumentException(
                        where + "not a map of " + new TreeSet<>(RULE_KEYS));
            }
            Map<?, ?> keys = (Map<?, ?>) rule;
            for (Object key : keys.keySet()) {
                if (!RULE_KEYS.contains(String.valueOf(key))) {
                    throw new IllegalArgumentException(
                            where
                                    + "'"
                                    + key
                                    + "' is unknown; allowed: "
                                    + new TreeSet<>(RULE_KEYS));
                }
            }
            Object pattern = keys.get("pattern");
            try {
                Pattern.compile(pattern == null ? "" : String.valueOf(pattern));
            } catch (PatternSyntaxException e) {
                throw new IllegalArgumentException(
                        where
                                + "pattern '"
                                + pattern
                                + "' is no regular expression: "
                                + e.getDescription(),
                        e);
            }
            if (keys.containsKey("name") && pattern == null) {
                throw new IllegalArgumentException(where + "a name needs a pattern");
            }
        }
    }

    private List<?> list(String key) {
        Object value = document.get(key);
        if (value == null) {
            return List.of();
        }
        if (!(value instanceof List)) {
            throw new IllegalArgumentException(
                    line(nodes.get(key)) + "key '" + key + "': allowed is a list");
        }
        return (List<?>) value;
    }

    private List<ObjectName> names(String key) {
        List<ObjectName> names = new ArrayList<>();
        for (Object name : list(key)) {
            names.add(name(line(key, names.size()), key, name));
        }
        return names;
    }

    private static ObjectName name(String where, String key, Object text) {
        try {
            return new ObjectName(String.valueOf(text));
        } catch (MalformedObjectNameException e) {
            throw new IllegalArgumentException(
                    where + "key '" + key + "': '" + text + "' is no bean name: " + e.getMessage(),
                    e);
        }
    }

    private static Collection<String> strings(Object name, Object value) {
        if (!(value instanceof List)) {
            throw new IllegalArgumentException(
                    "key '" + EXCLUDE_ATTRIBUTES + "', bean '" + name + "': allowed is a list");
        }
        Set<String> strings = new LinkedHashSet<>();
        ((List<?>) value).forEach(item -> strings.add(String.valueOf(item)));
        return strings;
    }

    /** What of a bean the rules use; remembers it, so one is enough for a process. */
    RuleUse use() {
        return new RuleUse(list(RULES));
    }

    /** Names and patterns that an index has to follow for {@link #named}. */
    public Set<ObjectName> included() {
        return Set.copyOf(included);
    }

    /** Whether it says which beans it is about. */
    boolean canBeNamed() {
        return !included.isEmpty();
    }

    /** Whether what becomes of an attribute depends on no other attribute of the bean. */
    boolean takesAttributesOneByOne() {
        return !document.containsKey(CUSTOMIZERS);
    }

    /** As written. */
    String text() {
        return new Yaml().dump(document);
    }

    /**
     * The rules with every bean named, as the collector takes them, for what it alone can read:
     * attributes that no rule uses are excluded, and so are those whose series are known.
     *
     * @param index follows {@link #included}
     * @param use knows which are used
     * @param dropped attributes that are not read from any bean of the given name, beside those
     *     that the rules exclude
     * @param known is told what to expect; null where nothing is to become known
     */
    String named(
            BeanIndex index,
            RuleUse use,
            Map<ObjectName, Collection<String>> dropped,
            KnownSeries known) {
        Set<ObjectName> names = new TreeSet<>();
        included.forEach(name -> names.addAll(index.matching(name)));
        names.removeIf(name -> excluded.stream().anyMatch(exclude -> exclude.apply(name)));
        if (known != null) {
            known.keep(names);
        }
        List<String> include = new ArrayList<>();
        Map<String, List<String>> exclude = new TreeMap<>();
        for (ObjectName name : names) {
            Set<String> without = new LinkedHashSet<>();
            for (Map<ObjectName, Collection<String>> each : List.of(excludedAttributes, dropped)) {
                each.forEach(
                        (bean, attributes) -> {
                            if (bean.apply(name)) {
                                without.addAll(attributes);
                            }
                        });
            }
            boolean left = false;
            for (MBeanAttributeInfo attribute : index.attributes(name)) {
                String text = attribute.getName();
                if (!without.contains(text)) {
                    if (!use.isUsed(name, attribute) || known != null && known.has(name, text)) {
                        without.add(text);
                    } else {
                        left = true;
                        if (known != null) {
                            known.expect(name, text);
                        }
                    }
                }
            }
            if (left || known == null) {
                include.add(name.toString());
                if (!without.isEmpty()) {
                    exclude.put(name.toString(), new ArrayList<>(without));
                }
            }
        }
        Map<String, Object> named = new LinkedHashMap<>(document);
        named.remove(EXCLUDE);
        named.put(INCLUDE, include);
        named.put(EXCLUDE_ATTRIBUTES, exclude);
        if (known != null && document.containsKey(RULES)) {
            named.put(
                    RULES,
                    list(RULES).stream()
                            .map(rule -> KnownSeries.marked((Map<?, ?>) rule))
                            .collect(Collectors.toList()));
        }
        return new Yaml().dump(named);
    }
}
