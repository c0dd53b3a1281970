/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * What docker-compose.yml promises, read without Docker: pinned images, loopback ports, health
 * checks, no secrets, and the versions, ports and files of the local stack. That the containers run
 * is left to whoever has a Docker engine.
 */
class ComposeFileTest {
    /** A name and a version with at least two numbers; no registry, no digest, no moving tag. */
    private static final Pattern PINNED =
            Pattern.compile("[a-z0-9-]+(/[a-z0-9-]+)?:v?\\d+\\.\\d+\\.\\d+\\S*");

    private static final Pattern SECRET =
            Pattern.compile("(?i)passw|secret|token|credential|api_?key|private_?key");

    private static final Path ROOT = Path.of(System.getProperty("phasewise.root"));

    private final Map<String, Object> compose = map(yaml(ROOT.resolve("docker-compose.yml")));
    private final Map<String, Object> services = map(compose.get("services"));

    @Test
    void hasTheComponentsOfTheLocalStackAndTheHost() {
        assertThat(services)
                .containsOnlyKeys(
                        "kafka-1",
                        "kafka-2",
                        "kafka-3",
                        "canary",
                        "prometheus",
                        "alertmanager",
                        "receiver",
                        "grafana",
                        "node-exporter");
    }

    @Test
    void everyImageIsPinnedToAVersion() {
        forEachService(
                (name, service) ->
                        assertThat((String) service.get("image"))
                                .as("image of %s", name)
                                .matches(PINNED));
    }

    @Test
    void everyBaseImageIsPinnedToAVersion() throws IOException {
        for (String dockerfile : dockerfiles()) {
            List<String> bases = arguments(dockerfile, "FROM");
            assertThat(bases)
                    .as(dockerfile)
                    .isNotEmpty()
                    // Of nothing there is no version.
                    .filteredOn(base -> !base.startsWith("scratch"))
                    .allSatisfy(base -> assertThat(base).matches(PINNED));
        }
    }

    @Test
    void everyContainerRunsAsAnOrdinaryUser() throws IOException {
        for (String dockerfile : List.of("canary/Dockerfile", "lab/Dockerfile")) {
            assertThat(arguments(dockerfile, "USER")).as(dockerfile).isNotEmpty();
        }
        for (String dockerfile : dockerfiles()) {
            assertThat(arguments(dockerfile, "USER")).as(dockerfile).doesNotContain("root", "0");
        }
        forEachService(
                (name, service) -> {
                    assertThat(service).as(name).doesNotContainKeys("user", "privileged");
                    assertThat(list(service.get("cap_drop"))).as(name).containsExactly("ALL");
                    assertThat(service).as(name).doesNotContainKey("cap_add");
                    assertThat(list(service.get("security_opt")))
                            .as(name)
                            .contains("no-new-privileges:true");
                });
    }

    @Test
    void everyPublishedPortIsOnTheLoopbackInterface() {
        forEachService(
                (name, service) -> {
                    assertThat(service).as(name).doesNotContainKey("network_mode");
                    assertThat(list(service.get("ports")))
                            .as("ports of %s", name)
                            .allSatisfy(
                                    port -> assertThat(port).matches("127\\.0\\.0\\.1:\\d+:\\d+"));
                });
    }

    @Test
    void publishesThePortsOfTheLocalStack() {
        List<String> published = new ArrayList<>();
        forEachService(
                (name, service) ->
                        list(service.get("ports"))
                                .forEach(port -> published.add(port.split(":")[1])));
        assertThat(published)
                .containsExactlyInAnyOrder(
                        "19092", "19093", "19094", "7071", "7072", "7073", "9470", "9090", "9093",
                        "9095", "3000");
    }

    @Test
    void aBrokerTellsClientsOnTheHostThePortThatIsPublished() {
        for (int id = 1; id <= 3; id++) {
            Map<String, Object> broker = map(services.get("kafka-" + id));
            Map<String, Object> environment = map(broker.get("environment"));
            int port = 19091 + id;
            assertThat(environment)
                    .containsEntry("KAFKA_NODE_ID", String.valueOf(id))
                    .containsEntry(
                            "KAFKA_ADVERTISED_LISTENERS",
                            "INTERNAL://kafka-%d:9092,EXTERNAL://127.0.0.1:%d".formatted(id, port));
            assertThat((String) environment.get("KAFKA_LISTENERS")).contains("EXTERNAL://:" + port);
            assertThat(list(broker.get("ports"))).contains("127.0.0.1:%1$d:%1$d".formatted(port));
        }
    }

    @Test
    void everyServiceSaysWhetherItIsHealthy() {
        forEachService(
                (name, service) -> {
                    Map<String, Object> healthcheck = map(service.get("healthcheck"));
                    assertThat(list(healthcheck.get("test")))
                            .as("health check of %s", name)
                            .first()
                            .isEqualTo("CMD");
                    assertThat(healthcheck)
                            .as("health check of %s", name)
                            .containsKeys("interval", "timeout", "retries", "start_period")
                            .doesNotContainKey("disable");
                });
    }

    @Test
    void whatAServiceWaitsForIsAHealthyService() {
        forEachService(
                (name, service) -> {
                    Map<String, Object> dependencies = map(service.get("depends_on"));
                    assertThat(services.keySet()).as(name).containsAll(dependencies.keySet());
                    assertThat(dependencies.values())
                            .as(name)
                            .allSatisfy(
                                    dependency ->
                                            assertThat(map(dependency))
                                                    .containsEntry("condition", "service_healthy"));
                });
        assertThat(map(map(services.get("canary")).get("depends_on")))
                .containsOnlyKeys("kafka-1", "kafka-2", "kafka-3");
    }

    @Test
    void noContainerCanTakeTheHostsMemoryOrFillItsDiskWithLogs() {
        forEachService(
                (name, service) -> {
                    assertThat((String) service.get("mem_limit")).as(name).matches("\\d+m");
                    assertThat(map(map(service.get("logging")).get("options")))
                            .as(name)
                            .containsKeys("max-size", "max-file");
                });
    }

    @Test
    void holdsNoSecret() {
        assertThat(compose).doesNotContainKey("secrets");
        forEachService(
                (name, service) -> {
                    assertThat(service).as(name).doesNotContainKeys("secrets", "env_file");
                    assertThat(map(service.get("environment")).keySet())
                            .as(name)
                            .noneMatch(key -> SECRET.matcher(key).find());
                });
        // Nobody can log in, so there is no password to know.
        assertThat(map(map(services.get("grafana")).get("environment")))
                .containsEntry("GF_AUTH_ANONYMOUS_ORG_ROLE", "Viewer")
                .containsEntry("GF_AUTH_DISABLE_LOGIN_FORM", "true")
                .containsEntry("GF_AUTH_BASIC_ENABLED", "false");
    }

    @Test
    void everyMountIsADeclaredVolumeOrAReadOnlyFileOfThisRepository() {
        Collection<String> declared = map(compose.get("volumes")).keySet();
        forEachService(
                (name, service) ->
                        assertThat(list(service.get("volumes")))
                                .as("volumes of %s", name)
                                .allSatisfy(mount -> checkMount(mount, declared)));
    }

    private static void checkMount(String mount, Collection<String> declared) {
        String[] parts = mount.split(":");
        if (parts[0].startsWith("/")) {
            assertThat(mount).as("the host's own files").isEqualTo("/:/host:ro");
        } else if (parts[0].startsWith("./")) {
            assertThat(ROOT.resolve(parts[0])).exists();
            assertThat(parts).as(mount).hasSize(3).endsWith("ro");
        } else {
            assertThat(declared).contains(parts[0]);
        }
    }

    @Test
    void prometheusFindsItsTargetsByServiceName() throws IOException {
        Path targets = ROOT.resolve("prometheus/compose/targets");
        List<String> named = new ArrayList<>();
        try (Stream<Path> files = Files.list(targets)) {
            for (Path file : files.toList()) {
                for (Object group : (List<?>) yaml(file)) {
                    named.addAll(list(map(group).get("targets")));
                }
            }
        }
        assertThat(named)
                .containsExactlyInAnyOrder(
                        "kafka-1:7071",
                        "kafka-2:7071",
                        "kafka-3:7071",
                        "canary:9470",
                        "node-exporter:9100",
                        "prometheus:9090",
                        "alertmanager:9093");
    }

    @Test
    void runsTheVersionsThatTheLocalStackRuns() throws Exception {
        assertThat(arguments("exporter/Dockerfile", "FROM"))
                .contains("apache/kafka:" + ofPom("/project/properties/kafka.version"));

        // Prometheus 3.15.0 is the Go module's v0.315.0.
        String[] prometheus =
                required("prometheus/go.mod", "github.com/prometheus/prometheus").split("\\.");
        int majorAndMinor = Integer.parseInt(prometheus[1]);
        assertThat(map(services.get("prometheus")))
                .containsEntry(
                        "image",
                        "prom/prometheus:v%d.%d.%s"
                                .formatted(
                                        majorAndMinor / 100, majorAndMinor % 100, prometheus[2]));

        assertThat(map(services.get("alertmanager")))
                .containsEntry(
                        "image",
                        "prom/alertmanager:"
                                + required(
                                        "alerting/go.mod", "github.com/prometheus/alertmanager"));

        String own = ofPom("/project/version");
        assertThat(services.values())
                .extracting(service -> (String) map(service).get("image"))
                .filteredOn(image -> image.startsWith("phasewise/"))
                .isNotEmpty()
                .allSatisfy(image -> assertThat(image).endsWith(":" + own));
    }

    private interface ServiceCheck {
        void accept(String name, Map<String, Object> service);
    }

    private void forEachService(ServiceCheck check) {
        assertThat(services).isNotEmpty();
        services.forEach((name, service) -> check.accept(name, map(service)));
    }

    /** The Dockerfiles that services are built from. */
    private List<String> dockerfiles() {
        return services.values().stream()
                .map(service -> map(map(service).get("build")).get("dockerfile"))
                .filter(String.class::isInstance)
                .map(String.class::cast)
                .distinct()
                .toList();
    }

    /** The first argument of each instruction of this name. */
    private static List<String> arguments(String dockerfile, String instruction)
            throws IOException {
        return Files.readAllLines(ROOT.resolve(dockerfile)).stream()
                .map(line -> line.split("\\s+"))
                .filter(words -> words[0].equals(instruction))
                .map(words -> words[1])
                .toList();
    }

    private static String ofPom(String path) throws Exception {
        String value =
                XPathFactory.newInstance()
                        .newXPath()
                        .evaluate(
                                path,
                                DocumentBuilderFactory.newInstance()
                                        .newDocumentBuilder()
                                        .parse(ROOT.resolve("pom.xml").toFile()));
        assertThat(value).as(path).isNotBlank();
        return value;
    }

    /** The version of a module that a go.mod requires. */
    private static String required(String file, String module) throws IOException {
        return Files.readAllLines(ROOT.resolve(file)).stream()
                .map(line -> List.of(line.strip().split("\\s+")))
                .filter(words -> words.contains(module) && words.indexOf(module) < words.size() - 1)
                .map(words -> words.get(words.indexOf(module) + 1))
                .findFirst()
                .orElseThrow(() -> new AssertionError(file + " requires no " + module));
    }

    /** With anchors and merge keys resolved, as Compose does it. */
    private static Object yaml(Path file) {
        try {
            return new Yaml(new SafeConstructor(new LoaderOptions())).load(Files.readString(file));
        } catch (IOException unreadable) {
            throw new AssertionError(file + " cannot be read", unreadable);
        }
    }

    /** An absent map is an empty one. */
    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object value) {
        return value == null ? Map.of() : (Map<String, Object>) value;
    }

    /** An absent list is an empty one. */
    @SuppressWarnings("unchecked")
    private static List<String> list(Object value) {
        return value == null ? List.of() : (List<String>) value;
    }
}
