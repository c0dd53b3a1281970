/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * Strimzi's own classes understand every field of the example in deploy/. That it renders, and what
 * is not Strimzi's in it, is checked in deploy/ itself.
 */
class StrimziExampleTest {
    private static final Path EXAMPLE =
            Path.of(System.getProperty("phasewise.root"), "deploy/examples/strimzi");

    private static final String CLUSTER = "../strimzi-new-cluster/kafka.yaml";
    private static final String PATCH = "kafka-patch.yaml";

    /** By name: compiled against, they would drag in the annotations that they were made with. */
    private static final Map<String, String> KINDS =
            Map.of(
                    "Kafka", "io.strimzi.api.kafka.model.kafka.Kafka",
                    "KafkaNodePool", "io.strimzi.api.kafka.model.nodepool.KafkaNodePool",
                    "KafkaUser", "io.strimzi.api.kafka.model.user.KafkaUser");

    private final ObjectMapper json = new ObjectMapper();

    @Test
    void strimziKnowsEveryField() throws IOException {
        List<JsonNode> resources = new ArrayList<>(resources(CLUSTER));
        resources.addAll(resources("canary-user.yaml"));
        resources.addAll(resources(PATCH));

        assertThat(resources).hasSize(5).allSatisfy(this::check);
    }

    @Test
    void aMisspeltFieldIsFound() throws IOException {
        String misspelt =
                Files.readString(EXAMPLE.resolve(CLUSTER))
                        .replace("kafkaContainer", "kafkaContaner");

        assertThatThrownBy(() -> parse(misspelt).forEach(this::check))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("kafkaContaner");
    }

    @Test
    void theBrokersCarryTheExporterOnThePortOfItsService() throws IOException {
        JsonNode kafka = only(resources(CLUSTER), "Kafka");
        JsonNode service = only(resources("exporter.yaml"), "Service");

        JsonNode variable = kafka.at("/spec/kafka/template/kafkaContainer/env/0");
        assertThat(variable.path("name").asText()).isEqualTo("KAFKA_OPTS");
        assertThat(variable.path("value").asText())
                .isEqualTo(
                        "-javaagent:/opt/phasewise/phasewise-exporter.jar="
                                + service.at("/spec/ports/0/targetPort").asInt());
        assertThat(service.at("/spec/selector/strimzi.io~1cluster").asText())
                .isEqualTo(kafka.at("/metadata/name").asText());
    }

    @Test
    void thePatchMountsTheAgentWhereItsOptionSays() throws IOException {
        JsonNode template = only(resources(PATCH), "Kafka").at("/spec/kafka/template");
        JsonNode mount = template.at("/kafkaContainer/volumeMounts/0");

        assertThat(template.at("/pod/volumes/0/name")).isEqualTo(mount.path("name"));
        assertThat(mount.path("mountPath").asText()).startsWith("/mnt/");
        assertThat(template.at("/kafkaContainer/env/0/value").asText())
                .isEqualTo(
                        "-javaagent:"
                                + mount.path("mountPath").asText()
                                + "/phasewise-exporter.jar="
                                + only(resources("exporter.yaml"), "Service")
                                        .at("/spec/ports/0/targetPort")
                                        .asInt());
    }

    /** What the classes do not know, they keep under no type. */
    private void check(JsonNode resource) {
        assertThat(resource.path("apiVersion").asText()).isEqualTo("kafka.strimzi.io/v1");
        try {
            unknown(
                    json.treeToValue(
                            resource, Class.forName(KINDS.get(resource.path("kind").asText()))),
                    "");
        } catch (IOException | ReflectiveOperationException refused) {
            throw new AssertionError(resource.path("kind") + " is refused", refused);
        }
    }

    /** Walks through what was read, as far as it is made of Strimzi's classes. */
    private static void unknown(Object value, String path) throws ReflectiveOperationException {
        if (value instanceof List<?> list) {
            for (Object element : list) {
                unknown(element, path + "[]");
            }
        } else if (value != null && value.getClass().getName().startsWith("io.strimzi.")) {
            for (Method getter : value.getClass().getMethods()) {
                if (!getter.getName().startsWith("get") || getter.getParameterCount() > 0) {
                    continue;
                }
                Object part = getter.invoke(value);
                if (getter.getName().equals("getAdditionalProperties")) {
                    assertThat((Map<?, ?>) part).as("unknown at %s", path).isEmpty();
                }
                unknown(part, path + "." + getter.getName().substring(3));
            }
        }
    }

    private List<JsonNode> resources(String file) throws IOException {
        return parse(Files.readString(EXAMPLE.resolve(file)));
    }

    private List<JsonNode> parse(String yaml) {
        List<JsonNode> all = new ArrayList<>();
        new Yaml(new SafeConstructor(new LoaderOptions()))
                .loadAll(yaml)
                .forEach(document -> all.add(json.valueToTree(document)));
        return all;
    }

    private static JsonNode only(List<JsonNode> resources, String kind) {
        return resources.stream()
                .filter(resource -> resource.path("kind").asText().equals(kind))
                .findFirst()
                .orElseThrow();
    }
}
