/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.timing;

import io.phasewise.exporter.recorder.BucketScheme;
import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.PrometheusProtobufWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Puts requests of known durations through the agent's recorder, with the settings of production
 * and several threads at once as on a broker, and gives out what a scrape then shows. In the
 * package of the recorder, which is nobody else's business.
 */
public final class ScrapedRequests {
    private ScrapedRequests() {}

    /**
     * Records and scrapes. Each duration is recorded as the request queue time of a produce
     * request.
     *
     * @param nanos what each thread records, in its order; a thread for each
     * @return Prometheus's protobuf exposition
     * @throws ExecutionException when the recorder throws
     */
    public static byte[] scrape(List<long[]> nanos)
            throws IOException, InterruptedException, ExecutionException {
        TimingSettings settings = TimingSettings.defaults();
        RequestTimer timer =
                new RequestTimer(
                        new BucketScheme(settings.schema(), RequestTiming.classicNanos()),
                        RequestTiming.stripes(),
                        settings.canaryClientIdPrefix());
        ExecutorService threads = Executors.newFixedThreadPool(nanos.size());
        try {
            List<Future<?>> running = new ArrayList<>();
            for (long[] own : nanos) {
                running.add(threads.submit(() -> record(timer, own)));
            }
            for (Future<?> done : running) {
                done.get();
            }
        } finally {
            threads.shutdownNow();
        }
        PrometheusRegistry registry = new PrometheusRegistry();
        registry.register(
                new TimingCollector(
                        timer, new ErrorCounts(), new TimingStatus(System.err::println)));
        ByteArrayOutputStream scrape = new ByteArrayOutputStream();
        new PrometheusProtobufWriter().write(scrape, registry.scrape(), EscapingScheme.ALLOW_UTF8);
        return scrape.toByteArray();
    }

    private static void record(RequestTimer timer, long[] nanos) {
        for (long queued : nanos) {
            timer.record(
                    0, "Produce", false, "app", queued, 0, queued, queued, queued, queued, 0, 0);
        }
    }
}
