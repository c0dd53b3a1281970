/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.cluster;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.junit.jupiter.api.Test;

class AdministrationTest {
    @Test
    void aRefusalIsToldByWhatWasAskedAndTheClustersReason() {
        KafkaFutureImpl<Void> answer = new KafkaFutureImpl<>();
        answer.completeExceptionally(new TopicAuthorizationException("Authorization failed."));

        assertThatThrownBy(() -> Administration.await("create topic t", answer))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessage("cannot create topic t: Authorization failed.")
                .hasRootCauseInstanceOf(TopicAuthorizationException.class);
    }
}
