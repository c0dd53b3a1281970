/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.fault;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntPredicate;

/**
 * One direction of a {@link FaultyLink}: a delay, and a limit of bandwidth. Every piece of data
 * leaves a fixed time after it came, in the order in which it came. Delays of pieces run side by
 * side. With a limited bandwidth a piece also waits until all pieces before it, of any connection,
 * have passed. Connecting and closing is left to the link.
 *
 * <p>It is some 0.1 ms late on a machine that is not overloaded. A change of the delay holds for
 * data that comes after it; data that came before keeps its delay, and order is kept.
 *
 * <p>Safe for use by several threads.
 */
public final class LinkDirection {

    /** For {@link #narrow}: no limit. */
    public static final long UNBOUNDED = Long.MAX_VALUE;

    /**
     * At most this much is held for one connection; then the sender must wait, as on a full path.
     */
    private static final int MOST_HELD_BYTES = 32 << 20;

    private static final int CHUNK_BYTES = 64 << 10;

    private long delayNanos;
    private long bytesPerSecond = UNBOUNDED;

    /** When all that came so far has passed, by the limit of bandwidth. */
    private long freeAtNanos;

    /** Whose data are held back, by the port of the client. */
    private IntPredicate paused = port -> false;

    LinkDirection() {}

    /**
     * Sets the delay of data that comes from now on.
     *
     * @param delay zero or more
     */
    public synchronized void delay(Duration delay) {
        delayNanos = delay.toNanos();
    }

    /**
     * Sets the bandwidth for data that comes from now on, for all connections together.
     *
     * @param mostBytesPerSecond 1 or more; {@link #UNBOUNDED} for no limit
     */
    public synchronized void narrow(long mostBytesPerSecond) {
        bytesPerSecond = mostBytesPerSecond;
        freeAtNanos = System.nanoTime();
    }

    /**
     * When a piece that comes now leaves: after the pieces before it, the time for its own bytes,
     * and the delay.
     */
    private synchronized long due(int bytes) {
        long now = System.nanoTime();
        if (bytesPerSecond == UNBOUNDED) {
            return now + delayNanos;
        }
        long begin = freeAtNanos - now > 0 ? freeAtNanos : now;
        freeAtNanos = begin + (long) (bytes * 1e9 / bytesPerSecond);
        return freeAtNanos + delayNanos;
    }

    /** Holds back all data, on every connection; connections stay open. */
    public void pause() {
        pause(port -> true);
    }

    /**
     * Holds back the data of some connections; they stay open.
     *
     * @param clients which, by the port of the connection's client
     */
    public synchronized void pause(IntPredicate clients) {
        paused = clients;
    }

    /** Ends the pause: data leaves again when it is due. */
    public synchronized void resume() {
        paused = port -> false;
        notifyAll();
    }

    private synchronized void awaitResumed(int client) throws InterruptedException {
        while (paused.test(client)) {
            wait();
        }
    }

    /**
     * A connection in this direction.
     *
     * @param client the port of its client
     */
    Line line(int client, InputStream from, OutputStream to) {
        return new Line(client, from, to);
    }

    /**
     * A piece of data.
     *
     * @param bytes empty: the end of the stream
     */
    private record Chunk(byte[] bytes, long due) {}

    /** One connection in this direction; one thread reads, one writes. */
    final class Line {
        private final int client;
        private final InputStream from;
        private final OutputStream to;
        private final BlockingQueue<Chunk> held = new LinkedBlockingQueue<>();
        private final Semaphore room = new Semaphore(MOST_HELD_BYTES);
        private volatile boolean broken;

        private Line(int client, InputStream from, OutputStream to) {
            this.client = client;
            this.from = from;
            this.to = to;
        }

        /** Takes in what comes until there is no more. */
        void read() {
            byte[] buffer = new byte[CHUNK_BYTES];
            try {
                int count = from.read(buffer);
                while (count >= 0 && !broken) {
                    room.acquireUninterruptibly(count);
                    held.add(new Chunk(Arrays.copyOf(buffer, count), due(count)));
                    count = from.read(buffer);
                }
            } catch (IOException e) {
                // A broken connection is the end of the stream, too.
            } finally {
                held.add(new Chunk(new byte[0], System.nanoTime()));
            }
        }

        /**
         * Passes on what is due until everything that came is out.
         *
         * @throws IOException when the receiver is gone
         */
        void write() throws IOException {
            try {
                for (byte[] bytes = next(); bytes.length > 0; bytes = next()) {
                    room.release(bytes.length);
                    to.write(bytes);
                    to.flush();
                }
            } finally {
                broken = true;
                // Wakes the reader, which may wait for room.
                room.release(MOST_HELD_BYTES);
            }
        }

        /** Waits until the next piece is due; empty at the end. */
        private byte[] next() throws IOException {
            try {
                Chunk first = held.take();
                for (long wait; (wait = first.due - System.nanoTime()) > 0; ) {
                    LockSupport.parkNanos(wait);
                }
                awaitResumed(client);
                return first.bytes;
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
    }
}
