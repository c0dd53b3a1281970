/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.timing;

import io.phasewise.exporter.instrument.CallSite;
import io.phasewise.exporter.instrument.Hook;

/**
 * Where requests are timed and errors counted in the classes of Kafka 3.7 to 4.4, and what these
 * must look like.
 */
final class RequestHooks {

    static final String TIMING = "request_timing";

    private static final String COMMON = "org.apache.kafka.common.";
    private static final String REQUESTS = COMMON + "requests.";
    private static final String STRING = "Ljava/lang/String;";

    private RequestHooks() {}

    /**
     * @param off called when it fails
     */
    static Hook timing(Runnable off) {
        CallSite java =
                request(
                        "org.apache.kafka.network.Request",
                        JavaRequestAdvice.class,
                        "Ljava/util/OptionalLong;");
        CallSite scala =
                request(
                                "kafka.network.RequestChannel$Request",
                                ScalaRequestAdvice.class,
                                "Lscala/Option;")
                        .using("scala.Option", "isDefined", "()Z")
                        .using("scala.Option", "get", "()Ljava/lang/Object;");
        return new Hook(TIMING, "request timing is off, everything else goes on", off, java, scala);
    }

    private static CallSite request(String type, Class<?> advice, String optional) {
        return new CallSite(type, "updateRequestMetrics", "\\(.*\\)V")
                .begin(advice, "enter")
                .passing("context", "Lorg/apache/kafka/common/requests/RequestContext;")
                .passing("bodyAndSize", "Lorg/apache/kafka/common/requests/RequestAndSize;")
                .passing("startTimeNanos", "J")
                .passing("requestDequeueTimeNanos", "J")
                .passing("apiLocalCompleteTimeNanos", "J")
                .passing("responseCompleteTimeNanos", "J")
                .passing("responseDequeueTimeNanos", "J")
                .passing("apiThrottleTimeMs", "J")
                .passing("callbackRequestDequeueTimeNanos", optional)
                .passing("callbackRequestCompleteTimeNanos", optional)
                .using(
                        REQUESTS + "RequestContext",
                        "header",
                        "Lorg/apache/kafka/common/requests/RequestHeader;")
                .using(
                        REQUESTS + "RequestHeader",
                        "apiKey",
                        "()Lorg/apache/kafka/common/protocol/ApiKeys;")
                .using(REQUESTS + "RequestHeader", "clientId", "()" + STRING)
                .using(COMMON + "protocol.ApiKeys", "id", "S")
                .using(COMMON + "protocol.ApiKeys", "name", STRING)
                .using(
                        REQUESTS + "RequestAndSize",
                        "request",
                        "Lorg/apache/kafka/common/requests/AbstractRequest;")
                .using(REQUESTS + "FetchRequest", "isFromFollower", "()Z");
    }

    /**
     * @param off called when it fails
     */
    static Hook errors(Runnable off) {
        return new Hook(
                "request_errors",
                "errors in responses are not counted, everything else goes on",
                off,
                errors("org.apache.kafka.network.metrics.RequestMetrics"),
                errors("kafka.network.RequestMetrics"));
    }

    private static CallSite errors(String type) {
        String descriptor = "\\(Lorg/apache/kafka/common/protocol/Errors;I\\)V";
        return new CallSite(type, "markErrorMeter", descriptor)
                .begin(ErrorAdvice.class, "enter")
                .passing("name", STRING)
                .passingArgument(0, "Lorg/apache/kafka/common/protocol/Errors;")
                .passingArgument(1, "I");
    }
}
