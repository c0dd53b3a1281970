/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.config;

import io.phasewise.exporter.jmx.RuleFile;
import io.phasewise.exporter.telemetry.ClientLabel;
import io.phasewise.exporter.telemetry.ClientSettings;
import io.phasewise.exporter.timing.TimingSettings;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;
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
 * Reads the configuration file and every file that it names, and finds all faults in one go. It
 * never throws for what is in a file: each fault leaves a default in its place.
 */
public final class ConfigLoader {

    private static final String BUILT_IN = "/io/phasewise/exporter/jmx/kafka-broker.yml";

    private static final Pattern DURATION = Pattern.compile("(\\d{1,6})(s|m|h)");

    private static final List<String> KEYS =
            List.of(
                    "http.threads",
                    "http.request-timeout",
                    "http.basic-auth.username",
                    "http.basic-auth.password-hash",
                    "http.tls.certificate",
                    "http.tls.key",
                    "http.tls.keystore",
                    "http.tls.keystore-password-file",
                    "http.tls.client-ca",
                    "jmx.rules",
                    "jmx.percentiles",
                    "topics.top",
                    "topics.interval",
                    "topics.log-size",
                    "timing.enabled",
                    "timing.schema",
                    "timing.canary-client-id-prefix",
                    "clients.labels",
                    "clients.client-id-pattern",
                    "clients.group-pattern",
                    "clients.top",
                    "clients.expiry",
                    "clients.max-push-bytes",
                    "clients.max-memory-bytes");

    private static final List<String> TLS_FILES =
            List.of(
                    "http.tls.certificate",
                    "http.tls.key",
                    "http.tls.keystore",
                    "http.tls.keystore-password-file",
                    "http.tls.client-ca");

    private final String name;
    private final Path file;
    private final Path directory;
    private final Map<String, ScalarNode> values = new LinkedHashMap<>();
    private final List<ConfigFault> faults = new ArrayList<>();

    /**
     * @param file null where there is none
     */
    private ConfigLoader(String name, Path file, Path directory) {
        this.name = name;
        this.file = file;
        this.directory = directory;
    }

    /** The configuration of an exporter that is given no file. */
    public static ExporterConfig defaults() {
        return new ConfigLoader("defaults", null, Path.of("")).build();
    }

    /**
     * Reads a file. Names of files in it are taken from its own directory.
     *
     * @param file YAML
     */
    public static ExporterConfig load(Path file) {
        ConfigLoader loader =
                new ConfigLoader(file.toString(), file, file.toAbsolutePath().getParent());
        try {
            String text = Files.readString(file);
            loader.read(
                    new Yaml(new SafeConstructor(new LoaderOptions()))
                            .compose(new StringReader(text)));
        } catch (MarkedYAMLException e) {
            int line = e.getProblemMark() == null ? 0 : e.getProblemMark().getLine() + 1;
            loader.fault(line, "", "not YAML: " + e.getProblem());
        } catch (YAMLException e) {
            loader.fault(0, "", "not YAML: " + e.getMessage());
        } catch (IOException e) {
            loader.fault(0, "", reason(e));
        }
        return loader.build();
    }

    private void read(Node document) {
        if (document == null) {
            return;
        }
        if (document instanceof MappingNode) {
            read("", (MappingNode) document);
        } else {
            fault(line(document), "", "allowed are keys and values, as in README.md");
        }
    }

    private void read(String prefix, MappingNode section) {
        for (NodeTuple entry : section.getValue()) {
            Node keyNode = entry.getKeyNode();
            String key =
                    prefix
                            + (keyNode instanceof ScalarNode
                                    ? ((ScalarNode) keyNode).getValue()
                                    : "?");
            Node value = entry.getValueNode();
            boolean isSection = KEYS.stream().anyMatch(known -> known.startsWith(key + "."));
            if (isSection && value instanceof MappingNode) {
                read(key + ".", (MappingNode) value);
            } else if (isSection) {
                if (!(value instanceof ScalarNode) || !((ScalarNode) value).getValue().isEmpty()) {
                    fault(line(keyNode), key, "allowed is a section of keys");
                }
            } else if (!KEYS.contains(key)) {
                fault(line(keyNode), key, "unknown key; allowed: " + allowed(prefix));
            } else if (!(value instanceof ScalarNode)) {
                fault(line(keyNode), key, "allowed is one value");
            } else if (values.put(key, (ScalarNode) value) != null) {
                fault(line(keyNode), key, "is there twice");
            }
        }
    }

    private static String allowed(String prefix) {
        TreeSet<String> names = new TreeSet<>();
        for (String key : KEYS) {
            if (key.startsWith(prefix)) {
                names.add(key.substring(prefix.length()).replaceFirst("\\..*", ""));
            }
        }
        return String.join(", ", names);
    }

    private ExporterConfig build() {
        ExporterConfig.Http http =
                new ExporterConfig.Http(
                        number("http.threads", 8, 1, 64),
                        duration("http.request-timeout", 5, 1, 60),
                        basicAuth(),
                        tls(),
                        accessFiles());
        ExporterConfig.Topics topics =
                new ExporterConfig.Topics(
                        number("topics.top", 20, 0, 1_000),
                        duration("topics.interval", 60, 5, 3_600),
                        flag("topics.log-size", true));
        String rules = builtInRules();
        Path rulesFile = null;
        if (values.containsKey("jmx.rules")) {
            Path file = file("jmx.rules");
            try {
                String text = Files.readString(file);
                RuleFile.parse(text);
                rules = text;
                rulesFile = file;
            } catch (IOException e) {
                fault("jmx.rules", file + ": " + reason(e));
            } catch (IllegalArgumentException e) {
                fault("jmx.rules", file + ": " + e.getMessage());
            }
        }
        boolean percentiles = flag("jmx.percentiles", false);
        TimingSettings timing = timing();
        ClientSettings clients = clients();
        faults.sort(Comparator.comparingInt(ConfigFault::line));
        return new ExporterConfig(
                http, rules, rulesFile, percentiles, topics, timing, clients, faults);
    }

    private TimingSettings timing() {
        TimingSettings defaults = TimingSettings.defaults();
        String prefix = text("timing.canary-client-id-prefix");
        if (prefix != null && prefix.isEmpty()) {
            fault("timing.canary-client-id-prefix", "allowed is a text that is not empty");
            prefix = null;
        }
        return new TimingSettings(
                flag("timing.enabled", defaults.enabled()),
                number("timing.schema", defaults.schema(), 0, 8),
                prefix == null ? defaults.canaryClientIdPrefix() : prefix);
    }

    private ClientSettings clients() {
        ClientSettings defaults = ClientSettings.defaults();
        int maxPushBytes =
                number("clients.max-push-bytes", defaults.maxPushBytes(), 1_024, 8 << 20);
        return new ClientSettings(
                clientLabels(defaults.labels()),
                pattern("clients.client-id-pattern", defaults.clientId()),
                pattern("clients.group-pattern", defaults.group()),
                number("clients.top", defaults.top(), 0, 10_000),
                duration("clients.expiry", (int) defaults.expiry().toSeconds(), 10, 86_400),
                maxPushBytes,
                maxMemoryBytes(maxPushBytes, defaults.maxMemoryBytes()));
    }

    /** A quarter of it is for pushes that wait, so the largest has to fit in there. */
    private int maxMemoryBytes(int maxPushBytes, int byDefault) {
        int least = Math.max(1 << 20, 5 * maxPushBytes);
        return number("clients.max-memory-bytes", byDefault, least, 512 << 20);
    }

    private List<ClientLabel> clientLabels(List<ClientLabel> byDefault) {
        String text = text("clients.labels");
        if (text == null) {
            return byDefault;
        }
        Set<ClientLabel> labels = new LinkedHashSet<>();
        for (String name : text.split(",", -1)) {
            Optional<ClientLabel> label = ClientLabel.named(name.strip());
            if (label.isEmpty() || !labels.add(label.get())) {
                fault(
                        "clients.labels",
                        "'"
                                + text
                                + "': allowed are some of "
                                + Arrays.stream(ClientLabel.values())
                                        .map(ClientLabel::label)
                                        .collect(Collectors.joining(", "))
                                + ", each once, with a comma between");
                return byDefault;
            }
        }
        return List.copyOf(labels);
    }

    private Pattern pattern(String key, Pattern byDefault) {
        String text = text(key);
        if (text == null) {
            return byDefault;
        }
        try {
            return Pattern.compile(text, Pattern.DOTALL);
        } catch (PatternSyntaxException e) {
            fault(key, "'" + text + "': allowed is a regular expression: " + e.getDescription());
            return byDefault;
        }
    }

    private Set<Path> accessFiles() {
        Set<Path> files = new LinkedHashSet<>();
        if (file != null) {
            files.add(file);
        }
        for (String key : TLS_FILES) {
            if (has(key)) {
                files.add(file(key));
            }
        }
        return files;
    }

    private BasicAuth basicAuth() {
        String user = text("http.basic-auth.username");
        String hash = text("http.basic-auth.password-hash");
        if (user == null && hash == null) {
            return null;
        }
        if (user == null || user.isEmpty() || user.contains(":")) {
            fault("http.basic-auth.username", "required with a password-hash, without a colon");
            return null;
        }
        if (hash == null) {
            fault("http.basic-auth.password-hash", "required with a username");
            return null;
        }
        try {
            return BasicAuth.parse(user, hash);
        } catch (IllegalArgumentException e) {
            fault("http.basic-auth.password-hash", e.getMessage());
            return null;
        }
    }

    private Tls tls() {
        boolean pem = has("http.tls.certificate") || has("http.tls.key");
        boolean pkcs12 = has("http.tls.keystore") || has("http.tls.keystore-password-file");
        boolean clients = has("http.tls.client-ca");
        if (!pem && !pkcs12 && !clients) {
            return null;
        }
        if (pem == pkcs12) {
            fault(
                    clients ? "http.tls.client-ca" : "http.tls.keystore",
                    "needs either certificate and key, or keystore and keystore-password-file");
            return null;
        }
        int before = faults.size();
        for (String key :
                pem
                        ? new String[] {"http.tls.certificate", "http.tls.key"}
                        : new String[] {"http.tls.keystore", "http.tls.keystore-password-file"}) {
            readable(key);
        }
        if (clients) {
            readable("http.tls.client-ca");
        }
        if (faults.size() > before) {
            return null;
        }
        String key = pem ? "http.tls.certificate" : "http.tls.keystore";
        try {
            char[] password =
                    pem
                            ? new char[0]
                            : Files.readString(file("http.tls.keystore-password-file"))
                                    .strip()
                                    .toCharArray();
            KeyStore identity =
                    pem
                            ? Tls.pem(file("http.tls.certificate"), file("http.tls.key"))
                            : Tls.pkcs12(file("http.tls.keystore"), password);
            key = clients ? "http.tls.client-ca" : key;
            return Tls.of(identity, password, clients ? file("http.tls.client-ca") : null);
        } catch (GeneralSecurityException | IOException | IllegalArgumentException e) {
            fault(key, file(key) + ": " + reason(e));
            return null;
        }
    }

    private void readable(String key) {
        if (!has(key)) {
            fault(key, "required");
            return;
        }
        try {
            Files.readAllBytes(file(key));
        } catch (IOException e) {
            fault(key, file(key) + ": " + reason(e));
        }
    }

    private boolean has(String key) {
        return values.containsKey(key);
    }

    private Path file(String key) {
        return directory.resolve(values.get(key).getValue());
    }

    private String text(String key) {
        ScalarNode node = values.get(key);
        return node == null ? null : node.getValue();
    }

    private int number(String key, int byDefault, int least, int most) {
        String text = text(key);
        if (text == null) {
            return byDefault;
        }
        if (text.matches("\\d{1,9}")) {
            int number = Integer.parseInt(text);
            if (number >= least && number <= most) {
                return number;
            }
        }
        fault(key, "'" + text + "': allowed is a number from " + least + " to " + most);
        return byDefault;
    }

    private boolean flag(String key, boolean byDefault) {
        String text = text(key);
        if (text == null || text.equals("true") || text.equals("false")) {
            return text == null ? byDefault : text.equals("true");
        }
        fault(key, "'" + text + "': allowed is true or false");
        return byDefault;
    }

    private Duration duration(String key, int byDefault, int least, int most) {
        String text = text(key);
        if (text == null) {
            return Duration.ofSeconds(byDefault);
        }
        Matcher form = DURATION.matcher(text);
        if (form.matches()) {
            long unit = form.group(2).equals("s") ? 1 : form.group(2).equals("m") ? 60 : 3_600;
            long seconds = unit * Long.parseLong(form.group(1));
            if (seconds >= least && seconds <= most) {
                return Duration.ofSeconds(seconds);
            }
        }
        fault(key, "'" + text + "': allowed is " + least + "s to " + most + "s, in s, m or h");
        return Duration.ofSeconds(byDefault);
    }

    private void fault(String key, String problem) {
        ScalarNode node = values.get(key);
        fault(node == null ? 0 : line(node), key, problem);
    }

    private void fault(int line, String key, String problem) {
        faults.add(new ConfigFault(name, line, key, problem));
    }

    private static int line(Node node) {
        return node.getStartMark().getLine() + 1;
    }

    /** What a person can act on, without the value of a secret. */
    private static String reason(Exception e) {
        if (e instanceof NoSuchFileException) {
            return "there is no such file";
        }
        if (e instanceof AccessDeniedException) {
            return "may not be read by this user";
        }
        String message = e.getMessage();
        return message == null ? e.getClass().getSimpleName() : message;
    }

    private static String builtInRules() {
        try (InputStream in = ConfigLoader.class.getResourceAsStream(BUILT_IN)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("the jar is damaged: " + BUILT_IN, e);
        }
    }
}
