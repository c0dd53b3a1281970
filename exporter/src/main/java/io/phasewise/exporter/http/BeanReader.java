/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.http;

import io.prometheus.metrics.model.registry.MultiCollector;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Reads beans on a thread of its own. Some beans take locks of Kafka's, and hang while the disk of
 * a log does not answer. The scrape then still has the exporter's own metrics, which say why the
 * others are missing. Used by one thread at a time.
 */
final class BeanReader {
    private final Supplier<List<MultiCollector>> collectors;

    /** Null, or a reading that took too long. */
    private FutureTask<CollectedMetrics> late;

    /**
     * @param collectors asked for on the thread that reads
     */
    BeanReader(Supplier<List<MultiCollector>> collectors) {
        this.collectors = collectors;
    }

    /**
     * The metrics of the beans, or only a failure when reading takes longer than the bound. While a
     * reading that was too slow goes on, no other begins, and nobody waits.
     *
     * @throws InterruptedException when interrupted
     */
    CollectedMetrics read(Duration bound) throws InterruptedException {
        if (late != null && !late.isDone()) {
            return CollectedMetrics.failed("beans still do not answer");
        }
        FutureTask<CollectedMetrics> task = new FutureTask<>(() -> CollectedMetrics.of(collectors.get()));
        Thread thread = new Thread(task, "phasewise-exporter-beans");
        thread.setDaemon(true);
        thread.start();
        try {
            return task.get(bound.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            late = task;
            return CollectedMetrics.failed("beans have not answered within " + bound.toMillis() + " ms");
        } catch (ExecutionException e) {
            return CollectedMetrics.failed(e.getCause().toString());
        }
    }
}
