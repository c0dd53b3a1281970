/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.receive;

import static java.util.stream.Collectors.toUnmodifiableSet;

import io.phasewise.canary.topic.Failures;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.TopicPartition;

/**
 * A Kafka consumer's membership in a group: says which partitions it holds, commits offsets now and
 * then and times that, and counts rebalances; reading records, and from which offset, is left to
 * {@link ProbeConsumer}.
 *
 * <p>Rebalances are counted and timed by the Kafka consumer itself, from asking to join until the
 * assignment is known; its sums are read here before each commit, so several rebalances in between
 * get their mean. Used by the polling thread only, except {@link #held}.
 */
final class GroupMember {
    /** Learns what a membership costs. */
    interface Listener {
        /**
         * Offsets were committed.
         *
         * @param nanos from asking until the consumer said so
         */
        void committed(long nanos);

        /**
         * A commit failed.
         *
         * @param reason why
         */
        void commitFailed(KafkaException reason);

        /**
         * A rebalance is over.
         *
         * @param nanos how long it took
         */
        void rebalanced(long nanos);
    }

    private static final long LONGEST_POLL_MS = 1_000;

    private final long intervalNanos;
    private final Listener listener;
    private final LongSupplier nanoClock;
    private Consumer<byte[], byte[]> consumer;
    private volatile Set<TopicPartition> held = Set.of();
    private boolean committing;
    private long committingSince;
    private long nextCommit;
    private double counted;
    private double timed;

    /**
     * @param interval from one commit to the next
     * @param listener learns what it costs
     * @param nanoClock monotonic nanoseconds
     */
    GroupMember(Duration interval, Listener listener, LongSupplier nanoClock) {
        this.intervalNanos = interval.toNanos();
        this.listener = listener;
        this.nanoClock = nanoClock;
    }

    /** Begins again with a Kafka consumer that has held nothing yet. */
    void use(Consumer<byte[], byte[]> fresh) {
        consumer = fresh;
        held = Set.of();
        committing = false;
        nextCommit = nanoClock.getAsLong();
        counted = 0;
        timed = 0;
    }

    void assigned(Collection<TopicPartition> partitions) {
        Set<TopicPartition> now = new HashSet<>(held);
        now.addAll(partitions);
        held = Set.copyOf(now);
    }

    void revoked(Collection<TopicPartition> partitions) {
        held = held.stream().filter(p -> !partitions.contains(p)).collect(toUnmodifiableSet());
    }

    /** The partitions that the group gave this member. */
    Set<TopicPartition> held() {
        return held;
    }

    /**
     * How long to wait in poll(). The consumer reports a finished commit at the start of a poll, so
     * polls are short while one is under way: the latency is off by a tenth, or a millisecond.
     */
    Duration patience() {
        if (!committing) {
            return Duration.ofMillis(LONGEST_POLL_MS);
        }
        long ms = (nanoClock.getAsLong() - committingSince) / 10_000_000;
        return Duration.ofMillis(Math.max(1, Math.min(LONGEST_POLL_MS, ms)));
    }

    /**
     * Commits when it is time to, one commit at a time; to be called after every poll.
     *
     * @param positions the offset behind the last record read, by partition
     */
    void commitIfDue(Map<Integer, Long> positions) {
        long now = nanoClock.getAsLong();
        if (now - nextCommit < 0) {
            return;
        }
        nextCommit = now + intervalNanos;
        readRebalances();
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        for (TopicPartition partition : held) {
            Long position = positions.get(partition.partition());
            if (position != null) {
                offsets.put(partition, new OffsetAndMetadata(position));
            }
        }
        if (committing || offsets.isEmpty()) {
            return;
        }
        committing = true;
        committingSince = now;
        Consumer<byte[], byte[]> asked = consumer;
        try {
            consumer.commitAsync(offsets, (unused, failure) -> {
                if (asked == consumer) {
                    committed(failure);
                }
            });
        } catch (KafkaException e) {
            committing = false;
            throw e;
        }
    }

    private void committed(Exception failure) {
        committing = false;
        if (failure == null) {
            listener.committed(nanoClock.getAsLong() - committingSince);
        } else {
            listener.commitFailed(Failures.kafkaException(failure));
        }
    }

    private void readRebalances() {
        double now = sum("rebalance-total");
        long fresh = Math.round(now - counted);
        if (fresh <= 0) {
            return;
        }
        double sum = sum("rebalance-latency-total");
        long each = Math.max(0, Math.round((sum - timed) * 1e6 / fresh));
        for (long i = 0; i < fresh; i++) {
            listener.rebalanced(each);
        }
        counted = now;
        timed = sum;
    }

    /** A sum among the Kafka consumer's own metrics; 0 before there is one. */
    private double sum(String name) {
        for (Metric each : consumer.metrics().values()) {
            MetricName is = each.metricName();
            if (is.name().equals(name)
                    && is.group().contains("coordinator")
                    && each.metricValue() instanceof Double sum) {
                return sum;
            }
        }
        return 0;
    }
}
