/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.timing;

/**
 * What the advice calls that Kafka's classes call: the one place where state is static, because
 * there is no object to reach it by from there. Public for the same reason. Hands over to {@link
 * RequestTimer} and {@link ErrorCounts} while there are such, and does nothing otherwise.
 */
public final class RequestHook {

    /** Takes requests; null while none are timed. */
    static volatile RequestTimer timer;

    /** Takes errors; null while none are counted. */
    static volatile ErrorCounts errors;

    private RequestHook() {}

    /**
     * A request is complete: called as Kafka is about to update its own metrics of it. See {@link
     * RequestTimer#record} for what the parameters mean.
     */
    public static void completed(
            short apiId,
            String apiName,
            boolean follower,
            String clientId,
            long received,
            long dequeued,
            long localComplete,
            long responseComplete,
            long responseDequeued,
            long callback,
            long throttleMillis) {
        long now = System.nanoTime();
        RequestTimer current = timer;
        if (current != null) {
            current.record(
                    apiId,
                    apiName,
                    follower,
                    clientId,
                    now,
                    received,
                    dequeued,
                    localComplete,
                    responseComplete,
                    responseDequeued,
                    callback,
                    throttleMillis);
        }
    }

    /**
     * A response carries errors.
     *
     * @param api Kafka's name of it
     * @param error a constant of Kafka's enumeration
     * @param count how often
     */
    public static void failedResponse(String api, Enum<?> error, int count) {
        ErrorCounts current = errors;
        if (current != null) {
            current.add(api, error, count);
        }
    }
}
