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
        return new PushDecoder().decode(push.bytes(), Library.OTHER);
    }

    private static Source source(String name) {
        return ClientMetrics.source(name);
    }

    private static double gauge(PushContent content, String name) {
        return content.gauge(source(name));
    }

    @Test
    void aValueOfTheWholeClientWinsOverItsParts() throws InvalidProtocolBufferException {
        push.delta(CONSUMED, 4, "topic", "a").delta(CONSUMED, 5).delta(CONSUMED, 1, "topic", "b");
        push.gauge(LATENCY, 3, "client_id", "x").gauge(LATENCY, 9, "node_id", "1");
        PushContent content = read();

        assertThat(content.points(source(CONSUMED))).singleElement().returns(5.0, point -> point.value);
        assertThat(gauge(content, LATENCY)).isEqualTo(3);
    }

    @Test
    void partsAreAveragedOrTheHighestIsTaken() throws InvalidProtocolBufferException {
        push.gauge(NODE_LATENCY, 2, "node_id", "1").gauge(NODE_LATENCY, 4, "node_id", "2");
        push.gauge(NODE_LATENCY_MAX, 6, "node_id", "1").gauge(NODE_LATENCY_MAX, 5, "node_id", "2");
        PushContent content = read();

        assertThat(gauge(content, NODE_LATENCY)).isEqualTo(3);
        assertThat(gauge(content, NODE_LATENCY_MAX)).isEqualTo(6);
    }

    @Test
    void aBrokerToWhichNothingWasSentIsNoPartOfTheMean() throws InvalidProtocolBufferException {
        push.gauge(NODE_LATENCY, 0, "node_id", "1").gauge(NODE_LATENCY, 4, "node_id", "2");

        assertThat(gauge(read(), NODE_LATENCY)).isEqualTo(4);
    }

    @Test
    void valuesThatAreNoneAreLeftOut() throws InvalidProtocolBufferException {
        push.gauge(LATENCY, Double.NaN).gauge(LATENCY_MAX, Double.POSITIVE_INFINITY);
        push.delta(REQUESTS, -3).delta(CONSUMED, 1e300);
        PushContent content = read();

        assertThat(gauge(content, LATENCY)).isNaN();
        assertThat(gauge(content, LATENCY_MAX)).isNaN();
        assertThat(content.points(source(REQUESTS))).isEmpty();
        assertThat(content.points(source(CONSUMED))).isEmpty();
    }
}
