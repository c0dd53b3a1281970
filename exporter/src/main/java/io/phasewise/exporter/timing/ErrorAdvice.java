/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.timing;

import net.bytebuddy.asm.Advice;
import org.apache.kafka.common.protocol.Errors;

/**
 * Copied into {@code markErrorMeter} of Kafka's request metrics, where errors in responses are
 * counted; never run here.
 */
final class ErrorAdvice {

    private ErrorAdvice() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(
            @Advice.FieldValue("name") String api,
            @Advice.Argument(0) Errors error,
            @Advice.Argument(1) int count) {
        RequestHook.failedResponse(api, error, count);
    }
}
