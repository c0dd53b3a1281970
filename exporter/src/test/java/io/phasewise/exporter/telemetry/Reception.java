/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import static io.phasewise.lab.measure.Scrape.label;

import io.phasewise.exporter.TextFormat;
import io.phasewise.exporter.config.ConfigLoader;
import io.phasewise.lab.junit.ScrapedPage;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** Takes pushes as a broker hands them over and is scraped, without a broker. */
final class Reception {
    private static final Pattern ANY = Pattern.compile(".*");

    final ClientMemory memory;
    final PushQueue queue;
    private final PrometheusRegistry registry = new PrometheusRegistry();
    private long now = Duration.ofHours(1).toNanos();

    private final List<String> errors = new ArrayList<>();

    /** How often clients are told to push; zero where this is not known. */
    Duration interval = Duration.ZERO;

    /** What library clients say that they are. */
    String software = "apache-kafka-java";

    String version = "4.4.0";

    /** Takes what goes wrong; unless it is replaced, that fails the test. */
    Consumer<String> errorLog = errors::add;

    Reception(ClientSettings settings) {
        memory = new ClientMemory(settings.maxMemoryBytes, registry);
        ClientLedger ledger = new ClientLedger(settings, memory, () -> now, () -> 0);
        Consumer<String> log = error -> errorLog.accept(error);
        int most = settings.maxPushBytes;
        queue = new PushQueue(ledger, memory, most, registry, () -> now, log);
        registry.register(new ClientCollector(ledger));
    }

    /** As it is configured when nobody says otherwise. */
    static Reception byDefault() {
        return new Reception(ConfigLoader.defaults().clients());
    }

    /** With fewer series or less memory, or other labels. */
    static Reception of(int top, Pattern clientId, int memoryBytes, ClientLabel... labels) {
        Duration expiry = Duration.ofMinutes(10);
        List<ClientLabel> all = List.of(labels);
        return new Reception(new ClientSettings(all, clientId, ANY, top, expiry, 1 << 20, memoryBytes));
    }

    /** One push of a client of its own, which is read at once. */
    void push(String clientId, OtlpPush content) {
        push(clientId, clientId, content);
    }

    /** One push of one of the clients with that id, which is read at once. */
    void push(Object instance, String clientId, OtlpPush content) {
        offer(instance, clientId, false, content.bytes());
        read();
    }

    /** The last push of a client, which is read at once. */
    void pushLast(Object instance, String clientId, OtlpPush content) {
        offer(instance, clientId, true, content.bytes());
        read();
    }

    /** One push, which waits. */
    void offer(Object instance, String clientId, boolean last, byte[] bytes) {
        queue.offer(
                new Push.Sender(instance, clientId, software, version),
                interval.toNanos(),
                last,
                ByteBuffer.wrap(bytes));
    }

    /** Reads the pushes that wait. */
    void read() {
        queue.drain();
        if (!errors.isEmpty()) {
            throw new AssertionError("beyond malformed pushes: " + errors);
        }
    }

    void pass(Duration time) {
        now += time.toNanos();
    }

    String page() {
        return TextFormat.of(registry.scrape());
    }

    ScrapedPage scrape() {
        return ScrapedPage.of(page());
    }

    /** How many pushes had that result. */
    long counted(String result) {
        return own("kafka_exporter_client_pushes_total", label("result", result));
    }

    /** How often something was not kept for that reason. */
    long refused(String reason) {
        return own("kafka_exporter_client_refused_total", label("reason", reason));
    }

    private long own(String metric, String label) {
        return (long) scrape().value(metric, label);
    }

    /** A client's value of the one series of a metric. */
    double shown(String metric, String clientId) {
        return scrape().value(metric, label("client_id", clientId));
    }

    /** Whose series there are. */
    List<String> clients() {
        return scrape().named("kafka_client_instances").stream()
                .map(series -> series.labels().get("client_id"))
                .toList();
    }
}
