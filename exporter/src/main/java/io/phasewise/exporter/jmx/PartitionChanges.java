/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.jmx;

import io.phasewise.exporter.instrument.CallSite;
import io.phasewise.exporter.instrument.Hook;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Notices that the broker applies changes of partitions' metadata (leader, in-sync replicas,
 * assignment), so that whatever depends on them is read again then, and not at every scrape.
 * Static, and public, because Kafka's class calls it and there is no object to reach it by from
 * there.
 */
public final class PartitionChanges {

    private static final AtomicLong NOTICED = new AtomicLong();

    private PartitionChanges() {}

    /** The hook that calls {@link #notice}: the same method in Kafka 3.7 to 4.4. */
    public static Hook hook() {
        return new Hook(
                "partition_changes",
                "counts of partitions are read at every scrape, which costs more with many of them",
                () -> {},
                new CallSite(
                                "kafka.server.ReplicaManager",
                                "applyDelta",
                                "\\(Lorg/apache/kafka/image/TopicsDelta;Lorg/apache/kafka/image/MetadataImage;\\)V")
                        .begin(PartitionChanges.class, "notice")
                        .thenAtReturn("notice"));
    }

    /** A change is about to be applied, or has just been. Never throws. */
    public static void notice() {
        NOTICED.incrementAndGet();
    }

    /**
     * How often something was noticed: once when a change is about to be applied, and again when
     * that is done, so a count that was read in between is known to be old. 0 in brokers without
     * KRaft and in those whose class is not as expected.
     */
    static long noticed() {
        return NOTICED.get();
    }
}
