/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.timing;

import java.util.OptionalLong;
import net.bytebuddy.asm.Advice;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.requests.RequestAndSize;
import org.apache.kafka.common.requests.RequestContext;

/**
 * Copied into {@code updateRequestMetrics} of Kafka 4.4's request class, to read its private fields
 * where they are; never run here. {@link RequestShape} checks beforehand that all that it names is
 * there.
 */
final class JavaRequestAdvice {

    private JavaRequestAdvice() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(
            @Advice.FieldValue("context") RequestContext context,
            @Advice.FieldValue("bodyAndSize") RequestAndSize body,
            @Advice.FieldValue("startTimeNanos") long received,
            @Advice.FieldValue("requestDequeueTimeNanos") long dequeued,
            @Advice.FieldValue("apiLocalCompleteTimeNanos") long localComplete,
            @Advice.FieldValue("responseCompleteTimeNanos") long responseComplete,
            @Advice.FieldValue("responseDequeueTimeNanos") long responseDequeued,
            @Advice.FieldValue("apiThrottleTimeMs") long throttleMillis,
            @Advice.FieldValue("callbackRequestDequeueTimeNanos") OptionalLong callbackDequeued,
            @Advice.FieldValue("callbackRequestCompleteTimeNanos") OptionalLong callbackComplete) {
        ApiKeys api = context.header.apiKey();
        RequestHook.completed(
                api.id,
                api.name,
                body.request instanceof FetchRequest
                        && ((FetchRequest) body.request).isFromFollower(),
                context.header.clientId(),
                received,
                dequeued,
                localComplete,
                responseComplete,
                responseDequeued,
                callbackDequeued.isPresent() && callbackComplete.isPresent()
                        ? callbackComplete.getAsLong() - callbackDequeued.getAsLong()
                        : 0,
                throttleMillis);
    }
}
