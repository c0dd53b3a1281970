/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientLedgerTest {

    private static final String SENDS = "producer.record.send.total";
    private static final String REQUESTS = "producer.request.total";
    private static final String LATENCY = "producer.request.latency.avg";
    private static final String LATENCY_MAX = "producer.request.latency.max";

    private static final String SHOWN_SENDS = "kafka_client_producer_record_sends_total";
    private static final String SHOWN_LATENCY = "kafka_client_producer_request_latency_seconds";
    private static final String SHOWN_MEAN = "kafka_client_producer_request_latency_mean_seconds";
    private static final String SHOWN_UNCOUNTED = "kafka_client_producer_uncounted_pushes_total";
    private static final String SHOWN_MAX = "kafka_client_producer_request_latency_max_seconds";
    private static final String LIVING = "kafka_client_instances";

    private Reception reception = reception(50, ".*");

    private static Reception reception(int top, String clientId) {
        return Reception.of(top, Pattern.compile(clientId), 64 << 20, ClientLabel.CLIENT_ID);
    }

    private void push(String instance, OtlpPush content) {
        reception.push(instance, "orders", content);
    }

    private double sends(String client) {
        return reception.shown(SHOWN_SENDS, client);
    }

    @Test
    void whatClientsCountIsAddedUpUnderTheirLabel() {
        reception.push("a1", "orders", new OtlpPush().delta(SENDS, 3));
        reception.push("a2", "orders", new OtlpPush().delta(SENDS, 4));
        reception.push("b1", "billing", new OtlpPush().delta(SENDS, 1));

        assertThat(sends("orders")).isEqualTo(7);
        assertThat(sends("billing")).isEqualTo(1);
    }

    @Test
    void aPushThatComesTwiceCountsOnce() {
        push("a1", new OtlpPush().at(10, 20).delta(SENDS, 3));
        push("a1", new OtlpPush().at(10, 20).delta(SENDS, 3));
        push("a1", new OtlpPush().at(20, 30).delta(SENDS, 3));

        assertThat(sends("orders")).isEqualTo(6);
    }

    @Test
    void aRestartedClientGoesOnWhereItWas() {
        push("first-life", new OtlpPush().delta(SENDS, 30));
        reception.pass(Duration.ofMinutes(2));
        push("second-life", new OtlpPush().delta(SENDS, 2));

        assertThat(sends("orders")).isEqualTo(32);
    }

    /**
     * What came before the first push, or while one was missed, another broker may have counted.
     */
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                // interval as told; seconds after the push before: since = value
                "only the growth                |  0 | 0: 1=1000, 30: 1=1040                   | 40",
                "from 0 what begins anew        |  0 | 0: 1=1000, 30: 150=5, 30: 150=4         |  9",
                "not what grew in a missed push | 30 | 0: 1=10, 30: 1=20, 60: 1=500, 30: 1=503 | 13"
            })
    void whatOfACumulativeCounterIsCounted(String what, int told, String pushes, double counted) {
        reception.interval = Duration.ofSeconds(told);
        long time = 1_000;
        for (String each : pushes.split(", ")) {
            String[] parts = each.split(": |=");
            reception.pass(Duration.ofSeconds(Long.parseLong(parts[0])));
            OtlpPush push = new OtlpPush().at(Long.parseLong(parts[1]), time++);
            push("a1", push.cumulative(SENDS, Double.parseDouble(parts[2])));
        }

        assertThat(sends("orders")).isEqualTo(counted);
    }

    @Test
    void aMeanIsWeightedByWhatItIsTheMeanOf() {
        push("a1", new OtlpPush().gauge(LATENCY, 10).delta(REQUESTS, 90));
        push("a2", new OtlpPush().gauge(LATENCY, 110).delta(REQUESTS, 10));

        showLatencies(2.0, 100);
    }

    @Test
    void aMeanOfAnUnknownNumberIsAGaugeAndNoRequest() {
        push("a1", new OtlpPush().gauge("producer.node.request.latency.avg", 8, "node_id", "1"));

        assertThat(reception.shown(SHOWN_MEAN, "orders")).isEqualTo(0.008);
        assertThat(reception.shown(SHOWN_UNCOUNTED, "orders")).isEqualTo(1);
        assertThat(reception.page()).doesNotContain(SHOWN_LATENCY + "_count");
    }

    @Test
    void theMeanOfTwoClientsThatDoNotCountIsThatOfTheirMeans() {
        push("a1", new OtlpPush().gauge(LATENCY, 8));
        push("a2", new OtlpPush().gauge(LATENCY, 4));
        push("a3", new OtlpPush().gauge(LATENCY, 0).gauge(LATENCY_MAX, 0));

        assertThat(reception.shown(SHOWN_MEAN, "orders")).isEqualTo(0.006);
        assertThat(reception.shown(SHOWN_UNCOUNTED, "orders")).isEqualTo(2);
    }

    @Test
    void aMeanThatIsPushedForNoRequestsIsSkipped() {
        push("a1", new OtlpPush().gauge(LATENCY, 2).gauge(LATENCY_MAX, 3));
        push("a1", new OtlpPush().gauge(LATENCY, 0).gauge(LATENCY_MAX, 0));

        assertThat(reception.shown(SHOWN_UNCOUNTED, "orders")).isEqualTo(1);
        assertThat(reception.page()).doesNotContain(SHOWN_MEAN + "{").doesNotContain(SHOWN_MAX + "{");
    }

    @Test
    void requestsThatTookNoWholeMillisecondAreCountedWhereTheirNumberIsKnown() {
        push("a1", new OtlpPush().gauge(LATENCY, 0).gauge(LATENCY_MAX, 0).delta(REQUESTS, 5));

        showLatencies(0, 5);
        assertThat(reception.shown(SHOWN_MAX, "orders")).isZero();
    }

    @Test
    void theQueueTimeOfLibrdkafkaIsAnotherMetricThanThatOfJava() {
        String queue = "producer.record.queue.time.avg";
        reception.push("java", new OtlpPush().gauge(queue, 20).delta(REQUESTS, 2));
        reception.software = "confluent-kafka-python";
        reception.version = "2.16.1-rdkafka-2.16.0";
        reception.push("rd", new OtlpPush().gauge(queue, 3).gauge("producer.record.queue.time.max", 4));

        assertThat(reception.shown("kafka_client_producer_record_queue_time_seconds_sum", "java"))
                .isEqualTo(0.04);
        assertThat(reception.shown("kafka_client_producer_socket_queue_time_mean_seconds", "rd"))
                .isEqualTo(0.003);
        assertThat(reception.shown("kafka_client_producer_socket_queue_time_max_seconds", "rd"))
                .isEqualTo(0.004);
        assertThat(reception.scrape().named("kafka_client_producer_record_queue_time_seconds_sum"))
                .hasSize(1);
    }

    @Test
    void shareConsumersAndFetchesOfFranzGoAreShown() {
        reception.push(
                "share",
                new OtlpPush()
                        .gauge("consumer.share.fetch.manager.fetch.latency.avg", 100)
                        .delta("consumer.share.fetch.manager.fetch.total", 3)
                        .delta("consumer.share.fetch.manager.records.consumed.total", 7));
        reception.software = "kgo";
        reception.version = "v1.22.3";
        reception.push("go", new OtlpPush().gauge("consumer.node.request.latency.avg", 50, "node_id", "1"));

        assertThat(reception.shown("kafka_client_consumer_fetch_latency_seconds_count", "share"))
                .isEqualTo(3);
        assertThat(reception.shown("kafka_client_consumer_records_consumed_total", "share"))
                .isEqualTo(7);
        assertThat(reception.shown("kafka_client_consumer_fetch_latency_mean_seconds", "go"))
                .isEqualTo(0.05);
    }

    @Test
    void placesOfClientsThatEndedGoToLivingOnesAtOnce() {
        reception = reception(50, ".*");
        reception.interval = Duration.ofSeconds(1);
        for (int i = 0; i < 150; i++) {
            reception.push("short-" + i, new OtlpPush().delta(SENDS, 1));
        }
        reception.scrape();
        reception.pass(Duration.ofSeconds(20));

        reception.push("living", new OtlpPush().delta(SENDS, 4));
        reception.push("late", new OtlpPush().delta(SENDS, 5));

        assertThat(sends("living")).isEqualTo(4);
        assertThat(sends("late")).isEqualTo(5);
        assertThat(reception.clients()).hasSize(51).contains("other");
    }

    @Test
    void aPlaceWhoseLastPushNobodyHasReadStays() {
        reception = reception(1, ".*");
        reception.interval = Duration.ofSeconds(1);
        reception.push("ended", new OtlpPush().delta(SENDS, 1));
        reception.pass(Duration.ofSeconds(20));
        reception.push("living", new OtlpPush().delta(SENDS, 4));
        assertThat(sends("ended")).isEqualTo(1);
        assertThat(sends("other")).isEqualTo(4);

        reception.pass(Duration.ofSeconds(2));
        reception.push("living", new OtlpPush().at(5, 6).delta(SENDS, 4));

        assertThat(reception.clients()).containsExactlyInAnyOrder("living", "other");
    }

    @Test
    void controlCharactersOfAnIdAreShownAsTheirPictures() {
        reception.push("c\rr", new OtlpPush().delta(SENDS, 1));
        reception.push("c\nr", new OtlpPush().delta(SENDS, 2));

        assertThat(sends("c\u240Dr")).isEqualTo(1);
        assertThat(sends("c\u240Ar")).isEqualTo(2);
        assertThat(reception.page()).doesNotContain("\r");
    }

    private void showLatencies(double sum, int count) {
        assertThat(reception.shown(SHOWN_LATENCY + "_sum", "orders")).isEqualTo(sum);
        assertThat(reception.shown(SHOWN_LATENCY + "_count", "orders")).isEqualTo(count);
    }

    @Test
    void theHighestIsThatOfTheClientsThatLive() {
        push("a1", new OtlpPush().gauge(LATENCY_MAX, 500));
        push("a2", new OtlpPush().gauge(LATENCY_MAX, 20));
        assertThat(reception.shown(SHOWN_MAX, "orders")).isEqualTo(0.5);

        reception.pushLast("a1", "orders", new OtlpPush().delta(SENDS, 9).gauge(LATENCY_MAX, 500));

        assertThat(reception.shown(SHOWN_MAX, "orders")).isEqualTo(0.02);
        assertThat(sends("orders")).isEqualTo(9);
    }

    @Test
    void aClientThatMissesThreePushesIsGoneAndItsCountersStayForAWhile() {
        reception.interval = Duration.ofSeconds(30);
        push("a1", new OtlpPush().delta(SENDS, 1));
        reception.pass(Duration.ofSeconds(89));
        assertThat(reception.shown(LIVING, "orders")).isOne();

        reception.pass(Duration.ofSeconds(2));
        assertThat(reception.shown(LIVING, "orders")).isZero();
        assertThat(sends("orders")).isOne();

        reception.pass(Duration.ofMinutes(10));
        assertThat(reception.clients()).isEmpty();
    }

    @Test
    void seriesOfAClientThatPushesAtAnUnknownIntervalExpire() {
        push("a1", new OtlpPush().delta(SENDS, 1));
        reception.pass(Duration.ofMinutes(10).plusSeconds(2));

        assertThat(reception.clients()).isEmpty();
    }

    @Test
    void beyondTheTopAllAreOneSeries() {
        reception = reception(2, ".*");
        for (String id : List.of("a", "b", "c", "d", "other")) {
            reception.push(id, new OtlpPush().delta(SENDS, 10));
        }

        assertThat(reception.clients()).containsExactlyInAnyOrder("a", "b", "other");
        assertThat(sends("other")).isEqualTo(30);
    }

    @Test
    void aMuchBusierClientTakesTheSeriesOfAnotherAndNothingIsCountedTwice() {
        reception = reception(1, ".*");
        reception.push("quiet", new OtlpPush().delta(SENDS, 10).delta(REQUESTS, 1));
        reception.push("busy", new OtlpPush().delta(SENDS, 1_000).delta(REQUESTS, 500));
        assertThat(reception.clients()).containsExactlyInAnyOrder("quiet", "other");

        reception.pass(Duration.ofSeconds(61));
        reception.push("busy", new OtlpPush().at(5, 6).delta(SENDS, 7).delta(REQUESTS, 1));

        assertThat(reception.clients()).containsExactlyInAnyOrder("busy", "other");
        assertThat(sends("busy")).isEqualTo(7);
        assertThat(sends("other")).isEqualTo(1_000);
    }

    @Test
    void noMoreClientsAreRememberedThanABrokerRemembers() {
        for (int i = 0; i < ClientLedger.MOST_INSTANCES + 10; i++) {
            push("instance-" + i, new OtlpPush().gauge(LATENCY_MAX, 1));
        }

        assertThat(reception.shown(LIVING, "orders")).isEqualTo(ClientLedger.MOST_INSTANCES);
    }

    @Test
    void thePatternPicksWhatOfAnIdIsTheLabel() {
        reception = reception(50, "(\\w+)-\\d+");
        reception.push("orders-1", new OtlpPush().delta(SENDS, 1));
        reception.push("orders-2", new OtlpPush().delta(SENDS, 1));
        reception.push("?", new OtlpPush().delta(SENDS, 5));

        assertThat(sends("orders")).isEqualTo(2);
        assertThat(sends("other")).isEqualTo(5);
    }

    @Test
    void namesThatAreCutWithinACharacterDoNotBecomeOne() {
        String long119 = "x".repeat(119);
        reception.push(long119 + "\uD83D\uDE00", new OtlpPush().delta(SENDS, 1));
        reception.push(long119 + "\uD83E\uDD80", new OtlpPush().delta(SENDS, 2));

        assertThat(sends(long119)).isEqualTo(3);
    }
}
