/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.BootstrapResolutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What Kafka's own client throws is understood: a new version that words it differently is noticed here. */
class BootstrapFaultTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    kafka.invalid:9092               | true  | kafka.invalid:9092: the host is not known here (DNS, /etc/hosts)
                    a.invalid:9092,b.invalid:9092    | true  | a.invalid:9092,b.invalid:9092: no host is known here (DNS, /etc/hosts)
                    127.0.0.1                        | false | 127.0.0.1: allowed is HOST:PORT,HOST:PORT,...
                    127.0.0.1:port                   | false | 127.0.0.1:port: allowed is HOST:PORT,HOST:PORT,...
                    127.0.0.1:99999                  | false | 127.0.0.1:99999: allowed is HOST:PORT,HOST:PORT,...
                    """)
    void namesTheAddress(String servers, boolean isUnknownHost, String text) {
        BootstrapFault fault = BootstrapFault.of(refusal(Map.of("bootstrap.servers", servers)), servers)
                .orElseThrow();

        assertThat(fault.isUnknownHost()).isEqualTo(isUnknownHost);
        assertThat(fault.text()).isEqualTo(text);
    }

    /** A newer client looks hosts up only when it connects. */
    @Test
    void namesTheHostThatARunningClientDoesNotFind() {
        KafkaException late = new KafkaException(new BootstrapResolutionException("not within 2 minutes"));

        BootstrapFault fault = BootstrapFault.of(late, "kafka.invalid:9092").orElseThrow();

        assertThat(fault.isUnknownHost()).isTrue();
        assertThat(fault.text()).startsWith("kafka.invalid:9092: the host is not known here");
    }

    @Test
    void whatElseKafkaHoldsAgainstTheAddressesIsSaid() {
        ConfigException twice = new ConfigException("bootstrap.servers must not contain duplicate values");

        assertThat(BootstrapFault.of(new KafkaException(twice), "a:1,a:1").map(BootstrapFault::text))
                .hasValue("a:1,a:1: allowed is HOST:PORT,HOST:PORT,... (" + twice.getMessage() + ")");
    }

    @Test
    void saysNothingOfOtherFaults() {
        KafkaException refusal = refusal(Map.of(
                "bootstrap.servers",
                "127.0.0.1:1",
                "security.protocol",
                "SSL",
                "ssl.truststore.type",
                "PEM",
                "ssl.truststore.location",
                "/no/such.pem"));

        assertThat(BootstrapFault.of(refusal, "127.0.0.1:1")).isEmpty();
    }

    private static KafkaException refusal(Map<String, Object> properties) {
        return catchThrowableOfType(
                KafkaException.class,
                () -> Admin.create(new HashMap<>(properties)).close());
    }
}
