/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.config;

import io.phasewise.common.auth.BasicAuth;
import io.phasewise.common.file.ConfiguredFile;
import io.phasewise.common.file.JarResource;
import io.phasewise.common.file.UnusableFileException;
import io.phasewise.common.tls.ServerTls;
import io.phasewise.exporter.jmx.RuleFile;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;

/**
 * Reads the configuration file and every file that it names by the table of {@link Key}, and finds
 * all faults in one go. It never throws for what is in a file: each fault leaves a default in its
 * place.
 */
public final class ConfigLoader {

    private static final String RULES = "jmx.rules";

    private final String name;

    /** Null where there is none. */
    private final Path file;

    private final Map<String, ScalarNode> nodes = new HashMap<>();
    private final List<ConfigFault> faults = new ArrayList<>();

    private ConfigLoader(String name, Path file) {
        this.name = name;
        this.file = file;
    }

    /** The configuration of an exporter that is given no file. */
    public static ExporterConfig defaults() {
        return new ConfigLoader("defaults", null).build();
    }

    /**
     * Reads a file. Names of files in it are taken from its own directory.
     *
     * @param file YAML
     */
    public static ExporterConfig load(Path file) {
        ConfigLoader loader = new ConfigLoader(file.toString(), file);
        try {
            String text = ConfiguredFile.text("", file);
            Node document = new Yaml(new SafeConstructor(new LoaderOptions())).compose(new StringReader(text));
            if (document instanceof MappingNode) {
                loader.read("", (MappingNode) document);
            } else if (document != null) {
                loader.fault(line(document), "", "allowed are keys and values, as in README.md");
            }
        } catch (MarkedYAMLException e) {
            int line = e.getProblemMark() == null ? 0 : e.getProblemMark().getLine() + 1;
            loader.fault(line, "", "not YAML: " + e.getProblem());
        } catch (YAMLException e) {
            loader.fault(0, "", "not YAML: " + e.getMessage());
        } catch (UnusableFileException e) {
            loader.fault(0, "", e.getMessage());
        }
        return loader.build();
    }

    private void read(String prefix, MappingNode section) {
        for (NodeTuple entry : section.getValue()) {
            Node keyNode = entry.getKeyNode();
            String last = keyNode instanceof ScalarNode ? ((ScalarNode) keyNode).getValue() : "?";
            String key = prefix + last;
            Node value = entry.getValueNode();
            boolean isScalar = value instanceof ScalarNode;
            if (Key.ALL.stream().anyMatch(each -> each.name.startsWith(key + "."))) {
                if (value instanceof MappingNode) {
                    read(key + ".", (MappingNode) value);
                } else if (!isScalar || !((ScalarNode) value).getValue().isEmpty()) {
                    fault(line(keyNode), key, "allowed is a section of keys");
                }
            } else if (Key.ALL.stream().noneMatch(each -> each.name.equals(key))) {
                fault(line(keyNode), key, "unknown key; allowed: " + allowedAfter(prefix));
            } else if (!isScalar) {
                fault(line(keyNode), key, "allowed is one value");
            } else if (nodes.put(key, (ScalarNode) value) != null) {
                fault(line(keyNode), key, "is there twice");
            }
        }
    }

    private static String allowedAfter(String prefix) {
        TreeSet<String> names = new TreeSet<>();
        for (Key key : Key.ALL) {
            if (key.name.startsWith(prefix)) {
                names.add(key.name.substring(prefix.length()).replaceFirst("\\..*", ""));
            }
        }
        return String.join(", ", names);
    }

    private ExporterConfig build() {
        Map<String, Object> values = new HashMap<>();
        for (Key key : Key.ALL) {
            values.put(key.name, value(key, values));
        }
        AccessReader access = new AccessReader(this);
        BasicAuth basicAuth = access.basicAuth();
        ServerTls tls = access.tls();
        String rules = rules();
        faults.sort(Comparator.comparingInt(fault -> fault.line));
        return new ExporterConfig(values, rules, basicAuth, tls, access.files(), faults);
    }

    /**
     * The value that the file has for a key; the default where it has none, or one that is not
     * allowed.
     *
     * @param before values of the keys before it
     */
    private Object value(Key key, Map<String, Object> before) {
        if (has(key.name)) {
            try {
                // A quarter of the memory is for pushes that wait, and the largest push has to fit
                // into that quarter.
                int least = key.name.equals("clients.max-memory-bytes")
                        ? 5 * (Integer) before.get("clients.max-push-bytes")
                        : 0;
                return key.read(text(key.name), least);
            } catch (IllegalArgumentException e) {
                fault(key.name, e.getMessage());
            }
        }
        return key.valueByDefault();
    }

    /**
     * The rules: those that are built in where the file names none, or names rules that cannot be
     * used.
     */
    private String rules() {
        if (has(RULES)) {
            try {
                String text = ConfiguredFile.text("", path(RULES));
                RuleFile.parse(text);
                return text;
            } catch (UnusableFileException e) {
                fault(RULES, path(RULES) + " " + e.getMessage());
            } catch (IllegalArgumentException e) {
                fault(RULES, path(RULES) + ": " + e.getMessage());
            }
        }
        return JarResource.text(RuleFile.class, "kafka-broker.yml");
    }

    /** Null where there is none. */
    Path file() {
        return file;
    }

    boolean has(String key) {
        return nodes.containsKey(key);
    }

    /** Null where the file does not have the key. */
    String text(String key) {
        return has(key) ? nodes.get(key).getValue() : null;
    }

    /** The file that is named by the key, which is there. */
    Path path(String key) {
        return file.toAbsolutePath().getParent().resolve(text(key));
    }

    void fault(String key, String problem) {
        fault(has(key) ? line(nodes.get(key)) : 0, key, problem);
    }

    private void fault(int line, String key, String problem) {
        faults.add(new ConfigFault(name, line, key, problem));
    }

    private static int line(Node node) {
        return node.getStartMark().getLine() + 1;
    }
}
