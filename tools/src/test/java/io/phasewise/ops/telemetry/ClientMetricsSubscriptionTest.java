/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.ops.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phasewise.common.cli.UsageException;
import io.phasewise.common.telemetry.PushedMetrics;
import io.phasewise.ops.telemetry.ClientMetricsSubscription.Change;
import io.phasewise.ops.telemetry.ClientMetricsSubscription.Subscription;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientMetricsSubscriptionTest {

    private static List<Change> enabling(List<Subscription> all) {
        return ClientMetricsSubscription.enabling(all, "phasewise", Duration.ofSeconds(30), List.of());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "phasewise            | org.apache.kafka.producer. | client_id=a",
                "phasewise            | *                          | client_id=a",
                "phasewise-librdkafka | *                          | client_software_name=librdkafka",
                "phasewise-franz-go   | org.apache.kafka.          | client_software_name=kgo",
            })
    void oneOfSomebodyElseIsNeitherReplacedNorRemoved(String name, String metrics, String match) {
        List<Subscription> all = List.of(new Subscription(name, Map.of("metrics", metrics, "match", match)));

        assertThatThrownBy(() -> enabling(all))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("Phasewise did not make it")
                .hasMessageContaining("--delete --name " + name);
        assertThatThrownBy(() -> ClientMetricsSubscription.disabling(all, "phasewise"))
                .isInstanceOf(UsageException.class);
        assertThat(ClientMetricsSubscription.disabling(all, "another")).isEmpty();
    }

    @Test
    void oursOfNowAndOfEarlierCommitsAreReplacedAndRemoved() {
        Subscription old = new Subscription(
                "phasewise", Map.of("metrics", String.join(",", PushedMetrics.names("")), "match", ""));
        assertThat(enabling(List.of(old)))
                .hasSize(4)
                .first()
                .satisfies(change -> assertThat(change.before()).isEqualTo(old.settings()));
        assertThat(ClientMetricsSubscription.disabling(List.of(old), "phasewise"))
                .hasSize(1);

        List<Subscription> before = ClientKind.TRIED.stream()
                .map(kind -> {
                    Map<String, String> settings = new HashMap<>(kind.settings(1_000, List.of("client_id=a")));
                    settings.computeIfPresent(
                            "match", (key, match) -> match.replace(kind.version(), kind.versionBefore()));
                    return new Subscription("phasewise" + kind.suffix(), settings);
                })
                .toList();
        assertThat(enabling(before)).hasSize(4).allMatch(change -> change.before() != null);
        assertThat(ClientMetricsSubscription.disabling(before, "phasewise")).hasSize(4);
    }
}
