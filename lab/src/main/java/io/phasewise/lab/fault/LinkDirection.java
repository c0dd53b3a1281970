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

/**
 * One direction of a {@link FaultyLink}: a delay line, as wide as one likes. Every piece of data
 * leaves a fixed time after it came, in the order in which it came; a piece never waits for the one
 * before it to be delayed first, but where it is narrow for all before it, of any connection, to
 * have passed. Connecting and closing is left to the link.
 *
 * <p>Late by some 0.1 ms on a machine that is not overloaded. A change of the delay holds for what
 * comes from then on; what came before keeps its delay, and nothing overtakes.
 *
 * <p>Safe for use by several threads.
 */
public final class LinkDirection {

    /** For {@link #narrow}: as wide as the machine is. */
    public static final long UNBOUNDED = Long.MAX_VALUE;

    /**
     * Held for one connection at most; beyond that the sender is made to wait, as by a full path.
     */
    private static final int MOST_HELD_BYTES = 32 << 20;

    private static final int CHUNK_BYTES = 64 << 10;

    private long delayNanos;
    private long bytesPerSecond = UNBOUNDED;

    /** When all that came so far has passed the narrow place. */
    private long freeAtNanos;

    private boolean paused;

    LinkDirection() {}

    /**
     * Sets how long everything takes that comes from now on.
     *
     * @param delay zero or more
     */
    public synchronized void delay(Duration delay) {
        delayNanos = delay.toNanos();
    }

    /**
     * Sets how much passes in a second of what comes from now on, over all connections together.
     *
     * @param mostBytesPerSecond 1 or more; {@link #UNBOUNDED} to let everything pass at once
     */
    public synchronized void narrow(long mostBytesPerSecond) {
        bytesPerSecond = mostBytesPerSecond;
        freeAtNanos = System.nanoTime();
    }

    /** When a piece that comes now leaves: after those before it, its own length, and the delay. */
    private synchronized long due(int bytes) {
        long now = System.nanoTime();
        if (bytesPerSecond == UNBOUNDED) {
            return now + delayNanos;
        }
        long begin = freeAtNanos - now > 0 ? freeAtNanos : now;
        freeAtNanos = begin + (long) (bytes * 1e9 / bytesPerSecond);
        return freeAtNanos + delayNanos;
    }

    /** Lets nothing leave any more, on any connection; connections stay open. */
    public synchronized void pause() {
        paused = true;
    }

    /** Lets everything leave that is due, and whatever comes. */
    public synchronized void resume() {
        paused = false;
        notifyAll();
    }

    private synchronized void awaitResumed() throws InterruptedException {
        while (paused) {
            wait();
        }
    }

    Line line(InputStream from, OutputStream to) {
        return new Line(from, to);
    }

    /**
     * A piece of data.
     *
     * @param bytes none at the end
     */
    private record Chunk(byte[] bytes, long due) {}

    /** One connection in this direction: one thread reads, one writes. */
    final class Line {
        private final InputStream from;
        private final OutputStream to;
        private final BlockingQueue<Chunk> held = new LinkedBlockingQueue<>();
        private final Semaphore room = new Semaphore(MOST_HELD_BYTES);
        private volatile boolean broken;

        private Line(InputStream from, OutputStream to) {
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
                // The end of the stream, only ruder.
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
                // Whoever waits for room sees it.
                room.release(MOST_HELD_BYTES);
            }
        }

        /** Waits for the next piece to be due; nothing at the end. */
        private byte[] next() throws IOException {
            try {
                Chunk first = held.take();
                for (long wait; (wait = first.due - System.nanoTime()) > 0; ) {
                    LockSupport.parkNanos(wait);
                }
                awaitResumed();
                return first.bytes;
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
    }
}
