/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.lab.telemetry.ClientMetricsSubscription;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the command line subscribes to is what this room has use for. */
class SubscriptionTest {

    @ParameterizedTest
    @EnumSource(Source.class)
    void everySourceIsSubscribedTo(Source source) {
        assertThat(ClientMetricsSubscription.METRICS).anyMatch(source.wireName()::startsWith);
    }
}
