/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import io.phasewise.exporter.config.ConfigLoader;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What any client that may connect can push: whatever it is, nothing is thrown on the way from the
 * bytes to the scrape, no figure is absurd, no series is there twice, no counter goes back, and
 * what another client pushed stands.
 */
public final class ClientPushFuzz {
    private static final int MOST_BYTES = 1 << 20;
    private static final long INTERVAL = Duration.ofSeconds(30).toNanos();
    private static final String SENDS = "kafka_client_producer_record_sends_total";
    private static final byte[] HONEST =
            new OtlpPush().delta("producer.record.send.total", 7).bytes();

    private final AtomicLong now = new AtomicLong(Duration.ofHours(1).toNanos());
    private final List<String> errors = new ArrayList<>();
    private final PushCounts counts = new PushCounts();
    private final ClientLedger ledger =
            new ClientLedger(ConfigLoader.defaults().clients(), now::get, () -> 0);
    private final PushQueue queue =
            new PushQueue(ledger, new PushDecoder(), counts, MOST_BYTES, now::get, errors::add);
    private final PrometheusRegistry registry = new PrometheusRegistry();

    private ClientPushFuzz() {
        counts.register(registry);
        ledger.memory().register(registry);
        registry.register(new ClientCollector(ledger));
    }

    /** Called by Jazzer. */
    public static void fuzzerTestOneInput(byte[] data) throws IOException {
        new ClientPushFuzz().play(data);
    }

    private void play(byte[] data) throws IOException {
        push("honest", HONEST, false);
        push("fuzzed", data, false);
        Map<String, Double> before = scrape();
        push("fuzzed", data, false);
        push("fuzzed", data, true);
        Map<String, Double> after = scrape();

        require(errors.isEmpty(), "an error beyond a malformed push: " + errors);
        before.forEach(
                (series, value) -> {
                    if (isCounter(series)) {
                        Double now = after.get(series);
                        require(now != null && now >= value, series + " went back to " + now);
                    }
                });
        List<Double> honest =
                after.entrySet().stream()
                        .filter(each -> each.getKey().startsWith(SENDS))
                        .filter(each -> each.getKey().contains("\"honest\""))
                        .map(Map.Entry::getValue)
                        .toList();
        require(honest.equals(List.of(7.0)), "another client's sends are " + honest);
    }

    private void push(String client, byte[] data, boolean last) {
        queue.offer(
                new Push.Sender(client, client, "apache-kafka-java", "4.4.0"),
                INTERVAL,
                last,
                ByteBuffer.wrap(data));
        queue.drain();
        now.addAndGet(INTERVAL);
    }

    /** Series by name and labels. */
    private Map<String, Double> scrape() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrometheusTextFormatWriter.create().write(out, registry.scrape());
        Map<String, Double> series = new HashMap<>();
        for (String line : out.toString(StandardCharsets.UTF_8).split("\n")) {
            if (!line.startsWith("#")) {
                int space = line.lastIndexOf(' ');
                double value = Double.parseDouble(line.substring(space + 1));
                String name = line.substring(0, space);
                require(value >= 0 && value < Double.POSITIVE_INFINITY, name + " is " + value);
                require(series.put(name, value) == null, name + " is there twice");
            }
        }
        return series;
    }

    private static boolean isCounter(String series) {
        String name = series.split("\\{", 2)[0];
        return name.endsWith("_total") || name.endsWith("_sum") || name.endsWith("_count");
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
