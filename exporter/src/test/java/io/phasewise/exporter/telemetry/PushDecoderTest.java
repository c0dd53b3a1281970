/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.InvalidProtocolBufferException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class PushDecoderTest {

    private static final String LATENCY = "producer.request.latency.avg";
    private static final String LATENCY_MAX = "producer.request.latency.max";
    private static final String NODE_LATENCY = "producer.node.request.latency.avg";
    private static final String NODE_LATENCY_MAX = "producer.node.request.latency.max";
    private static final String CONSUMED = "consumer.fetch.manager.records.consumed.total";

    private static ClientReading read(OtlpPush push) throws InvalidProtocolBufferException {
        return new PushDecoder().decode(push.bytes());
    }

    private static Source source(String name) {
        return ClientMetrics.SOURCES.get("org.apache.kafka." + name);
    }

    private static double gauge(ClientReading reading, String name) {
        return reading.gauge(source(name));
    }

    @Test
    void readsWhatIsKnownAndPassesOverTheRest() throws InvalidProtocolBufferException {
        ClientReading reading =
                read(
                        new OtlpPush()
                                .group("readers")
                                .gauge(LATENCY, 12)
                                .gauge("consumer.something.new", 5)
                                .delta(CONSUMED, 7));

        assertThat(reading.group).isEqualTo("readers");
        assertThat(gauge(reading, LATENCY)).isEqualTo(12);
        assertThat(gauge(reading, LATENCY_MAX)).isNaN();
        assertThat(reading.points(source(CONSUMED)))
                .singleElement()
                .returns(false, point -> point.cumulative)
                .returns(7.0, point -> point.value);
    }

    @Test
    void aValueOfTheWholeClientWinsOverItsParts() throws InvalidProtocolBufferException {
        ClientReading reading =
                read(
                        new OtlpPush()
                                .delta(CONSUMED, 4, "topic", "a")
                                .delta(CONSUMED, 5)
                                .delta(CONSUMED, 1, "topic", "b")
                                .gauge(LATENCY, 3, "client_id", "x")
                                .gauge(LATENCY, 9, "node_id", "1"));

        assertThat(reading.points(source(CONSUMED)))
                .singleElement()
                .returns(5.0, point -> point.value);
        assertThat(gauge(reading, LATENCY)).isEqualTo(3);
    }

    @Test
    void partsAreAveragedOrTheHighestIsTaken() throws InvalidProtocolBufferException {
        ClientReading reading =
                read(
                        new OtlpPush()
                                .gauge(NODE_LATENCY, 2, "node_id", "1")
                                .gauge(NODE_LATENCY, 4, "node_id", "2")
                                .gauge(NODE_LATENCY_MAX, 6, "node_id", "1")
                                .gauge(NODE_LATENCY_MAX, 5, "node_id", "2"));

        assertThat(gauge(reading, NODE_LATENCY)).isEqualTo(3);
        assertThat(gauge(reading, NODE_LATENCY_MAX)).isEqualTo(6);
    }

    @Test
    void valuesThatAreNoneAreLeftOut() throws InvalidProtocolBufferException {
        ClientReading reading =
                read(
                        new OtlpPush()
                                .gauge(LATENCY, Double.NaN)
                                .gauge(LATENCY_MAX, Double.POSITIVE_INFINITY)
                                .delta("producer.request.total", -3)
                                .delta(CONSUMED, 1e300));

        assertThat(gauge(reading, LATENCY)).isNaN();
        assertThat(gauge(reading, LATENCY_MAX)).isNaN();
        assertThat(reading.points(source("producer.request.total"))).isEmpty();
        assertThat(reading.points(source(CONSUMED))).isEmpty();
    }

    @Test
    void aCutOffPushIsMalformed() {
        byte[] whole = new OtlpPush().gauge(LATENCY, 1).bytes();
        byte[] cut = Arrays.copyOf(whole, whole.length - 3);

        assertThatThrownBy(() -> new PushDecoder().decode(cut))
                .isInstanceOf(InvalidProtocolBufferException.class);
    }
}
