/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LibraryTest {

    @ParameterizedTest
    @CsvSource({
        "librdkafka, 2.8.0, LIBRDKAFKA",
        "confluent-kafka-go, 2.10.0, LIBRDKAFKA",
        "confluent-kafka-python, 2.16.1-rdkafka-2.16.0, LIBRDKAFKA",
        "some-binding, 0.3-librdkafka-2.10.1, LIBRDKAFKA",
        "kgo, v1.22.3, FRANZ_GO",
        "apache-kafka-java, 4.4.0, OTHER",
        "'', '', OTHER"
    })
    void isKnownByWhatTheClientSays(String name, String version, Library library) {
        assertThat(Library.of(new Push.Sender(1, "any", name, version))).isEqualTo(library);
    }
}
