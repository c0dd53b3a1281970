/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.ops.telemetry.ClientMetricsSubscription;
import org.junit.jupiter.api.Test;

/** What the command line subscribes to is what this room has use for. */
class SubscriptionTest {

    @Test
    void everySourceIsSubscribedTo() {
        assertThat(ClientMetrics.SOURCES).hasSizeGreaterThan(20);
        assertThat(ClientMetrics.SOURCES.keySet())
                .allSatisfy(
                        name ->
                                assertThat(ClientMetricsSubscription.METRICS)
                                        .anyMatch(name::startsWith));
    }
}
