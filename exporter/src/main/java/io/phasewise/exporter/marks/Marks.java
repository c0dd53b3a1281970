/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.marks;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToIntFunction;
import org.apache.kafka.common.TopicPartition;

/**
 * The marks of all partitions of the canary's topic that this broker leads. While none is pending,
 * whatever else the broker does costs a call one read and a compare.
 */
final class Marks {

    private final String topic;
    private final MarkListener listener;
    private final Pauses pauses;
    private final Map<TopicPartition, PartitionMarks> partitions = new ConcurrentHashMap<>();

    /** Marks that are pending, and appends that have begun. */
    private final AtomicLong waiting = new AtomicLong();

    /**
     * @param topic whose records are marked
     * @param listener told from the broker's threads
     * @param pauses of this JVM
     */
    Marks(String topic, MarkListener listener, Pauses pauses) {
        this.topic = topic;
        this.listener = listener;
        this.pauses = pauses;
    }

    /**
     * Whether records of this partition are marked: of the topic, and of those of the canary's
     * profiles, which are called after it.
     */
    boolean concerns(TopicPartition partition) {
        String name = partition.topic();
        return name.startsWith(topic)
                && (name.length() == topic.length() || name.charAt(topic.length()) == '-');
    }

    /**
     * Whether anything of this partition may be pending: asked before {@link #fetched}, {@link
     * #committed} and {@link #drop}, for each partition of each fetch.
     */
    boolean awaits(TopicPartition partition) {
        // By its hash first, which a partition keeps: other topics' names are not even read.
        return waiting.get() != 0 && partitions.containsKey(partition);
    }

    /** See {@link PartitionMarks#appending}. Either of the next two must follow. */
    void appending(
            TopicPartition partition, Object topicId, int epoch, int[] maximalIsr, long now) {
        waiting.incrementAndGet();
        PartitionMarks marks =
                partitions.computeIfAbsent(
                        partition, name -> new PartitionMarks(name.partition(), listener, pauses));
        waiting.addAndGet(-marks.appending(topicId, epoch, maximalIsr, now));
    }

    /** See {@link PartitionMarks#appended}. */
    void appended(
            TopicPartition partition,
            int epoch,
            long end,
            long first,
            long last,
            long received,
            long began,
            long now) {
        ended(partition, marks -> marks.appended(epoch, end, first, last, received, began, now));
    }

    /** The append that began has failed. */
    void notAppended() {
        waiting.decrementAndGet();
    }

    /** See {@link PartitionMarks#fetched}. */
    void fetched(TopicPartition partition, int follower, long end, long received) {
        PartitionMarks marks = partitions.get(partition);
        if (marks != null) {
            marks.fetched(follower, end, received);
        }
    }

    /** See {@link PartitionMarks#committed}. */
    void committed(TopicPartition partition, long offset, long now) {
        ended(partition, marks -> marks.committed(offset, now));
    }

    /** This broker leads the partition no longer, or no longer has these records. */
    void drop(TopicPartition partition, String reason) {
        ended(partition, marks -> marks.drop(reason));
    }

    /** Nothing is followed any more. */
    void dropAll(String reason) {
        partitions.values().forEach(marks -> waiting.addAndGet(-marks.drop(reason)));
    }

    /** See {@link PartitionMarks#chargeUntil}. */
    void chargeUntil(long now) {
        partitions.values().forEach(marks -> marks.chargeUntil(now));
    }

    /** Marks that are pending, and appends that have begun. */
    long waiting() {
        return waiting.get();
    }

    private void ended(TopicPartition partition, ToIntFunction<PartitionMarks> change) {
        PartitionMarks marks = partitions.get(partition);
        if (marks != null) {
            waiting.addAndGet(-change.applyAsInt(marks));
        }
    }
}
