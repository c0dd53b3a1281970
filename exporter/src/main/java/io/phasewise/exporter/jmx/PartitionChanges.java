/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.jmx;

import io.phasewise.exporter.agent.Instrumenting;
import java.lang.instrument.Instrumentation;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Notices that the broker takes in changes of partitions' metadata (leader, replicas in sync,
 * assignment), so that what Kafka counts by walking all partitions is read again then, and not at
 * every scrape. Static, and public, because Kafka's class calls it and there is no object to reach
 * it by from there.
 */
public final class PartitionChanges {

    private static final AtomicLong NOTICED = new AtomicLong();

    private PartitionChanges() {}

    /** A change is about to be taken in, or has just been. Never throws. */
    public static void notice() {
        NOTICED.incrementAndGet();
    }

    /**
     * How often something was noticed; more while a change is being taken in, and again when that
     * is done, so a count that was read in between is known to be old. 0 in brokers without KRaft
     * and in those whose class is not as expected.
     */
    static long noticed() {
        return NOTICED.get();
    }

    /**
     * Has Kafka's class call {@link #notice}, loaded or not. Never throws: where that cannot be
     * done, one line says why, and nothing is ever noticed.
     *
     * @param instrumentation of this JVM
     * @param errorLog takes the line
     */
    public static void follow(Instrumentation instrumentation, Consumer<String> errorLog) {
        try {
            Instrumenting.add(
                    instrumentation,
                    new PartitionChangesTransformer(errorLog),
                    PartitionChangesTransformer.KAFKA_CLASS::equals);
        } catch (Throwable e) {
            errorLog.accept(PartitionChangesTransformer.UNNOTICED + e);
        }
    }
}
