/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SentTest {
    @Test
    void onlyWhatCameBetweenTwoInstantsCountsAndByItsTime() {
        Sent warmedUp = new Sent(400, 10, 50_000, 7_000_000_000L);
        Sent end = new Sent(1_000, 16, 125_000, 10_000_000_000L);

        Sent measured = end.since(warmedUp);

        assertThat(measured.records()).isEqualTo(200);
        assertThat(measured.figures())
                .containsEntry("load failed/s", 2.0)
                .containsEntry("load bytes sent a record", 125.0);
    }
}
