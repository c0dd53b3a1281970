/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.timing;

import java.util.OptionalLong;
import org.apache.kafka.common.requests.RequestAndSize;
import org.apache.kafka.common.requests.RequestContext;

/**
 * Called at the begin of {@code updateRequestMetrics} of Kafka 4.4's request class, with its
 * private fields. Public, as Kafka's class is in another package. That all that it names is there
 * is checked beforehand: {@link RequestHooks}.
 */
public final class JavaRequestAdvice {

    private JavaRequestAdvice() {}

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
            OptionalLong callbackDequeued,
            OptionalLong callbackComplete) {
        RequestAdvice.completed(
                context,
                body,
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
