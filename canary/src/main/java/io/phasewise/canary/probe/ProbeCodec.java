/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/**
 * Writes a probe's identity into a record value of fixed size and reads it back; what became of the
 * probe is left to the ledger, which keeps every instant itself, so that the record carries no
 * clock that another host could misread.
 *
 * <p>Layout, big-endian: magic (4 bytes), version (1), profile (2), partition (4), instance (8),
 * sequence (8), due instant on the sender's monotonic clock (8, for reading a dump by eye), then
 * incompressible padding.
 *
 * <p>Not safe for concurrent writes: the value is built in one buffer, which the Kafka producer
 * copies before send() returns.
 */
public final class ProbeCodec {
    /** Bytes that every probe needs; the least size of a record value. */
    public static final int HEADER_SIZE = 35;

    private static final int MAGIC = 0x50485753; // "PHWS"
    private static final byte VERSION = 1;

    private final long instance;
    private final short profile;
    private final byte[] value;
    private final ByteBuffer buffer;

    /**
     * @param instance drawn at random once per process life, so that another canary's probes and
     *     those of a former life are told apart from this one's
     * @param profile which of the process's settings profiles sends the probe, 0 to 65535
     * @param size bytes of the record value, at least {@link #HEADER_SIZE}
     */
    public ProbeCodec(long instance, int profile, int size) {
        if (size < HEADER_SIZE) {
            throw new IllegalArgumentException("size " + size + " < " + HEADER_SIZE);
        }
        this.instance = instance;
        this.profile = (short) profile;
        this.value = new byte[size];
        new SplittableRandom(instance).nextBytes(value);
        this.buffer = ByteBuffer.wrap(value);
    }

    /** Bytes of every value. */
    public int size() {
        return value.length;
    }

    /** What a received record turned out to be. */
    public enum Kind {
        /** A probe of this canary, in this life and profile. */
        OWN,
        /** A probe of another canary, of a former life of this one, or of another profile. */
        OTHER_CANARY,
        /** No probe at all, or one of a version this canary cannot read. */
        FOREIGN
    }

    /**
     * The value of a probe's record.
     *
     * @param partition the partition it is sent to
     * @param sequence its number within the partition, from 0
     * @param dueNanos when it was due, on this process's monotonic clock
     * @return the shared buffer, overwritten by the next call
     */
    public byte[] encode(int partition, long sequence, long dueNanos) {
        buffer.clear();
        buffer.putInt(MAGIC)
                .put(VERSION)
                .putShort(profile)
                .putInt(partition)
                .putLong(instance)
                .putLong(sequence)
                .putLong(dueNanos);
        return value;
    }

    /**
     * Tells whose record this is.
     *
     * @param received a record's value; may be null
     * @param partition the partition it came from; a probe copied elsewhere (by a mirror) is
     *     foreign
     */
    public Kind recognise(byte[] received, int partition) {
        if (received == null || received.length < HEADER_SIZE) {
            return Kind.FOREIGN;
        }
        ByteBuffer in = ByteBuffer.wrap(received);
        if (in.getInt() != MAGIC || in.get() != VERSION) {
            return Kind.FOREIGN;
        }
        boolean ownProfile = in.getShort() == profile;
        boolean samePartition = in.getInt() == partition;
        if (in.getLong() != instance || !ownProfile) {
            return Kind.OTHER_CANARY;
        }
        return samePartition ? Kind.OWN : Kind.FOREIGN;
    }

    /**
     * The sequence number of a record that {@link #recognise} called {@link Kind#OWN}.
     *
     * @param received the record's value
     */
    public static long sequence(byte[] received) {
        return ByteBuffer.wrap(received).getLong(19);
    }

    /**
     * The same, read from a buffer.
     *
     * @param received a value that this canary wrote, from the buffer's position on
     */
    public static long sequence(ByteBuffer received) {
        return received.getLong(received.position() + 19);
    }
}
