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
 * <p>Layout, big-endian: magic (4 bytes), version (1), zero (2), partition (4), instance (8),
 * sequence (8), due instant on the sender's monotonic clock (8, for reading a dump by eye), then
 * random bytes, then zeros, as {@link ProbeContent} says.
 *
 * <p>Not safe for concurrent writes: the value is built in one buffer, which the Kafka producer
 * copies before send() returns.
 */
public final class ProbeCodec {
    /** Bytes that every probe needs; the least size of a record value. */
    public static final int HEADER_SIZE = 35;

    /** The sequence number of a record that is no probe: see {@link Kind#CALIBRATION}. */
    public static final long NO_PROBE = -1;

    private static final int MAGIC = 0x50485753; // "PHWS"
    private static final byte VERSION = 1;

    private final long instance;
    private final ProbeContent content;
    private final byte[] value;
    private final ByteBuffer buffer;
    private final byte[] key;
    private final SplittableRandom random;

    /** Where the zeros begin. */
    private final int randomEnd;

    /**
     * @param instance drawn at random for each profile at each start of the process, so that another
     *     canary's probes, another profile's and those from before a restart differ from this one's
     * @param content what else the records hold
     */
    public ProbeCodec(long instance, ProbeContent content) {
        this.instance = instance;
        this.content = content;
        this.value = new byte[content.size()];
        this.buffer = ByteBuffer.wrap(value);
        this.key = content.keys() == 0 ? null : new byte[content.keySize()];
        this.random = new SplittableRandom(instance);
        long zeros = Math.round(content.compressibility() * content.size());
        this.randomEnd = (int) Math.max(HEADER_SIZE, content.size() - zeros);
        fill();
    }

    private void fill() {
        int at = HEADER_SIZE;
        for (; at + Long.BYTES <= randomEnd; at += Long.BYTES) {
            buffer.putLong(at, random.nextLong());
        }
        for (; at < randomEnd; at++) {
            value[at] = (byte) random.nextInt();
        }
    }

    /** What a received record turned out to be. */
    public enum Kind {
        /** A probe of this canary and profile, sent since this process started. */
        OWN,
        /** A record of this canary that is no probe: it was sent to calibrate a broker's clock. */
        CALIBRATION,
        /** A probe of another canary, of this one before a restart, or of another profile. */
        OTHER_CANARY,
        /** No probe at all, or one of a version this canary cannot read. */
        FOREIGN
    }

    /**
     * The value of a probe's record.
     *
     * @param partition the partition it is sent to
     * @param sequence its number within the partition, from 0, or {@link #NO_PROBE}
     * @param dueNanos when it was due, on this process's monotonic clock
     * @return the shared buffer, overwritten by the next call
     */
    public byte[] encode(int partition, long sequence, long dueNanos) {
        if (content.batched()) {
            fill();
        }
        buffer.clear();
        buffer.putInt(MAGIC)
                .put(VERSION)
                .putShort((short) 0)
                .putInt(partition)
                .putLong(instance)
                .putLong(sequence)
                .putLong(dueNanos);
        return value;
    }

    /**
     * The key of a probe's record: a decimal number that fills the key's size.
     *
     * @param sequence the probe's number within its partition
     * @return the shared buffer, overwritten by the next call; null where records have no keys
     */
    public byte[] key(long sequence) {
        if (key == null) {
            return null;
        }
        long rest = sequence % content.keys();
        for (int i = key.length - 1; i >= 0; i--) {
            key[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        return key;
    }

    /**
     * Tells whose record this is.
     *
     * @param received a record's value; may be null
     * @param partition the partition it came from; a probe that was copied into another one is
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
        in.getShort(); // zero
        boolean samePartition = in.getInt() == partition;
        if (in.getLong() != instance) {
            return Kind.OTHER_CANARY;
        }
        if (!samePartition) {
            return Kind.FOREIGN;
        }
        return in.getLong() == NO_PROBE ? Kind.CALIBRATION : Kind.OWN;
    }

    /**
     * Whether a record is a probe, or a calibration, of any canary.
     *
     * @param received its value, from the buffer's position on
     */
    public static boolean isProbe(ByteBuffer received) {
        int at = received.position();
        return received.remaining() >= HEADER_SIZE
                && received.getInt(at) == MAGIC
                && received.get(at + Integer.BYTES) == VERSION;
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
