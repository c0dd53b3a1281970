/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.timing;

import io.phasewise.common.marks.MarkPage;
import io.phasewise.exporter.instrument.CallSite;
import io.phasewise.exporter.instrument.Hook;

/**
 * Where requests are timed and errors counted in the classes of Kafka 3.7 to 4.4, and what these
 * must look like.
 */
final class RequestHooks {

    static final String TIMING = "request_timing";

    private static final String OBJECT = "Ljava/lang/Object;";
    private static final String ERRORS = "Lorg/apache/kafka/common/protocol/Errors;";
    private static final String REQUESTS = "Lorg/apache/kafka/common/requests/";

    private RequestHooks() {}

    /**
     * @param off called when it fails
     */
    static Hook timing(Runnable off) {
        return new Hook(
                TIMING,
                "request timing is off, everything else goes on",
                off,
                request("org.apache.kafka.network.Request"),
                request("kafka.network.RequestChannel$Request"));
    }

    private static CallSite request(String type) {
        return new CallSite(type, "updateRequestMetrics", "\\(.*\\)V")
                .begin(RequestAdvice.class, "completed")
                .passing("context", REQUESTS + "RequestContext;")
                .passing("bodyAndSize", REQUESTS + "RequestAndSize;")
                .passingIfThere("processor", MarkPage.UNKNOWN_ID)
                .passing("startTimeNanos", "J")
                .passing("requestDequeueTimeNanos", "J")
                .passing("apiLocalCompleteTimeNanos", "J")
                .passing("responseCompleteTimeNanos", "J")
                .passing("responseDequeueTimeNanos", "J")
                .passing("apiThrottleTimeMs", "J")
                .passing("callbackRequestDequeueTimeNanos", OBJECT)
                .passing("callbackRequestCompleteTimeNanos", OBJECT);
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
        return new CallSite(type, "markErrorMeter", "\\(" + ERRORS + "I\\)V")
                .begin(RequestAdvice.class, "failed")
                .passing("name", "Ljava/lang/String;")
                .passingArgument(0, ERRORS)
                .passingArgument(1, "I");
    }
}
