/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.timing;

import net.bytebuddy.asm.Advice;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.requests.RequestAndSize;
import org.apache.kafka.common.requests.RequestContext;
import scala.Option;

/**
 * As {@link JavaRequestAdvice}, for the request class that was written in Scala, of Kafka 3.7 to
 * 4.3.
 */
final class ScalaRequestAdvice {

    private ScalaRequestAdvice() {}

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
            @Advice.FieldValue("callbackRequestDequeueTimeNanos") Option<Object> callbackDequeued,
            @Advice.FieldValue("callbackRequestCompleteTimeNanos")
                    Option<Object> callbackComplete) {
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
                callbackDequeued.isDefined() && callbackComplete.isDefined()
                        ? (Long) callbackComplete.get() - (Long) callbackDequeued.get()
                        : 0,
                throttleMillis);
    }
}
