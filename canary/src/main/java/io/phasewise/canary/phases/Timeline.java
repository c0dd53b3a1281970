/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.phases;

import static io.phasewise.canary.phases.Instants.earlier;
import static io.phasewise.canary.phases.Instants.later;
import static io.phasewise.common.phase.Phase.CATCH_UP;
import static io.phasewise.common.phase.Phase.COMMIT;
import static io.phasewise.common.phase.Phase.FETCH;
import static io.phasewise.common.phase.Phase.PRODUCE;
import static io.phasewise.common.phase.Phase.PUBLISH;

import io.phasewise.common.phase.Phase;
import java.util.Arrays;
import java.util.List;

/**
 * Which phase every nanosecond of a stretch of time is charged to; attributes the time that a probe
 * waits behind an earlier produce request to the phase that the request in front is in at that
 * moment. Knowing who is in front is left to the lanes and the connection.
 *
 * <p>Two kinds of stretch. A <em>probe's</em> goes from T0 to T5. A <em>request's</em> begins when
 * its probe was due or, on a shared producer, when its first batch was ready to be sent. It ends with
 * its release, the instant at which it stops to hold up the next one. What it does after its commit
 * (with acks=all) or its append (acks=1 and 0) is the way back, fetch, whatever its consumer is doing.
 *
 * <p>Rule: let p be behind f for a time. Every instant of it in [T0, T2] of p at which f had begun
 * and was not yet released takes f's label; all other instants keep p's own. As f's stretch was
 * labelled by the same rule before, a chain of any length resolves by copying f's labels:
 * O(segments), and no request outlives its successor. Labels change, lengths do not: the sum of the
 * phases stays the stretch's length to the nanosecond.
 *
 * <p>Fallback where the front never shows its phases: a request that was dispatched and failed
 * ({@link #failedRequest}) is in publish from its dispatch on, for nothing proves that the leader
 * appended it. Where the labels of the request in front are not known yet when its successor is
 * labelled, the successor keeps its labels by position.
 *
 * <p>Memory is bounded: neighbours with the same label are merged, and a stretch of more than
 * {@value #MAX_SEGMENTS} segments is cut into blocks, within which equal labels are put together.
 * The time of each phase stays what it was, to the nanosecond. Only its place moves, so that a
 * successor which waits for a part of the stretch may be charged another phase for less than 3 % of
 * its own stretch, where 2,000 requests wait behind each other.
 *
 * <p>Immutable.
 */
public final class Timeline {

    /** No stretch has more segments. */
    public static final int MAX_SEGMENTS = 256;

    private static final Phase[] PHASES = Phase.values();

    /** Segment i is [bounds[i], bounds[i + 1]) and never empty, unless the whole stretch is. */
    private final long[] bounds;

    /** Each is a phase's place in the order of phases. */
    private final byte[] labels;

    /** T2: what comes later waits for nobody. */
    private final long appended;

    private Timeline(long[] bounds, byte[] labels, long appended) {
        this.bounds = bounds;
        this.labels = labels;
        this.appended = appended;
    }

    /** The stretch of a delivered probe, labelled by position. */
    public static Timeline ofProbe(Instants instants) {
        return new Builder(instants.t0(), 5)
                .add(instants.t1(), PRODUCE)
                .add(instants.t2(), PUBLISH)
                .add(instants.t3(), COMMIT)
                .add(instants.t4(), CATCH_UP)
                .add(instants.t5(), FETCH)
                .build(instants.t2());
    }

    /**
     * The stretch of an answered request, labelled by position. It can be built as soon as the
     * request is released, before its probe is delivered.
     *
     * @param t0 when it begins, nanoseconds on the canary's monotonic clock
     * @param t1 when its record was first dispatched
     * @param t2 estimate of its append
     * @param t3 estimate of its commit; ignored unless acks is all
     * @param release when it stopped to hold up its successor: when the client saw its answer
     */
    public static Timeline ofRequest(long t0, long t1, long t2, long t3, long release, Acks acks) {
        long dispatched = Instants.clamp(t1, t0, release);
        long appended = Instants.clamp(t2, dispatched, release);
        long committed = acks == Acks.ALL ? Instants.clamp(t3, appended, release) : appended;
        return new Builder(t0, 4)
                .add(dispatched, PRODUCE)
                .add(appended, PUBLISH)
                .add(committed, COMMIT)
                .add(release, FETCH)
                .build(appended);
    }

    /**
     * The stretch of a request that was given up: produce until its dispatch, then publish.
     *
     * @param t0 when it begins
     * @param t1 when its record was first dispatched; its release when it never was
     * @param release when it was given up
     */
    public static Timeline failedRequest(long t0, long t1, long release) {
        long dispatched = Instants.clamp(t1, t0, release);
        return new Builder(t0, 2).add(dispatched, PRODUCE).add(release, PUBLISH).build(release);
    }

    /**
     * This stretch, relabelled for having waited behind a request until that was released.
     *
     * @param front the request in front, itself relabelled already
     */
    public Timeline behind(Timeline front) {
        return behind(new Wait(front, front.start(), front.end()));
    }

    /** This stretch, relabelled for having waited behind several requests, one after the other. */
    public Timeline behind(List<Wait> waits) {
        Timeline relabelled = this;
        for (Wait wait : waits) {
            relabelled = relabelled.behind(wait);
        }
        return relabelled;
    }

    /** This stretch, relabelled for having waited behind a request for a time. */
    public Timeline behind(Wait wait) {
        Timeline front = wait.front();
        long from = later(later(wait.from(), start()), front.start());
        long to = earlier(earlier(wait.until(), front.end()), earlier(appended, end()));
        if (to - from <= 0) {
            return this;
        }
        Builder builder = new Builder(start(), labels.length + front.labels.length + 1);
        copy(builder, this, start(), from);
        copy(builder, front, from, to);
        copy(builder, this, to, end());
        return builder.build(appended);
    }

    private static void copy(Builder into, Timeline source, long from, long to) {
        if (to - from <= 0) {
            return;
        }
        for (int i = source.segmentAt(from); i < source.labels.length; i++) {
            long end = earlier(source.bounds[i + 1], to);
            into.add(end, source.labels[i]);
            if (end == to) {
                return;
            }
        }
    }

    /** First instant. */
    public long start() {
        return bounds[0];
    }

    /** The instant after the last one. */
    public long end() {
        return bounds[bounds.length - 1];
    }

    /** How many segments it has, at most {@link #MAX_SEGMENTS}. */
    public int segments() {
        return labels.length;
    }

    /** The instant after a segment; it begins with the end of the one before. */
    public long end(int segment) {
        return bounds[segment + 1];
    }

    /** The phase that a segment is charged to. */
    public Phase phase(int segment) {
        return PHASES[labels[segment]];
    }

    /**
     * The phase that an instant is charged to.
     *
     * @param instant in [{@link #start}, {@link #end})
     */
    public Phase at(long instant) {
        return PHASES[labels[segmentAt(instant)]];
    }

    /** What each phase is charged; the sum is {@link #end} - {@link #start}. */
    public PhaseBreakdown breakdown() {
        long[] nanos = new long[PHASES.length];
        for (int i = 0; i < labels.length; i++) {
            nanos[labels[i]] += bounds[i + 1] - bounds[i];
        }
        return new PhaseBreakdown(
                nanos[PRODUCE.ordinal()],
                nanos[PUBLISH.ordinal()],
                nanos[COMMIT.ordinal()],
                nanos[CATCH_UP.ordinal()],
                nanos[FETCH.ordinal()]);
    }

    /** The last segment that begins at or before an instant. */
    private int segmentAt(long instant) {
        int low = 0;
        int high = labels.length - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (bounds[middle] - instant <= 0) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    /** Collects segments front to back, merging equal neighbours and dropping empty ones. */
    private static final class Builder {
        private final long[] bounds;
        private final byte[] labels;
        private int size;

        Builder(long start, int capacity) {
            bounds = new long[capacity + 1];
            labels = new byte[capacity];
            bounds[0] = start;
        }

        Builder add(long end, Phase phase) {
            return add(end, (byte) phase.ordinal());
        }

        Builder add(long end, byte label) {
            if (end - bounds[size] > 0) {
                append(end, label);
            }
            return this;
        }

        private void append(long end, byte label) {
            if (size > 0 && labels[size - 1] == label) {
                bounds[size] = end;
            } else {
                labels[size] = label;
                size++;
                bounds[size] = end;
            }
        }

        Timeline build(long appended) {
            if (size > MAX_SEGMENTS) {
                // Some room to spare, or every further link of a long chain would simplify again.
                // Small steps, so that no stretch becomes coarser than it must. They end when every
                // block is as long as the stretch, which leaves one segment for each label.
                for (long shortest = 1_000; size > MAX_SEGMENTS * 3 / 4; shortest += shortest / 2) {
                    groupBlocksOf(shortest);
                }
            }
            return new Timeline(Arrays.copyOf(bounds, size + 1), Arrays.copyOf(labels, size), appended);
        }

        /**
         * Cuts the stretch into blocks of at least that length, nanoseconds, and within each puts
         * together what has the same label. A segment that long stays as it is.
         */
        private void groupBlocksOf(long shortest) {
            int count = size;
            long[] nanos = new long[PHASES.length];
            long blockEnd = bounds[0];
            long blockLength = 0;
            size = 0;
            for (int i = 0; i < count; i++) {
                // What was written so far ends at or before segment i's start.
                long length = bounds[i + 1] - blockEnd;
                byte label = labels[i];
                boolean alone = length >= shortest;
                if (alone || blockLength >= shortest) {
                    flush(nanos);
                    blockLength = 0;
                }
                blockEnd += length;
                if (alone) {
                    append(blockEnd, label);
                } else {
                    nanos[label] += length;
                    blockLength += length;
                }
            }
            flush(nanos);
        }

        /** Writes a block, its labels in the order in which a request passes them. */
        private void flush(long[] nanos) {
            for (byte label = 0; label < nanos.length; label++) {
                if (nanos[label] > 0) {
                    append(bounds[size] + nanos[label], label);
                    nanos[label] = 0;
                }
            }
        }
    }
}
