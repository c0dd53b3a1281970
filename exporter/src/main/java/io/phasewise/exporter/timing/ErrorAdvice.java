/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.timing;

import org.apache.kafka.common.protocol.Errors;

/**
 * Called at the begin of {@code markErrorMeter} of Kafka's request metrics, where errors in
 * responses are counted.
 */
public final class ErrorAdvice {

    private ErrorAdvice() {}

    /**
     * Called by the broker.
     *
     * @param api Kafka's name of it
     * @param error that the response carries
     * @param count how often
     */
    public static void enter(String api, Errors error, int count) {
        RequestHook.failedResponse(api, error, count);
    }
}
