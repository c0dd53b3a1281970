/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.timing;

import io.phasewise.exporter.instrument.Hook;
import io.phasewise.exporter.recorder.BucketScheme;
import io.phasewise.exporter.series.SeriesRegistry;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Times every request of the broker by phase, into histograms of the registry, and counts requests
 * and errors by API. Can be switched off and on while the broker runs.
 */
public final class RequestTiming {

    /**
     * How many sets of histograms threads are spread over at most. By default Kafka has three
     * network threads for each listener; each of them spends at most a hundredth of its time here.
     */
    private static final int MOST_STRIPES = 4;

    /**
     * Every third of the canary's bounds, times 10. Writing classic buckets is most of what a
     * scrape costs, and the native buckets give the precision.
     */
    private static final int[] IN_A_DECADE = {10, 25, 50};

    private static final long LEAST_CLASSIC_NANOS = 10_000;
    private static final long MOST_CLASSIC_NANOS = 60_000_000_000L;

    /** Name of the hook without which nothing is timed. */
    public static final String HOOK = RequestHooks.TIMING;

    private final RequestTimer timer;
    private final Counter errors;
    private boolean on;
    private boolean timingFailed;
    private boolean errorsFailed;

    /**
     * Registers the metrics.
     *
     * @param schema of the native histograms, 0 to 8: 2^schema buckets for each power of two
     * @param canaryPrefix requests of clients whose id begins so are the canary's; not empty
     * @param registry takes the metrics
     * @param listener told of the canary's requests and of followers' fetches
     */
    public RequestTiming(int schema, String canaryPrefix, PrometheusRegistry registry, RequestListener listener) {
        timer = timer(schema, canaryPrefix, listener);
        registry.register(new TimingCollector(timer));
        errors = new SeriesRegistry(registry).counter("kafka_request_errors_total");
    }

    /** The hooks that this needs. */
    public List<Hook> hooks() {
        return List.of(RequestHooks.timing(() -> failed(true)), RequestHooks.errors(() -> failed(false)));
    }

    /** Switches on or off; what failed stays off. */
    public synchronized void enable(boolean enabled) {
        on = enabled;
        RequestAdvice.timer = on && !timingFailed ? timer : null;
        RequestAdvice.errors = on && !errorsFailed ? errors : null;
    }

    private synchronized void failed(boolean timing) {
        timingFailed |= timing;
        errorsFailed |= !timing;
        enable(on);
    }

    /** A timer as a broker has it. */
    static RequestTimer timer(int schema, String canaryPrefix, RequestListener listener) {
        return new RequestTimer(new BucketScheme(schema, classicNanos()), stripes(), canaryPrefix, listener);
    }

    private static int stripes() {
        int processors = Math.min(Runtime.getRuntime().availableProcessors(), MOST_STRIPES);
        return Integer.highestOneBit(processors);
    }

    /** Upper bounds of the classic buckets: three a decade from 10 us, and 60 s. */
    public static long[] classicNanos() {
        LongStream.Builder bounds = LongStream.builder();
        for (long decade = LEAST_CLASSIC_NANOS; decade < MOST_CLASSIC_NANOS; decade *= 10) {
            for (int digits : IN_A_DECADE) {
                bounds.add(decade / 10 * digits);
            }
        }
        LongStream below = bounds.build().filter(bound -> bound < MOST_CLASSIC_NANOS);
        return LongStream.concat(below, LongStream.of(MOST_CLASSIC_NANOS)).toArray();
    }
}
