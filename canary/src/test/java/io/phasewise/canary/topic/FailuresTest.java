/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.topic;

import static org.assertj.core.api.Assertions.assertThat;

import javax.security.auth.login.LoginException;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Test;

class FailuresTest {
    @Test
    void theInnermostCauseIsSaidWithoutTheStackTraceInItsMessage() {
        Throwable login =
                new LoginException("KafkaException: response code 401\n\tat some.Class.method(Class.java:1)\n");

        assertThat(Failures.describe(new KafkaException("Failed to create a client", login)))
                .isEqualTo("KafkaException: Failed to create a client (KafkaException: response code 401)");
    }

    @Test
    void whatTheMessageSaysAlreadyIsNotSaidTwice() {
        assertThat(Failures.describe(new KafkaException("no answer", new Exception("answer"))))
                .isEqualTo("KafkaException: no answer");
    }
}
