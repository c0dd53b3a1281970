/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.marks;

import io.phasewise.common.marks.RecordMark;

/** Learns what becomes of marks. Durations are nanoseconds, zero or more. */
interface MarkListener {

    /** A batch is committed. */
    void committed(RecordMark mark);

    /** A follower said that it has a batch: when the leader received its fetch, or at the append if that is later. */
    void acknowledged(int follower, long nanosSinceAppend);

    /**
     * A batch waited for its commit.
     *
     * @param holder the broker that it waited for, {@link PartitionMarks#SEVERAL} or {@link
     *     PartitionMarks#LEADER}
     */
    void waited(int holder, long nanos);

    /** Marks ended without a commit. */
    void dropped(int marks, String reason);
}
