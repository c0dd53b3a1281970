/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.receive;

import io.phasewise.canary.phases.PollLog;
import java.util.Collection;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.kafka.common.TopicPartition;

/**
 * Notes in the poll log when the consumer is in poll() and holds partitions: a member of a group
 * that holds none counts as away. Used by the polling thread.
 */
final class PollRecorder {
    private final PollLog polls;
    private final LongSupplier nanoClock;

    /** Partitions of which the last poll brought some records and left some behind; reused by every poll. */
    private int[] brought = new int[8];

    private boolean polling;

    /** Whether the log was told that poll() was entered. */
    private boolean entered;

    PollRecorder(PollLog polls, LongSupplier nanoClock) {
        this.polls = polls;
        this.nanoClock = nanoClock;
    }

    /** Enters poll(). */
    void enter(boolean holding) {
        long now = nanoClock.getAsLong();
        polling = true;
        entered = holding;
        if (holding) {
            polls.entered(now);
        }
    }

    /** The group gave or took partitions, perhaps within poll(). */
    void rebalanced(boolean holding) {
        if (polling && !entered && holding) {
            polls.entered(nanoClock.getAsLong());
            entered = true;
        } else if (entered && !holding) {
            leave(nanoClock.getAsLong(), 0);
        }
    }

    /**
     * Leaves poll().
     *
     * @param partitions of which it brought records
     * @param leftMore whether it left behind records of a partition that were there
     * @return when that was
     */
    long leave(Collection<TopicPartition> partitions, Predicate<TopicPartition> leftMore) {
        long now = nanoClock.getAsLong();
        if (partitions.size() > brought.length) {
            brought = new int[partitions.size()];
        }
        int count = 0;
        for (TopicPartition partition : partitions) {
            if (leftMore.test(partition)) {
                brought[count++] = partition.partition();
            }
        }
        polling = false;
        if (entered) {
            leave(now, count);
        }
        return now;
    }

    private void leave(long now, int count) {
        polls.left(now, brought, count);
        entered = false;
    }
}
