/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.marks;

import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicPartition;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * What each call of the mark hooks takes. It is in their package to reach them.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
public class MarkCalls {
    private static final TopicPartition ORDERS = new TopicPartition("orders", 7);
    private static final TopicPartition CANARY = new TopicPartition("phasewise-canary", 1);
    private static final Set<Integer> REPLICAS = Set.of(1, 2, 3);

    /** Whether a record of the canary is waiting for its commit. */
    @Param({"false", "true"})
    public boolean pending;

    private MarksPart marks;

    /** Switches the marks on. */
    @Setup
    public void on() {
        marks = new MarksPart("phasewise-canary", new long[] {1_000_000, 1_000_000_000}, new PrometheusRegistry());
        marks.enable(true);
        if (pending) {
            MarkAdvice.marks.of(CANARY).appending("id", 4, new int[] {2, 3}, System.nanoTime());
        }
    }

    /** A handler begins with a request. */
    @Benchmark
    public void request() {
        MarkAdvice.requestBegins(1);
    }

    /** A log appends, as leader or follower. */
    @Benchmark
    public void append() {
        MarkAdvice.logAppends("/data", false, 0);
        MarkAdvice.firstAppended(1);
        MarkAdvice.logAppended(1);
    }

    /** A leader appends to another topic than the canary's. */
    @Benchmark
    public void leaderAppend() {
        if (MarkAdvice.isMarked(ORDERS)) {
            MarkAdvice.leaderAppends(ORDERS, null, 4, REPLICAS, 1);
        }
    }

    /** A watermark of another topic moves. */
    @Benchmark
    public void watermark() {
        if (MarkAdvice.isAnyPending()) {
            MarkAdvice.watermarkMoves(ORDERS, 5);
        }
    }
}
