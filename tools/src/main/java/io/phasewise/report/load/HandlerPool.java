/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.load;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;

/**
 * The request handlers of a broker, as the servers of a queue. Where brokers differ, it is the pool
 * with the fewest servers.
 *
 * @param threads num.io.threads as the broker was started; 0 where it is not known
 * @param processors that the broker's JVM may use; 0 where they are not known
 * @param busyThreads mean number of handlers that were busy; NaN where it is not known
 * @param busyProcessors mean number of processors that the broker used; NaN where it is not
 *     known
 */
// The order of methods may differ from one run of a JVM to the next, and people compare two files.
@JsonPropertyOrder({"threads", "processors", "busyThreads", "busyProcessors", "processorBound", "servers"})
public record HandlerPool(int threads, int processors, double busyThreads, double busyProcessors) {

    /** Kafka's default of num.io.threads. */
    static final int DEFAULT_THREADS = 8;

    static final HandlerPool UNKNOWN = new HandlerPool(0, 0, Double.NaN, Double.NaN);

    /**
     * Whether the handlers mostly compute, and seldom wait for a disk or a lock: the broker used at
     * least half as many processors as handlers were busy, or at least half of its processors.
     */
    @JsonProperty
    public boolean processorBound() {
        return processors > 0 && busyProcessors >= Math.min(busyThreads, processors) / 2;
    }

    /** How many requests are handled at the same time at most; 1 or more. */
    @JsonProperty
    public int servers() {
        int known = threads > 0 ? threads : DEFAULT_THREADS;
        return processorBound() ? Math.min(known, processors) : known;
    }
}
