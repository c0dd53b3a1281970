/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

class EndedAdminTest {
    @Test
    void aClientThatHasEndedIsToldByKafkasWords() {
        assertThat(EndedAdmin.isToldBy(new TimeoutException("The AdminClient thread has exited.")))
                .isTrue();
    }

    @Test
    void anyOtherFailureIsNoReasonToReplaceIt() {
        assertThat(EndedAdmin.isToldBy(new TimeoutException("Timed out waiting for a node assignment.")))
                .isFalse();
        assertThat(EndedAdmin.isToldBy(new TimeoutException())).isFalse();
    }
}
