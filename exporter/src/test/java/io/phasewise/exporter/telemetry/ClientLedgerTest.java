/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ClientLedgerTest {

    private static final String SENDS = "producer.record.send.total";
    private static final String REQUESTS = "producer.request.total";
    private static final String LATENCY = "producer.request.latency.avg";
    private static final String LATENCY_MAX = "producer.request.latency.max";
    private static final Signal PRODUCER_SENDS =
            Signals.named("kafka_client_producer_record_sends_total");
    private static final Signal LATENCY_SIGNAL =
            Signals.named("kafka_client_producer_request_latency_seconds");
    private static final Signal LATENCY_MAX_SIGNAL =
            Signals.named("kafka_client_producer_request_latency_max_seconds");
    private static final Pattern ANY = Pattern.compile(".*");

    private final PushDecoder decoder = new PushDecoder();
    private long now = Duration.ofHours(1).toNanos();
    private ClientLedger ledger = ledger(50, ANY);

    private ClientLedger ledger(int top, Pattern clientId) {
        return new ClientLedger(
                new ClientSettings(
                        List.of(ClientLabel.CLIENT_ID),
                        clientId,
                        ANY,
                        top,
                        Duration.ofMinutes(10),
                        1 << 20,
                        64 << 20),
                () -> now,
                () -> 0);
    }

    @Test
    void whatClientsCountIsAddedUpUnderTheirLabel() {
        push("a1", "orders", new OtlpPush().delta(SENDS, 3));
        push("a2", "orders", new OtlpPush().delta(SENDS, 4));
        push("b1", "billing", new OtlpPush().delta(SENDS, 1));

        assertThat(total("orders", PRODUCER_SENDS)).isEqualTo(7);
        assertThat(total("billing", PRODUCER_SENDS)).isEqualTo(1);
    }

    @Test
    void aPushThatComesTwiceCountsOnce() {
        push("a1", "orders", new OtlpPush().at(10, 20).delta(SENDS, 3));
        push("a1", "orders", new OtlpPush().at(10, 20).delta(SENDS, 3));
        push("a1", "orders", new OtlpPush().at(20, 30).delta(SENDS, 3));

        assertThat(total("orders", PRODUCER_SENDS)).isEqualTo(6);
    }

    @Test
    void aRestartedClientGoesOnWhereItWas() {
        push("first-life", "orders", new OtlpPush().delta(SENDS, 30));
        pass(Duration.ofMinutes(2));
        push("second-life", "orders", new OtlpPush().delta(SENDS, 2));

        assertThat(total("orders", PRODUCER_SENDS)).isEqualTo(32);
    }

    @Test
    void ofACumulativeCounterOnlyTheGrowthIsCounted() {
        push("a1", "orders", new OtlpPush().at(1, 100).cumulative(SENDS, 1_000));
        assertThat(total("orders", PRODUCER_SENDS))
                .as("another broker may have counted these")
                .isZero();

        pass(Duration.ofSeconds(30));
        push("a1", "orders", new OtlpPush().at(1, 200).cumulative(SENDS, 1_040));
        assertThat(total("orders", PRODUCER_SENDS)).isEqualTo(40);
    }

    @Test
    void aCumulativeCounterThatBeginsAnewIsCountedFromZero() {
        push("a1", "orders", new OtlpPush().at(1, 100).cumulative(SENDS, 1_000));
        pass(Duration.ofSeconds(30));
        push("a1", "orders", new OtlpPush().at(150, 200).cumulative(SENDS, 5));
        pass(Duration.ofSeconds(30));
        push("a1", "orders", new OtlpPush().at(150, 300).cumulative(SENDS, 4));

        assertThat(total("orders", PRODUCER_SENDS)).isEqualTo(5 + 4);
    }

    @Test
    void whatACumulativeCounterGrewAtAnotherBrokerIsNotCountedHere() {
        pushEvery(Duration.ofSeconds(30), "a1", new OtlpPush().at(1, 1).cumulative(SENDS, 10));
        pass(Duration.ofSeconds(30));
        pushEvery(Duration.ofSeconds(30), "a1", new OtlpPush().at(1, 2).cumulative(SENDS, 20));
        pass(Duration.ofSeconds(60));
        pushEvery(Duration.ofSeconds(30), "a1", new OtlpPush().at(1, 3).cumulative(SENDS, 500));
        pass(Duration.ofSeconds(30));
        pushEvery(Duration.ofSeconds(30), "a1", new OtlpPush().at(1, 4).cumulative(SENDS, 503));

        assertThat(total("orders", PRODUCER_SENDS)).isEqualTo(10 + 3);
    }

    @Test
    void aMeanIsWeightedByWhatItIsTheMeanOf() {
        push("a1", "orders", new OtlpPush().gauge(LATENCY, 10).delta(REQUESTS, 90));
        push("a2", "orders", new OtlpPush().gauge(LATENCY, 110).delta(REQUESTS, 10));

        assertThat(total("orders", LATENCY_SIGNAL)).isEqualTo(2.0);
        assertThat(count("orders", LATENCY_SIGNAL)).isEqualTo(100);
    }

    @Test
    void aMeanOfAnUnknownNumberCountsOnce() {
        push(
                "a1",
                "orders",
                new OtlpPush().gauge("producer.node.request.latency.avg", 8, "node_id", "1"));

        assertThat(total("orders", LATENCY_SIGNAL)).isEqualTo(0.008);
        assertThat(count("orders", LATENCY_SIGNAL)).isEqualTo(1);
    }

    @Test
    void theHighestIsThatOfTheClientsThatLive() {
        push("a1", "orders", new OtlpPush().gauge(LATENCY_MAX, 500));
        push("a2", "orders", new OtlpPush().gauge(LATENCY_MAX, 20));
        assertThat(highest("orders", LATENCY_MAX_SIGNAL)).isEqualTo(0.5);

        last("a1", "orders", new OtlpPush().delta(SENDS, 9).gauge(LATENCY_MAX, 500));

        assertThat(highest("orders", LATENCY_MAX_SIGNAL)).isEqualTo(0.02);
        assertThat(total("orders", PRODUCER_SENDS)).isEqualTo(9);
    }

    @Test
    void aClientThatMissesThreePushesIsGone() {
        pushEvery(Duration.ofSeconds(30), "a1", new OtlpPush().gauge(LATENCY_MAX, 500));
        pass(Duration.ofSeconds(89));
        assertThat(living("orders")).isEqualTo(1);

        pass(Duration.ofSeconds(2));

        assertThat(living("orders")).isZero();
        assertThat(seriesOf("orders")).as("its counters stay for a while").isTrue();
    }

    @Test
    void seriesWithoutClientsExpire() {
        push("a1", "orders", new OtlpPush().delta(SENDS, 1));
        pass(Duration.ofMinutes(10).plusSeconds(2));

        assertThat(seriesOf("orders")).isFalse();
    }

    @Test
    void beyondTheTopAllAreOneSeries() {
        ledger = ledger(2, ANY);
        for (String id : List.of("a", "b", "c", "d", "other")) {
            push(id, id, new OtlpPush().delta(SENDS, 10));
        }

        assertThat(all().keySet()).containsExactlyInAnyOrder("a", "b", "other");
        assertThat(total("other", PRODUCER_SENDS)).isEqualTo(30);
    }

    @Test
    void aMuchBusierClientTakesTheSeriesOfAnotherAndNothingIsCountedTwice() {
        ledger = ledger(1, ANY);
        push("a", "quiet", new OtlpPush().delta(SENDS, 10).delta(REQUESTS, 1));
        push("b", "busy", new OtlpPush().delta(SENDS, 1_000).delta(REQUESTS, 500));
        assertThat(all().keySet()).containsExactlyInAnyOrder("quiet", "other");

        pass(Duration.ofSeconds(61));
        push("b", "busy", new OtlpPush().at(5, 6).delta(SENDS, 7).delta(REQUESTS, 1));

        assertThat(all().keySet()).containsExactlyInAnyOrder("busy", "other");
        assertThat(total("busy", PRODUCER_SENDS)).isEqualTo(7);
        assertThat(total("other", PRODUCER_SENDS)).isEqualTo(1_000);
    }

    @Test
    void noMoreClientsAreRememberedThanABrokerRemembers() {
        for (int i = 0; i < ClientLedger.MOST_INSTANCES + 10; i++) {
            push("instance-" + i, "orders", new OtlpPush().gauge(LATENCY_MAX, 1));
        }

        assertThat(living("orders")).isEqualTo(ClientLedger.MOST_INSTANCES);
    }

    @Test
    void thePatternPicksWhatOfAnIdIsTheLabel() {
        ledger = ledger(50, Pattern.compile("(\\w+)-\\d+"));
        push("a1", "orders-1", new OtlpPush().delta(SENDS, 1));
        push("a2", "orders-2", new OtlpPush().delta(SENDS, 1));
        push("a3", "?", new OtlpPush().delta(SENDS, 5));

        assertThat(total("orders", PRODUCER_SENDS)).isEqualTo(2);
        assertThat(total("other", PRODUCER_SENDS)).isEqualTo(5);
    }

    @Test
    void namesThatAreCutWithinACharacterDoNotBecomeOne() {
        String long119 = "x".repeat(119);
        push("a1", long119 + "\uD83D\uDE00", new OtlpPush().delta(SENDS, 1));
        push("a2", long119 + "\uD83E\uDD80", new OtlpPush().delta(SENDS, 2));

        assertThat(total(long119, PRODUCER_SENDS)).isEqualTo(3);
    }

    private void push(String instance, String clientId, OtlpPush content) {
        add(instance, clientId, 0, false, content);
    }

    private void last(String instance, String clientId, OtlpPush content) {
        add(instance, clientId, 0, true, content);
    }

    private void pushEvery(Duration interval, String instance, OtlpPush content) {
        add(instance, "orders", interval.toNanos(), false, content);
    }

    private void add(
            String instance, String clientId, long interval, boolean last, OtlpPush content) {
        byte[] bytes = content.bytes();
        try {
            ledger.add(
                    new Push(
                            new Push.Sender(instance, clientId, "test", "1"),
                            interval,
                            last,
                            now,
                            bytes),
                    decoder.decode(bytes));
        } catch (MalformedPushException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private void pass(Duration time) {
        now += time.toNanos();
    }

    private record Seen(ClientSeries series, List<ClientInstance> living) {}

    private Map<String, Seen> all() {
        Map<String, Seen> seen = new HashMap<>();
        ledger.read(
                all -> {
                    all.forEach(
                            (series, living) -> {
                                String client = series.labels.get("client_id");
                                assertThat(seen)
                                        .as("no two series with the same labels")
                                        .doesNotContainKey(client);
                                seen.put(client, new Seen(series, List.copyOf(living)));
                            });
                    return null;
                });
        return seen;
    }

    private double total(String client, Signal signal) {
        return all().get(client).series().sum(signal);
    }

    private double count(String client, Signal signal) {
        return all().get(client).series().count(signal);
    }

    private boolean seriesOf(String client) {
        return all().containsKey(client);
    }

    private int living(String client) {
        return all().get(client).living().size();
    }

    private double highest(String client, Signal signal) {
        return all().get(client).living().stream()
                .mapToDouble(instance -> instance.gauge(signal))
                .max()
                .orElseThrow();
    }
}
