/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.timing;

import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.requests.RequestAndSize;
import org.apache.kafka.common.requests.RequestContext;

/** What the advice of both request classes has in common: whose request of which kind it is. */
final class RequestAdvice {

    private RequestAdvice() {}

    /** See {@link RequestTimer#record} for what the times mean. */
    static void completed(
            RequestContext context,
            RequestAndSize body,
            long received,
            long dequeued,
            long localComplete,
            long responseComplete,
            long responseDequeued,
            long callback,
            long throttleMillis) {
        if (RequestHook.timer == null) {
            return;
        }
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
                callback,
                throttleMillis);
    }
}
