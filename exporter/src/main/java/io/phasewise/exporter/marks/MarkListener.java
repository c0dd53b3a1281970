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

    /** The leader received the fetch by which a follower says that it has a record. */
    void acknowledged(int follower, long nanosSinceAppend);

    /**
     * A record waited.
     *
     * @param holder the broker that it waited for, {@link PartitionMarks#SEVERAL} or {@link
     *     PartitionMarks#LEADER}
     */
    void waited(int holder, long nanos);

    /** Marks ended without the record's commit. */
    void dropped(int marks, String reason);
}
