/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.marks;

import io.phasewise.common.marks.PendingMark;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;

/**
 * The marks of all partitions of the canary's topic that this broker leads. While none is pending,
 * whatever else the broker does costs a call one read and a compare.
 */
final class Marks {

    private final String topic;
    private final MarkListener listener;
    private final Pauses pauses;
    private final AwaitedFollowers awaited;
    private final Map<TopicPartition, PartitionMarks> partitions = new ConcurrentHashMap<>();

    /** Marks that are pending, and appends that have begun. */
    private final AtomicLong waiting = new AtomicLong();

    /**
     * @param topic whose records are marked
     * @param listener told from the broker's threads
     * @param pauses of this JVM
     * @param awaited told which followers marks wait for
     */
    Marks(String topic, MarkListener listener, Pauses pauses, AwaitedFollowers awaited) {
        this.topic = topic;
        this.listener = listener;
        this.pauses = pauses;
        this.awaited = awaited;
    }

    /**
     * Whether records of this partition are marked: of the topic, and of those of the canary's
     * profiles, which are called after it.
     */
    boolean concerns(TopicPartition partition) {
        String name = partition.topic();
        return name.startsWith(topic) && (name.length() == topic.length() || name.charAt(topic.length()) == '-');
    }

    /** Of a partition of which a record is about to be appended. */
    PartitionMarks of(TopicPartition partition) {
        return partitions.computeIfAbsent(
                partition, name -> new PartitionMarks(name.partition(), listener, pauses, waiting, awaited));
    }

    /**
     * Of a partition of which something may be pending, null otherwise: asked for each partition of
     * each fetch.
     */
    PartitionMarks awaited(TopicPartition partition) {
        // By its hash first, which a partition keeps: other topics' names are not even read.
        return waiting.get() == 0 ? null : partitions.get(partition);
    }

    /** Nothing is followed any more. */
    void dropAll(String reason, long now) {
        partitions.values().forEach(marks -> marks.drop(reason, now));
    }

    /**
     * What is known of pending marks.
     *
     * @param most of all partitions, the oldest; at least 1
     */
    List<PendingMark> pending(int most, long now) {
        // nanoTime may overflow, so compare ages, not instants.
        PriorityQueue<WaitingBatch> youngestFirst =
                new PriorityQueue<>(most, Comparator.comparingLong(batch -> now - batch.appendBegan));
        WaitingBatch[] copy = new WaitingBatch[PartitionMarks.MOST_PENDING];
        for (PartitionMarks marks : partitions.values()) {
            int count = marks.pending(copy);
            for (int i = 0; i < count; i++) {
                if (youngestFirst.size() == most) {
                    if (youngestFirst.comparator().compare(copy[i], youngestFirst.peek()) <= 0) {
                        break; // and so are those after it
                    }
                    youngestFirst.remove();
                }
                youngestFirst.add(copy[i]);
            }
        }
        return youngestFirst.stream().map(WaitingBatch::pending).collect(Collectors.toList());
    }

    /** See {@link PartitionMarks#chargeUntil}. */
    void chargeUntil(long now) {
        partitions.values().forEach(marks -> marks.chargeUntil(now));
    }

    /** Marks that are pending, and appends that have begun. */
    long waiting() {
        return waiting.get();
    }
}
