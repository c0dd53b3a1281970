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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Strimzi's own classes understand every field of the example in deploy/. That it renders, and what
 * is not Strimzi's in it, is checked in deploy/ itself.
 */
class StrimziExampleTest {
    private static final String EXAMPLE = "deploy/examples/strimzi/";
    private static final String CLUSTER = "../strimzi-new-cluster/kafka.yaml";
    private static final String PATCH = "kafka-patch.yaml";

    /** By name: compiled against, they would drag in the annotations that they were made with. */
    private static final Map<String, String> KINDS = Map.of(
            "Kafka", "io.strimzi.api.kafka.model.kafka.Kafka",
            "KafkaNodePool", "io.strimzi.api.kafka.model.nodepool.KafkaNodePool",
            "KafkaUser", "io.strimzi.api.kafka.model.user.KafkaUser");

    private final ObjectMapper json = new ObjectMapper();

    @Test
    void strimziKnowsEveryField() {
        List<JsonNode> resources = new ArrayList<>();
        for (String file : List.of(CLUSTER, "canary-user.yaml", PATCH)) {
            resources.addAll(Repository.documents(Repository.text(EXAMPLE + file)));
        }

        assertThat(resources).hasSize(5).allSatisfy(this::check);
    }

    @Test
    void aMisspeltFieldIsFound() {
        String misspelt = Repository.text(EXAMPLE + CLUSTER).replace("kafkaContainer", "kafkaContaner");

        assertThatThrownBy(() -> Repository.documents(misspelt).forEach(this::check))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("kafkaContaner");
    }

    @Test
    void theBrokersCarryTheExporterOnThePortOfItsService() {
        JsonNode kafka = only(CLUSTER, "Kafka");
        JsonNode service = only("exporter.yaml", "Service");

        JsonNode variable = kafka.at("/spec/kafka/template/kafkaContainer/env/0");
        assertThat(variable.path("name").asText()).isEqualTo("KAFKA_OPTS");
        assertThat(variable.path("value").asText()).isEqualTo(agent("/opt/phasewise"));
        assertThat(service.at("/spec/selector/strimzi.io~1cluster").asText())
                .isEqualTo(kafka.at("/metadata/name").asText());
    }

    @Test
    void thePatchMountsTheAgentWhereItsOptionSays() {
        JsonNode template = only(PATCH, "Kafka").at("/spec/kafka/template");
        JsonNode mount = template.at("/kafkaContainer/volumeMounts/0");

        assertThat(template.at("/pod/volumes/0/name")).isEqualTo(mount.path("name"));
        assertThat(mount.path("mountPath").asText()).startsWith("/mnt/");
        assertThat(template.at("/kafkaContainer/env/0/value").asText())
                .isEqualTo(agent(mount.path("mountPath").asText()));
    }

    private static String agent(String directory) {
        return "-javaagent:%s/phasewise-exporter.jar=%d"
                .formatted(
                        directory,
                        only("exporter.yaml", "Service")
                                .at("/spec/ports/0/targetPort")
                                .asInt());
    }

    /** What the classes do not know, they keep under no type. */
    private void check(JsonNode resource) {
        assertThat(resource.path("apiVersion").asText()).isEqualTo("kafka.strimzi.io/v1");
        String kind = resource.path("kind").asText();
        try {
            unknown(json.treeToValue(resource, Class.forName(KINDS.get(kind))), "");
        } catch (IOException | ReflectiveOperationException refused) {
            throw new AssertionError(kind + " is refused", refused);
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

    private static JsonNode only(String file, String kind) {
        return Repository.documents(Repository.text(EXAMPLE + file)).stream()
                .filter(resource -> resource.path("kind").asText().equals(kind))
                .findFirst()
                .orElseThrow();
    }
}
