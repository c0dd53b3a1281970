/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/**
 * What docker-compose.yml promises, read without Docker: pinned images, loopback ports, health
 * checks, no secrets, and the versions, ports and files of the local stack. That the containers run
 * is left to whoever has a Docker engine.
 */
class ComposeFileTest {
    /** A name and a version with at least two numbers; no registry, no digest, no moving tag. */
    private static final String PINNED = "[a-z0-9-]+(/[a-z0-9-]+)?:v?\\d+\\.\\d+\\.\\d+\\S*";

    private static final Pattern SECRET =
            Pattern.compile("(?i)passw|secret|token|credential|api_?key|private_?key");

    /** With anchors and merge keys resolved, as Compose does it. */
    private final JsonNode compose = Repository.yaml("docker-compose.yml");

    private final JsonNode services = compose.path("services");

    @Test
    void hasTheComponentsOfTheLocalStackAndTheHost() {
        assertThat(services.fieldNames())
                .toIterable()
                .containsExactlyInAnyOrder(
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
                        assertThat(service.path("image").asText()).as(name).matches(PINNED));
        for (String dockerfile : dockerfiles()) {
            assertThat(arguments(dockerfile, "FROM"))
                    .as(dockerfile)
                    .isNotEmpty()
                    // Of nothing there is no version.
                    .filteredOn(base -> !base.startsWith("scratch"))
                    .allMatch(base -> base.matches(PINNED));
        }
    }

    @Test
    void everyContainerRunsAsAnOrdinaryUser() {
        for (String dockerfile : List.of("canary/Dockerfile", "lab/Dockerfile")) {
            assertThat(arguments(dockerfile, "USER")).as(dockerfile).isNotEmpty();
        }
        for (String dockerfile : dockerfiles()) {
            assertThat(arguments(dockerfile, "USER")).as(dockerfile).doesNotContain("root", "0");
        }
        forEachService(
                (name, service) -> {
                    assertNone(name, service, "user", "privileged", "cap_add");
                    assertThat(texts(service.path("cap_drop"))).as(name).containsExactly("ALL");
                    assertThat(texts(service.path("security_opt")))
                            .as(name)
                            .contains("no-new-privileges:true");
                });
    }

    @Test
    void thePortsOfTheLocalStackArePublishedOnTheLoopbackInterfaceOnly() {
        List<String> published = new ArrayList<>();
        forEachService(
                (name, service) -> {
                    assertNone(name, service, "network_mode");
                    for (String port : texts(service.path("ports"))) {
                        assertThat(port).as(name).matches("127\\.0\\.0\\.1:\\d+:\\d+");
                        published.add(port.split(":")[1]);
                    }
                });
        assertThat(published)
                .containsExactlyInAnyOrder(
                        "19092", "19093", "19094", "7071", "7072", "7073", "9470", "9090", "9093",
                        "9095", "3000");
    }

    @Test
    void aBrokerTellsClientsOnTheHostThePortThatIsPublished() {
        for (int id = 1; id <= 3; id++) {
            JsonNode broker = services.path("kafka-" + id);
            JsonNode environment = broker.path("environment");
            int port = 19091 + id;
            assertThat(environment.path("KAFKA_NODE_ID").asInt()).isEqualTo(id);
            assertThat(environment.path("KAFKA_ADVERTISED_LISTENERS").asText())
                    .isEqualTo("INTERNAL://kafka-%d:9092,EXTERNAL://127.0.0.1:%d", id, port);
            assertThat(environment.path("KAFKA_LISTENERS").asText())
                    .contains("EXTERNAL://:" + port);
            assertThat(texts(broker.path("ports"))).contains("127.0.0.1:" + port + ":" + port);
        }
    }

    @Test
    void everyServiceSaysWhetherItIsHealthyAndWhatItWaitsForIsAHealthyService() {
        forEachService(
                (name, service) -> {
                    JsonNode check = service.path("healthcheck");
                    assertThat(check.at("/test/0").asText()).as(name).isEqualTo("CMD");
                    assertThat(check.fieldNames())
                            .toIterable()
                            .as(name)
                            .contains("interval", "timeout", "retries", "start_period")
                            .doesNotContain("disable");
                    service.path("depends_on")
                            .properties()
                            .forEach(
                                    on -> {
                                        assertThat(services.has(on.getKey())).as(name).isTrue();
                                        assertThat(on.getValue().path("condition").asText())
                                                .as(name)
                                                .isEqualTo("service_healthy");
                                    });
                });
        assertThat(services.at("/canary/depends_on").fieldNames())
                .toIterable()
                .containsExactlyInAnyOrder("kafka-1", "kafka-2", "kafka-3");
    }

    @Test
    void noContainerCanTakeTheHostsMemoryOrFillItsDiskWithLogs() {
        forEachService(
                (name, service) -> {
                    assertThat(service.path("mem_limit").asText()).as(name).matches("\\d+m");
                    assertThat(service.at("/logging/options").fieldNames())
                            .toIterable()
                            .as(name)
                            .contains("max-size", "max-file");
                });
    }

    @Test
    void holdsNoSecret() {
        assertNone("the file", compose, "secrets");
        forEachService(
                (name, service) -> {
                    assertNone(name, service, "secrets", "env_file");
                    assertThat(service.path("environment").fieldNames())
                            .toIterable()
                            .as(name)
                            .noneMatch(key -> SECRET.matcher(key).find());
                });
        // Nobody can log in, so there is no password to know.
        JsonNode grafana = services.at("/grafana/environment");
        assertThat(grafana.path("GF_AUTH_ANONYMOUS_ORG_ROLE").asText()).isEqualTo("Viewer");
        assertThat(grafana.path("GF_AUTH_DISABLE_LOGIN_FORM").asText()).isEqualTo("true");
        assertThat(grafana.path("GF_AUTH_BASIC_ENABLED").asText()).isEqualTo("false");
    }

    @Test
    void everyMountIsADeclaredVolumeOrAReadOnlyFileOfThisRepository() {
        forEachService(
                (name, service) -> {
                    for (String mount : texts(service.path("volumes"))) {
                        String[] parts = mount.split(":");
                        if (parts[0].startsWith("/")) {
                            assertThat(mount).as("the host's own files").isEqualTo("/:/host:ro");
                        } else if (parts[0].startsWith("./")) {
                            assertThat(Repository.path(parts[0])).exists();
                            assertThat(parts).as(mount).hasSize(3).endsWith("ro");
                        } else {
                            assertThat(compose.path("volumes").has(parts[0])).as(mount).isTrue();
                        }
                    }
                });
    }

    @Test
    void prometheusFindsItsTargetsByServiceName() {
        List<String> named = new ArrayList<>();
        for (Path file : Repository.files("prometheus/compose/targets", ".yml")) {
            for (JsonNode group : Repository.yaml(Repository.name(file))) {
                named.addAll(texts(group.path("targets")));
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
    void runsTheVersionsThatTheLocalStackRuns() {
        String pom = Repository.text("pom.xml");
        assertThat(arguments("exporter/Dockerfile", "FROM"))
                .contains(
                        "apache/kafka:"
                                + Repository.first("<kafka.version>(.+)</kafka.version>", pom));

        // Prometheus 3.15.0 is the Go module's v0.315.0.
        String[] version =
                required("prometheus/go.mod", "github.com/prometheus/prometheus").split("\\.");
        int minor = Integer.parseInt(version[1]);
        assertThat(services.at("/prometheus/image").asText())
                .isEqualTo("prom/prometheus:v%d.%d.%s", minor / 100, minor % 100, version[2]);
        assertThat(services.at("/alertmanager/image").asText())
                .isEqualTo(
                        "prom/alertmanager:%s",
                        required("alerting/go.mod", "github.com/prometheus/alertmanager"));

        String own = Repository.first("<artifactId>phasewise</artifactId>\\s*<version>(.+)<", pom);
        assertThat(services.findValuesAsText("image"))
                .filteredOn(image -> image.startsWith("phasewise/"))
                .isNotEmpty()
                .allMatch(image -> image.endsWith(":" + own));
    }

    private void forEachService(BiConsumer<String, JsonNode> check) {
        assertThat(services.isEmpty()).isFalse();
        services.properties().forEach(each -> check.accept(each.getKey(), each.getValue()));
    }

    private static void assertNone(String of, JsonNode node, String... keys) {
        assertThat(node.fieldNames()).toIterable().as(of).doesNotContain(keys);
    }

    private static List<String> texts(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false).map(JsonNode::asText).toList();
    }

    /** The Dockerfiles that services are built from. */
    private List<String> dockerfiles() {
        return services.findValuesAsText("dockerfile").stream().distinct().toList();
    }

    /** The first argument of each instruction of this name. */
    private static List<String> arguments(String dockerfile, String instruction) {
        return Stream.of(Repository.text(dockerfile).split("\n"))
                .map(line -> line.split("\\s+"))
                .filter(words -> words[0].equals(instruction))
                .map(words -> words[1])
                .toList();
    }

    /** The version of a module that a go.mod requires. */
    private static String required(String file, String module) {
        return Repository.first(Pattern.quote(module) + " (\\S+)", Repository.text(file));
    }
}
