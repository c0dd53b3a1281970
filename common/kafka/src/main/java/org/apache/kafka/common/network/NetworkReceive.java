/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.apache.kafka.common.network;

import io.phasewise.kafka.AnswerLimit;
import java.io.EOFException;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.nio.channels.ScatteringByteChannel;
import org.apache.kafka.common.memory.MemoryPool;

/**
 * One answer as it arrives: four bytes that say how long it is, then so many bytes. Takes the place
 * of Kafka's class of this name, which believes the length and allocates it at once (KAFKA-4090);
 * {@link AnswerLimit} says how long an answer may be.
 *
 * <p>Every byte that a Kafka client reads, of whatever kind the client is, passes through this
 * class: that of a login, too, which no setting and no constructor of a client reaches. So the
 * bound is here. It belongs before Kafka's on the class path; a contract test compares the two.
 *
 * <p>Memory grows with what has arrived, not with what was announced: a peer that announces much
 * and sends little holds little. An answer that is refused breaks the connection, as if the peer
 * had closed it, and the client tries again.
 */
public class NetworkReceive implements Receive {
    public static final String UNKNOWN_SOURCE = "";
    public static final int UNLIMITED = -1;

    /** Announced answers are allocated at once up to here; most are much shorter. */
    static final int FIRST_BYTES = 64 << 10;

    private static final int UNKNOWN = -1;

    /** Gives back the room of a receive that was dropped without being closed. */
    private static final Cleaner CLEANER = Cleaner.create();

    private final String source;
    private final int most;
    private final AnswerLimit limit;
    private final ByteBuffer prefix = ByteBuffer.allocate(Integer.BYTES);
    private int announced = UNKNOWN;
    private ByteBuffer buffer;

    /** Null while the answer needs no more than the first bytes. */
    private Room room;

    /** What a long answer has taken of the room for all. */
    private static final class Room implements Runnable {
        private final AnswerLimit limit;
        private int taken;
        private Cleaner.Cleanable cleanable;

        private Room(AnswerLimit limit) {
            this.limit = limit;
        }

        private synchronized void take(int bytes) throws IOException {
            limit.take(bytes);
            taken += bytes;
        }

        @Override
        public synchronized void run() {
            limit.giveBack(taken);
            taken = 0;
        }
    }

    /** A whole answer. */
    public NetworkReceive(String source, ByteBuffer buffer) {
        this(source);
        this.buffer = buffer;
    }

    /** What arrives while a client logs in, as {@code SaslClientAuthenticator} makes it. */
    public NetworkReceive(String source) {
        this(AnswerLimit.ofProcess().loginBytes(), source);
    }

    public NetworkReceive(int maxSize, String source) {
        this(maxSize, source, MemoryPool.NONE);
    }

    /**
     * Made by {@code KafkaChannel} for each answer.
     *
     * @param pool not asked: clients have none
     */
    public NetworkReceive(int maxSize, String source, MemoryPool pool) {
        this(maxSize, source, AnswerLimit.ofProcess());
    }

    NetworkReceive(int maxSize, String source, AnswerLimit limit) {
        this.source = source;
        this.most = maxSize == UNLIMITED ? limit.bytes() : Math.min(maxSize, limit.bytes());
        this.limit = limit;
    }

    public NetworkReceive() {
        this(UNKNOWN_SOURCE);
    }

    @Override
    public String source() {
        return source;
    }

    @Override
    public boolean complete() {
        return !prefix.hasRemaining() && buffer != null && !buffer.hasRemaining() && buffer.limit() >= announced;
    }

    /**
     * Reads what is there.
     *
     * @return how many bytes
     * @throws IOException when the connection is closed, or the answer refused
     */
    @Override
    public long readFrom(ScatteringByteChannel channel) throws IOException {
        long read = 0;
        if (prefix.hasRemaining()) {
            read += read(channel, prefix);
            if (prefix.hasRemaining()) {
                return read;
            }
            announced = announced();
            buffer = ByteBuffer.allocate(Math.min(announced, FIRST_BYTES));
        }
        while (buffer.limit() < announced || buffer.hasRemaining()) {
            if (!buffer.hasRemaining()) {
                grow();
            }
            read += read(channel, buffer);
            if (buffer.hasRemaining()) {
                return read; // the rest has not arrived yet
            }
        }
        leaveRoom();
        return read;
    }

    private static int read(ScatteringByteChannel channel, ByteBuffer into) throws IOException {
        int read = channel.read(into);
        if (read < 0) {
            throw new EOFException();
        }
        return read;
    }

    private int announced() throws IOException {
        int bytes = prefix.getInt(0);
        if (bytes < 0 || bytes > most) {
            throw new IOException("an answer that announces " + Integer.toUnsignedLong(bytes) + " bytes is refused: "
                    + most + " are the most that this process takes");
        }
        return bytes;
    }

    private void grow() throws IOException {
        int bytes = (int) Math.min(announced, 2L * buffer.capacity());
        if (room == null) {
            room = new Room(limit);
            room.cleanable = CLEANER.register(this, room);
        }
        room.take(bytes - buffer.capacity());
        ByteBuffer larger = ByteBuffer.allocate(bytes);
        buffer.flip();
        larger.put(buffer);
        buffer = larger;
    }

    private void leaveRoom() {
        if (room != null) {
            room.cleanable.clean();
            room = null;
        }
    }

    @Override
    public boolean requiredMemoryAmountKnown() {
        return announced != UNKNOWN;
    }

    @Override
    public boolean memoryAllocated() {
        return buffer != null;
    }

    @Override
    public void close() {
        leaveRoom();
        buffer = null;
    }

    public ByteBuffer payload() {
        return buffer;
    }

    public int bytesRead() {
        return prefix.position() + (buffer == null ? 0 : buffer.position());
    }

    /** Payload and prefix, once the whole is there. */
    public int size() {
        return payload().limit() + prefix.limit();
    }
}
