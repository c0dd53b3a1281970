/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.ops.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientKindTest {

    /** Kafka's brokers ask whether the whole text matches. */
    private static List<String> asked(String software, String version) {
        return ClientKind.TRIED.stream()
                .filter(kind -> kind.software() == null || Pattern.matches(kind.software(), software))
                .filter(kind -> Pattern.matches(kind.version(), version))
                .map(ClientKind::suffix)
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "nobody",
            value = {
                "apache-kafka-java, 3.6.1, nobody",
                "apache-kafka-java, 3.7.2, ''",
                "apache-kafka-java, 3.9.1, ''",
                "apache-kafka-java, 4.4.0, ''",
                "apache-kafka-java, 3.8.1, nobody",
                "apache-kafka-java, 4.0.0, nobody",
                "apache-kafka-java, 4.1.2, nobody",
                "apache-kafka-java, 4.4.0.redhat-00001, nobody",
                "apache-kafka-java, 4.4.0-ccs, nobody",
                "apache-kafka-java, 4.5.0, nobody",
                "apache-kafka-java, 7.7.1-ccs, nobody",
                "librdkafka, 2.5.0, nobody",
                "librdkafka, 2.5.2, nobody",
                "librdkafka, 2.5.3, -librdkafka",
                "librdkafka, 2.5.4, nobody",
                "librdkafka, 2.6.0, nobody",
                "librdkafka, 2.6.1, -librdkafka",
                "librdkafka, 2.9.0, nobody",
                "librdkafka, 2.10.0, -librdkafka",
                "librdkafka, 2.10.1, -librdkafka",
                "librdkafka, 2.10.2, nobody",
                "librdkafka, 2.16.1, nobody",
                "librdkafka, 2.16.0-5-gabcdef-dirty, -librdkafka",
                "librdkafka, 2.16.0, -librdkafka",
                "librdkafka, 2.17.0, nobody",
                "librdkafka, 3.0.0, nobody",
                "librdkafka, 12.5.3, nobody",
                "confluent-kafka-go, 2.8.0, -librdkafka",
                "confluent-kafka-python, 2.5.0-rdkafka-2.5.0, nobody",
                "confluent-kafka-python, 2.8.2-rdkafka-2.8.0, -librdkafka-bindings",
                "confluent-kafka-python, 2.9.0-rdkafka-2.9.0, nobody",
                "confluent-kafka-python, 2.16.1-rdkafka-2.16.0, -librdkafka-bindings",
                "something, 2.8.0, nobody",
                "kgo, v1.22.3, -franz-go",
                "kgo, v1.23.0, nobody",
                "kgo, unknown, nobody"
            })
    void onlyVersionsThatWereTriedAreAsked(String software, String version, String suffix) {
        assertThat(asked(software, version)).isEqualTo(suffix == null ? List.of() : List.of(suffix));
    }

    @Test
    void kafkaTakesEachCondition() {
        assertThat(ClientKind.TRIED)
                .allSatisfy(kind -> assertThat(kind.settings(1_000, List.of()).get("match"))
                        .matches("(client_software_name=[^=,]+,)?client_software_version=[^=,]+"));
    }

    @Test
    void javaIsAskedByNameAndNotForWhatOtherLibrariesMeanByIt() {
        List<String> metrics = ClientKind.TRIED.get(0).metrics();

        assertThat(metrics)
                .contains(
                        "org.apache.kafka.producer.request.total",
                        "org.apache.kafka.consumer.share.fetch.manager.fetch.total")
                .doesNotContain("org.apache.kafka.consumer.node.request.latency.avg", ClientKind.ALL);
    }
}
