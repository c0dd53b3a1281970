/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.ops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

class ClusterOptionTest {

    /** Which of the two comes first is left to chance. */
    @Test
    void kafkaSaysThatBrokersAreSilentAndSoDoesWhoWaits() {
        assertThat(ClusterOption.isSilence(new TimeoutException("Timed out waiting for a node assignment")))
                .isTrue();
        assertThat(ClusterOption.isSilence(new KafkaException("cannot", new TimeoutException("late"))))
                .isTrue();
        assertThat(ClusterOption.isSilence(
                        new KafkaException("no answer", new java.util.concurrent.TimeoutException())))
                .isTrue();
        assertThat(ClusterOption.isSilence(new KafkaException("cannot", new AuthorizationException("no"))))
                .isFalse();
    }
}
