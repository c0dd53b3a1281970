/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * What any client that may connect can push: whatever it is, nothing is thrown on the way from the
 * bytes to the scrape, no figure is absurd, no series is there twice, no counter goes back, and
 * what another client pushed stands.
 */
public final class ClientPushFuzz {
    private static final String HONEST_SENDS =
            "kafka_client_producer_record_sends_total{client_id=\"honest\",group=\"\","
                    + "software_name=\"apache-kafka-java\",software_version=\"4.4.0\"}";

    private static final Predicate<String> IS_COUNTER =
            Pattern.compile("(?s)\\w+_(total|sum|count)(\\{.*)?").asMatchPredicate();

    private final Reception reception = Reception.byDefault();

    private ClientPushFuzz() {
        reception.interval = Duration.ofSeconds(30);
    }

    /** Called by Jazzer. */
    public static void fuzzerTestOneInput(byte[] data) {
        new ClientPushFuzz().play(data);
    }

    private void play(byte[] data) {
        push("honest", new OtlpPush().delta("producer.record.send.total", 7).bytes(), false);
        push("fuzzed", data, false);
        Map<String, Double> before = series();
        push("fuzzed", data, false);
        push("fuzzed", data, true);
        Map<String, Double> after = series();

        before.keySet().removeIf(IS_COUNTER.negate());
        before.forEach((name, value) -> assertThat(after.get(name)).as(name).isGreaterThanOrEqualTo(value));
        assertThat(after).as("another client's").containsEntry(HONEST_SENDS, 7.0);
    }

    private void push(String client, byte[] data, boolean last) {
        reception.offer(client, client, last, data);
        reception.read();
        reception.pass(reception.interval);
    }

    /** Values by name and labels. */
    private Map<String, Double> series() {
        Map<String, Double> series = new HashMap<>();
        for (String line : reception.page().split("\n")) {
            if (!line.startsWith("#")) {
                String name = line.substring(0, line.lastIndexOf(' '));
                double value = Double.parseDouble(line.substring(name.length() + 1));
                assertThat(value).as(name).isBetween(0.0, Double.MAX_VALUE);
                assertThat(series.put(name, value)).as("%s before", name).isNull();
            }
        }
        return series;
    }
}
