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
import java.util.stream.Collectors;
import java.util.stream.Stream;
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

    /** The metric that a lost rule makes instead of its own. It is not shown. */
    static final String LOST = "phasewise_lost_rule";

    private static final String NO_MATCH = "(?!)";

    private static final String INCLUDE = "includeObjectNames";
    private static final String EXCLUDE = "excludeObjectNames";
    private static final String EXCLUDE_ATTRIBUTES = "excludeObjectNameAttributes";
    private static final String RULES = "rules";

    /** All top-level keys of the JMX exporter that mean something to an agent. */
    private static final Set<String> KEYS =
            words("lowercaseOutputName lowercaseOutputLabelNames inferCounterTypeFromName"
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
                ((Map<?, ?>) yaml.load(text)).forEach((key, value) -> document.put(String.valueOf(key), value));
            }
        } catch (YAMLException e) {
            throw new IllegalArgumentException("not YAML: " + e.getMessage().replaceAll("\\s+", " "), e);
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
            throw new IllegalArgumentException(where + "'" + key + "' is unknown; allowed: " + keys);
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
        ((Map<?, ?>) attributes).forEach((bean, names) -> {
            if (!(names instanceof List)) {
                throw new IllegalArgumentException(where + ", bean '" + bean + "': allowed is a list");
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
            String expression = pattern == null ? "" : String.valueOf(pattern);
            try {
                Pattern.compile(expression);
            } catch (PatternSyntaxException e) {
                String problem = "' is no regular expression: " + e.getDescription();
                throw new IllegalArgumentException(where + "pattern '" + pattern + problem, e);
            }
            for (String key : List.of("name", "value", "help")) {
                checkGroups(where + key + " ", keys.get(key), expression);
            }
            checkLabels(where, keys.get("labels"), expression);
        }
    }

    private static void checkLabels(String where, Object labels, String pattern) {
        if (labels == null) {
            return;
        }
        if (!(labels instanceof Map)) {
            throw new IllegalArgumentException(where + "labels: allowed are names with a value each");
        }
        ((Map<?, ?>) labels).forEach((label, value) -> {
            checkGroups(where + "label ", label, pattern);
            checkGroups(where + "label '" + label + "' ", value, pattern);
        });
    }

    /**
     * At each match the collector puts groups in the place of {@code $1}; one that the pattern lacks
     * would end the whole scrape, and take every metric of every bean with it.
     */
    private static void checkGroups(String where, Object text, String pattern) {
        if (text == null) {
            return;
        }
        try {
            // Matches nothing at once, and has the pattern's groups.
            Pattern.compile("|" + pattern).matcher("").replaceFirst(String.valueOf(text));
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new IllegalArgumentException(
                    where + "'" + text + "' asks for a group that pattern '" + pattern + "' lacks: " + e.getMessage(),
                    e);
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
            throw new IllegalArgumentException(where + ": '" + text + "' is no bean name: " + e.getMessage(), e);
        }
    }

    /** Names and patterns that an index has to follow for {@link #named}. */
    public Set<ObjectName> included() {
        return Set.copyOf(included);
    }

    /** Whether it says which beans it is about. */
    boolean canBeNamed() {
        return !included.isEmpty();
    }

    /** How many rules there are. */
    int size() {
        return list(RULES).size();
    }

    /** A rule for the reader: where it stands, and what it says. */
    String rule(int index) {
        Map<?, ?> rule = (Map<?, ?>) list(RULES).get(index);
        Object name = rule.get("name");
        return at(RULES, index) + "rule " + (index + 1) + " (pattern '" + rule.get("pattern") + "'"
                + (name == null ? "" : ", name '" + name + "'") + ")";
    }

    /**
     * As written, but for the lost rules.
     *
     * @param lost indexes of rules that make no metric: what they match makes {@link #LOST} instead,
     *     and no later rule gets it
     * @param matched false where matching itself fails: the lost rules then match nothing, and later
     *     rules get what they would have matched
     */
    String text(Set<Integer> lost, boolean matched) {
        return new Yaml().dump(without(lost, matched));
    }

    private Map<String, Object> without(Set<Integer> lost, boolean matched) {
        Map<String, Object> copy = new LinkedHashMap<>(document);
        if (!lost.isEmpty()) {
            List<Object> rules = new ArrayList<>(list(RULES));
            lost.forEach(index -> rules.set(index, harmless((Map<?, ?>) rules.get(index), matched)));
            copy.put(RULES, rules);
        }
        return copy;
    }

    /** Matches what the rule matches, or nothing, and cannot fail otherwise: the label is another one for each match. */
    private static Map<String, Object> harmless(Map<?, ?> rule, boolean matched) {
        Map<String, Object> harmless = new LinkedHashMap<>();
        for (String key : List.of("cache", "attrNameSnakeCase")) {
            if (rule.containsKey(key)) {
                harmless.put(key, rule.get(key));
            }
        }
        Object pattern = rule.get("pattern");
        harmless.put("pattern", !matched ? NO_MATCH : pattern == null ? ".*" : pattern);
        harmless.put("name", LOST);
        harmless.put("value", "0");
        harmless.put("type", "UNTYPED");
        harmless.put("labels", Map.of("match", "$0"));
        return harmless;
    }

    /** The beans that the rules are about, of those that there are now. */
    Set<ObjectName> beans(BeanIndex index) {
        Set<ObjectName> names = new TreeSet<>();
        included.forEach(name -> names.addAll(index.matching(name)));
        names.removeIf(name -> excluded.stream().anyMatch(exclude -> exclude.apply(name)));
        return names;
    }

    /**
     * The rules for beans that are named one by one, as the collector takes them.
     *
     * @param beans of {@link #beans}
     * @param dropped attributes that are not read from any bean of the given name, beside those
     *     that the rules exclude
     * @param lost as {@link #text} has it
     * @param matched as {@link #text} has it
     */
    String named(
            Collection<ObjectName> beans,
            Map<ObjectName, Collection<String>> dropped,
            Set<Integer> lost,
            boolean matched) {
        Map<String, List<String>> exclude = new TreeMap<>();
        for (ObjectName bean : beans) {
            Set<String> without = new LinkedHashSet<>();
            Stream.of(excludedAttributes, dropped)
                    .flatMap(each -> each.entrySet().stream())
                    .filter(each -> each.getKey().apply(bean))
                    .forEach(each -> without.addAll(each.getValue()));
            if (!without.isEmpty()) {
                exclude.put(bean.toString(), new ArrayList<>(without));
            }
        }
        Map<String, Object> named = without(lost, matched);
        named.remove(EXCLUDE);
        named.put(INCLUDE, beans.stream().map(ObjectName::toString).collect(Collectors.toList()));
        named.put(EXCLUDE_ATTRIBUTES, exclude);
        return new Yaml().dump(named);
    }
}
