/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.fault;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One direction of a {@link FaultyLink}: a delay line, as wide as one likes. Every piece of data
 * leaves a fixed time after it came, in the order in which it came; a piece never waits for the one
 * before it to be delayed first, but on a narrow way for all before it, of any connection, to have
 * passed. Connecting and closing is left to the link.
 *
 * <p>Late by some 0.1 ms on a machine that is not overloaded. A change of the delay holds for what
 * comes from then on; what came before keeps its delay, and nothing overtakes.
 *
 * <p>Safe for use by several threads.
 */
public final class Way {

    /** For {@link #narrow}: as wide as the machine is. */
    public static final long UNBOUNDED = Long.MAX_VALUE;

    /**
     * Held for one connection at most; beyond that the sender is made to wait, as by a full path.
     */
    private static final int MOST_HELD_BYTES = 32 << 20;

    private static final int CHUNK_BYTES = 64 << 10;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private long delayNanos;
    private long bytesPerSecond = UNBOUNDED;

    /** When all that came so far has passed the narrow place. */
    private long freeAtNanos;

    private boolean paused;

    Way() {}

    /**
     * Sets how long everything takes that comes from now on.
     *
     * @param delay zero or more
     */
    public void delay(Duration delay) {
        locked(() -> delayNanos = delay.toNanos());
    }

    /**
     * Sets how much passes in a second of what comes from now on, over all connections together.
     *
     * @param mostBytesPerSecond 1 or more; {@link #UNBOUNDED} to let everything pass at once
     */
    public void narrow(long mostBytesPerSecond) {
        locked(
                () -> {
                    bytesPerSecond = mostBytesPerSecond;
                    freeAtNanos = System.nanoTime();
                });
    }

    /** When a piece that comes now leaves: after those before it, its own length, and the delay. */
    private long due(int bytes) {
        long now = System.nanoTime();
        if (bytesPerSecond == UNBOUNDED) {
            return now + delayNanos;
        }
        long begin = freeAtNanos - now > 0 ? freeAtNanos : now;
        freeAtNanos = begin + (long) (bytes * 1e9 / bytesPerSecond);
        return freeAtNanos + delayNanos;
    }

    /** Lets nothing leave any more, on any connection; connections stay open. */
    public void pause() {
        setPaused(true);
    }

    /** Lets everything leave that is due, and whatever comes. */
    public void resume() {
        setPaused(false);
    }

    private void setPaused(boolean value) {
        locked(
                () -> {
                    paused = value;
                    changed.signalAll();
                });
    }

    private void locked(Runnable change) {
        lock.lock();
        try {
            change.run();
        } finally {
            lock.unlock();
        }
    }

    Line line(InputStream from, OutputStream to) {
        return new Line(from, to);
    }

    private record Chunk(byte[] bytes, long due) {}

    /** One connection's part of the way: one thread reads, one writes. */
    final class Line {
        private final InputStream from;
        private final OutputStream to;
        private final Deque<Chunk> held = new ArrayDeque<>();
        private final Condition moved = lock.newCondition();
        private int heldBytes;
        private boolean ended;
        private boolean broken;

        private Line(InputStream from, OutputStream to) {
            this.from = from;
            this.to = to;
        }

        /** Takes in what comes until there is no more. */
        void read() {
            byte[] buffer = new byte[CHUNK_BYTES];
            try {
                int count = from.read(buffer);
                while (count >= 0 && take(Arrays.copyOf(buffer, count))) {
                    count = from.read(buffer);
                }
            } catch (IOException e) {
                // The end of the stream, only ruder.
            } finally {
                end();
            }
        }

        private boolean take(byte[] bytes) {
            lock.lock();
            try {
                while (heldBytes > MOST_HELD_BYTES && !broken) {
                    moved.awaitUninterruptibly();
                }
                held.add(new Chunk(bytes, due(bytes.length)));
                heldBytes += bytes.length;
                moved.signalAll();
                return !broken;
            } finally {
                lock.unlock();
            }
        }

        private void end() {
            locked(
                    () -> {
                        ended = true;
                        moved.signalAll();
                    });
        }

        /**
         * Passes on what is due until everything that came is out.
         *
         * @throws IOException when the receiver is gone
         */
        void write() throws IOException {
            try {
                for (byte[] bytes = next(); bytes.length > 0; bytes = next()) {
                    to.write(bytes);
                    to.flush();
                }
            } finally {
                broken();
            }
        }

        /** Waits for the next piece to be due; nothing at the end. */
        private byte[] next() throws IOException {
            lock.lock();
            try {
                while (true) {
                    Chunk first = held.peek();
                    long wait = first == null ? 0 : first.due - System.nanoTime();
                    if (paused) {
                        changed.awaitUninterruptibly();
                    } else if (first == null && ended) {
                        return new byte[0];
                    } else if (first == null) {
                        moved.awaitUninterruptibly();
                    } else if (wait > 0) {
                        changed.awaitNanos(wait);
                    } else {
                        held.remove();
                        heldBytes -= first.bytes.length;
                        moved.signalAll();
                        return first.bytes;
                    }
                }
            } catch (InterruptedException e) {
                throw new IOException(e);
            } finally {
                lock.unlock();
            }
        }

        private void broken() {
            locked(
                    () -> {
                        broken = true;
                        moved.signalAll();
                    });
        }
    }
}
