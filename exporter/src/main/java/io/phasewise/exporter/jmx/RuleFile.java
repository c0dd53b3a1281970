/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.jmx;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;
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
            words(
                    "lowercaseOutputName lowercaseOutputLabelNames inferCounterTypeFromName"
                            + " includeObjectNames whitelistObjectNames excludeObjectNames"
                            + " blacklistObjectNames excludeObjectNameAttributes"
                            + " includeObjectNameAttributes autoExcludeObjectNameAttributes"
                            + " excludeJvmMetrics metricCustomizers rules startDelaySeconds");

    private static final Set<String> RULE_KEYS =
            words("pattern name value valueFactor help attrNameSnakeCase cache type labels");

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
        Map<String, Object> document = new LinkedHashMap<>();
        Map<String, Node> nodes = new HashMap<>();
        try {
            Yaml yaml = new Yaml(new SafeConstructor(new LoaderOptions()));
            Node root = yaml.compose(new StringReader(text));
            if (root instanceof MappingNode) {
                for (NodeTuple entry : ((MappingNode) root).getValue()) {
                    nodes.put(String.valueOf(scalar(entry.getKeyNode())), entry.getValueNode());
                }
                ((Map<?, ?>) yaml.load(text))
                        .forEach((key, value) -> document.put(String.valueOf(key), value));
            }
        } catch (YAMLException e) {
            throw new IllegalArgumentException(
                    "not YAML: " + e.getMessage().replaceAll("\\s+", " "), e);
        }
        RuleFile file = new RuleFile(document, nodes);
        if (document.isEmpty()) {
            throw new IllegalArgumentException("no keys in it; allowed: " + KEYS);
        }
        document.keySet().forEach(key -> allowed(file.at(key) + "key ", key, KEYS));
        file.readNames();
        file.checkRules();
        return file;
    }

    private static Set<String> words(String text) {
        return new TreeSet<>(Arrays.asList(text.split(" ")));
    }

    private static String scalar(Node node) {
        return node instanceof ScalarNode ? ((ScalarNode) node).getValue() : "?";
    }

    private static void allowed(String where, Object key, Set<String> keys) {
        if (!keys.contains(String.valueOf(key))) {
            throw new IllegalArgumentException(
                    where + "'" + key + "' is unknown; allowed: " + keys);
        }
    }

    /** The line of a key's value, or of an item of it where it is a list. */
    private String at(String key, int... index) {
        Node node = nodes.get(key);
        if (node instanceof SequenceNode && index.length > 0) {
            node = ((SequenceNode) node).getValue().get(index[0]);
        }
        return node == null ? "" : "line " + (node.getStartMark().getLine() + 1) + ": ";
    }

    private void readNames() {
        included.addAll(names(INCLUDE));
        excluded.addAll(names(EXCLUDE));
        Object value = document.get(EXCLUDE_ATTRIBUTES);
        Object attributes = value == null ? Map.of() : value;
        String where = at(EXCLUDE_ATTRIBUTES) + "key '" + EXCLUDE_ATTRIBUTES + "'";
        if (!(attributes instanceof Map)) {
            throw new IllegalArgumentException(where + ": allowed are bean names with a list each");
        }
        ((Map<?, ?>) attributes)
                .forEach(
                        (bean, names) -> {
                            if (!(names instanceof List)) {
                                throw new IllegalArgumentException(
                                        where + ", bean '" + bean + "': allowed is a list");
                            }
                            Set<String> texts = new LinkedHashSet<>();
                            ((List<?>) names).forEach(item -> texts.add(String.valueOf(item)));
                            excludedAttributes.put(name(where, bean), texts);
                        });
    }

    private void checkRules() {
        int number = 0;
        for (Object rule : list(RULES)) {
            String where = at(RULES, number) + "key 'rules', rule " + ++number + ": ";
            if (!(rule instanceof Map)) {
                throw new IllegalArgumentException(where + "not a map of " + RULE_KEYS);
            }
            Map<?, ?> keys = (Map<?, ?>) rule;
            keys.keySet().forEach(key -> allowed(where, key, RULE_KEYS));
            Object pattern = keys.get("pattern");
            if (keys.containsKey("name") && pattern == null) {
                throw new IllegalArgumentException(where + "a name needs a pattern");
            }
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
        }
    }

    private List<?> list(String key) {
        Object value = document.get(key);
        if (value != null && !(value instanceof List)) {
            throw new IllegalArgumentException(at(key) + "key '" + key + "': allowed is a list");
        }
        return value == null ? List.of() : (List<?>) value;
    }

    private List<ObjectName> names(String key) {
        List<ObjectName> names = new ArrayList<>();
        for (Object name : list(key)) {
            names.add(name(at(key, names.size()) + "key '" + key + "'", name));
        }
        return names;
    }

    private static ObjectName name(String where, Object text) {
        try {
            return new ObjectName(String.valueOf(text));
        } catch (MalformedObjectNameException e) {
            throw new IllegalArgumentException(
                    where + ": '" + text + "' is no bean name: " + e.getMessage(), e);
        }
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
            Stream.of(excludedAttributes, dropped)
                    .flatMap(each -> each.entrySet().stream())
                    .filter(each -> each.getKey().apply(name))
                    .forEach(each -> without.addAll(each.getValue()));
            boolean left = false;
            for (MBeanAttributeInfo attribute : index.attributes(name)) {
                String text = attribute.getName();
                if (without.contains(text)) {
                    continue;
                }
                if (!use.isUsed(name, attribute) || known != null && known.has(name, text)) {
                    without.add(text);
                } else {
                    left = true;
                    if (known != null) {
                        known.expect(name, text);
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
            List<Map<?, ?>> marked = new ArrayList<>();
            list(RULES).forEach(rule -> marked.add(KnownSeries.marked((Map<?, ?>) rule)));
            named.put(RULES, marked);
        }
        return new Yaml().dump(named);
    }
}
