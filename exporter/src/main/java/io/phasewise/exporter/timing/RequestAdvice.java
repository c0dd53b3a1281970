/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.timing;

import io.phasewise.exporter.instrument.ScalaValues;
import io.prometheus.metrics.core.metrics.Counter;
import java.util.OptionalLong;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.requests.RequestAndSize;
import org.apache.kafka.common.requests.RequestContext;

/**
 * What Kafka's classes call: see {@link RequestHooks} for where. Public, and static, as there is no
 * object to reach it by from there. Does nothing while its part is null.
 */
public final class RequestAdvice {

    /** Takes requests; null while none are timed. */
    static volatile RequestTimer timer;

    /** Counts errors by API and error; null while none are counted. */
    static volatile Counter errors;

    private RequestAdvice() {}

    /**
     * A request is complete: called as Kafka is about to update its own metrics of it. See {@link
     * RequestTimer#record} for what the instants mean.
     *
     * @param processor id of the network thread; {@link io.phasewise.common.marks.MarkPage#UNKNOWN_ID}
     *     where Kafka's class does not have it
     * @param callbackDequeued when a request handler came back to it, an option of Java's or
     *     Scala's; and likewise when that handler was done
     */
    public static void completed(
            RequestContext context,
            RequestAndSize body,
            int processor,
            long received,
            long dequeued,
            long localComplete,
            long responseComplete,
            long responseDequeued,
            long throttleMillis,
            Object callbackDequeued,
            Object callbackComplete) {
        RequestTimer current = timer;
        if (current == null) {
            return;
        }
        long now = System.nanoTime();
        ApiKeys api = context.header.apiKey();
        current.record(
                api.id,
                api.name,
                body.request instanceof FetchRequest && ((FetchRequest) body.request).isFromFollower(),
                context.header.clientId(),
                context.connectionId,
                processor,
                now,
                received,
                dequeued,
                localComplete,
                responseComplete,
                responseDequeued,
                between(callbackDequeued, callbackComplete),
                throttleMillis);
    }

    /** Zero unless both are known. */
    private static long between(Object begin, Object end) {
        if (begin instanceof OptionalLong) {
            OptionalLong from = (OptionalLong) begin;
            OptionalLong to = (OptionalLong) end;
            return from.isPresent() && to.isPresent() ? to.getAsLong() - from.getAsLong() : 0;
        }
        Object from = ScalaValues.orNull(begin);
        Object to = ScalaValues.orNull(end);
        return from == null || to == null ? 0 : (Long) to - (Long) from;
    }

    /**
     * A response carries errors, or none, which Kafka counts too and this does not.
     *
     * @param api Kafka's name of it
     * @param count how often
     */
    public static void failed(String api, Errors error, int count) {
        Counter current = errors;
        if (current != null && error != Errors.NONE) {
            current.labelValues(api, error.name()).inc(count);
        }
    }
}
