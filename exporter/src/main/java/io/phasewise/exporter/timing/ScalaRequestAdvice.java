/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.timing;

import org.apache.kafka.common.requests.RequestAndSize;
import org.apache.kafka.common.requests.RequestContext;
import scala.Option;

/**
 * As {@link JavaRequestAdvice}, for the request class that was written in Scala, of Kafka 3.7 to
 * 4.3.
 */
public final class ScalaRequestAdvice {

    private ScalaRequestAdvice() {}

    /** Called by the broker, for each request. */
    public static void enter(
            RequestContext context,
            RequestAndSize body,
            long received,
            long dequeued,
            long localComplete,
            long responseComplete,
            long responseDequeued,
            long throttleMillis,
            Option<Object> callbackDequeued,
            Option<Object> callbackComplete) {
        RequestAdvice.completed(
                context,
                body,
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
