/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.timing;

import io.phasewise.exporter.agent.AgentLog;
import io.phasewise.exporter.agent.Instrumenting;
import io.phasewise.exporter.recorder.BucketScheme;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.lang.instrument.Instrumentation;
import java.time.Clock;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Times every request of the broker by phase, into histograms of the registry, and counts requests
 * and errors by API. The gauge {@code kafka_exporter_request_timing_active} tells whether it does.
 */
public final class RequestTiming {

    /**
     * Sets of histograms that threads are spread over. Kafka has three network threads for each
     * listener unless told otherwise; each is busy here for a hundredth of its time at most.
     */
    private static final int MOST_STRIPES = 4;

    /**
     * Every third of the canary's bounds, times 10. Writing classic buckets is most of what a
     * scrape costs, and precision is the native buckets' part.
     */
    private static final int[] IN_A_DECADE = {10, 25, 50};

    private static final long LEAST_CLASSIC_NANOS = 10_000;
    private static final long MOST_CLASSIC_NANOS = 60_000_000_000L;

    private RequestTiming() {}

    /**
     * Instruments the broker's request class, loaded or not. Called once. Never throws: where it
     * cannot be done, one line on standard error says why, and the gauge stays at 0.
     *
     * @param instrumentation of this JVM
     * @param settings what to time and how
     * @param registry takes the metrics
     */
    public static void install(
            Instrumentation instrumentation, TimingSettings settings, PrometheusRegistry registry) {
        install(
                instrumentation,
                settings,
                registry,
                new AgentLog(System.err, Clock.systemUTC())::error);
    }

    static void install(
            Instrumentation instrumentation,
            TimingSettings settings,
            PrometheusRegistry registry,
            Consumer<String> errorLog) {
        TimingStatus status = new TimingStatus(errorLog);
        try {
            if (!settings.enabled()) {
                registry.register(new TimingCollector(null, null, status));
                return;
            }
            BucketScheme scheme = new BucketScheme(settings.schema(), classicNanos());
            RequestTimer timer =
                    new RequestTimer(scheme, stripes(), settings.canaryClientIdPrefix());
            ErrorCounts errors = new ErrorCounts();
            if (!RequestHook.install(timer, errors, status)) {
                // The first agent goes on; what it records is in its own registry.
                registry.register(new TimingCollector(null, null, status));
                status.giveUp("this agent was loaded twice", null);
                return;
            }
            registry.register(new TimingCollector(timer, errors, status));
            RequestTransformer transformer = new RequestTransformer(status);
            // What it needs to look at any class must be loaded before it is asked. It is asked
            // about its own classes too: loaded on the way, they would be defined a second time.
            transformer.transform(null, "java/lang/Object", null, null, new byte[0]);
            Instrumenting.add(
                    instrumentation,
                    transformer,
                    name -> RequestShape.of(name.replace('.', '/')) != null);
        } catch (Throwable e) {
            status.giveUp("it could not be installed", e);
        }
    }

    static int stripes() {
        int processors = Math.min(Runtime.getRuntime().availableProcessors(), MOST_STRIPES);
        return Integer.highestOneBit(processors);
    }

    /** Upper bounds of the classic buckets: three a decade from 10 us, and 60 s. */
    static long[] classicNanos() {
        long[] bounds = new long[7 * IN_A_DECADE.length + 1];
        int size = 0;
        for (long decade = LEAST_CLASSIC_NANOS; decade < MOST_CLASSIC_NANOS; decade *= 10) {
            for (int digits : IN_A_DECADE) {
                long bound = decade / 10 * digits;
                if (bound < MOST_CLASSIC_NANOS) {
                    bounds[size++] = bound;
                }
            }
        }
        bounds[size++] = MOST_CLASSIC_NANOS;
        return Arrays.copyOf(bounds, size);
    }
}
