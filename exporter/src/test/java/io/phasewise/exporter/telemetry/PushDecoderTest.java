/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import org.junit.jupiter.api.Test;

/** Which values of a push count; that the rest is passed over: ClientCollectorTest. */
class PushDecoderTest {

    private static final String LATENCY = "producer.request.latency.avg";
    private static final String LATENCY_MAX = "producer.request.latency.max";
    private static final String REQUESTS = "producer.request.total";
    private static final String NODE_LATENCY = "producer.node.request.latency.avg";
    private static final String NODE_LATENCY_MAX = "producer.node.request.latency.max";
    private static final String CONSUMED = "consumer.fetch.manager.records.consumed.total";

    private final OtlpPush push = new OtlpPush();

    private PushContent read() throws InvalidProtocolBufferException {
        return new PushDecoder().decode(push.bytes());
    }

    private static Source source(String name) {
        return ClientMetrics.SOURCES.get("org.apache.kafka." + name);
    }

    private static double gauge(PushContent reading, String name) {
        return reading.gauge(source(name));
    }

    @Test
    void aValueOfTheWholeClientWinsOverItsParts() throws InvalidProtocolBufferException {
        push.delta(CONSUMED, 4, "topic", "a").delta(CONSUMED, 5).delta(CONSUMED, 1, "topic", "b");
        push.gauge(LATENCY, 3, "client_id", "x").gauge(LATENCY, 9, "node_id", "1");
        PushContent reading = read();

        assertThat(reading.points(source(CONSUMED)))
                .singleElement()
                .returns(5.0, point -> point.value);
        assertThat(gauge(reading, LATENCY)).isEqualTo(3);
    }

    @Test
    void partsAreAveragedOrTheHighestIsTaken() throws InvalidProtocolBufferException {
        push.gauge(NODE_LATENCY, 2, "node_id", "1").gauge(NODE_LATENCY, 4, "node_id", "2");
        push.gauge(NODE_LATENCY_MAX, 6, "node_id", "1").gauge(NODE_LATENCY_MAX, 5, "node_id", "2");
        PushContent reading = read();

        assertThat(gauge(reading, NODE_LATENCY)).isEqualTo(3);
        assertThat(gauge(reading, NODE_LATENCY_MAX)).isEqualTo(6);
    }

    @Test
    void valuesThatAreNoneAreLeftOut() throws InvalidProtocolBufferException {
        push.gauge(LATENCY, Double.NaN).gauge(LATENCY_MAX, Double.POSITIVE_INFINITY);
        push.delta(REQUESTS, -3).delta(CONSUMED, 1e300);
        PushContent reading = read();

        assertThat(gauge(reading, LATENCY)).isNaN();
        assertThat(gauge(reading, LATENCY_MAX)).isNaN();
        assertThat(reading.points(source(REQUESTS))).isEmpty();
        assertThat(reading.points(source(CONSUMED))).isEmpty();
    }
}
