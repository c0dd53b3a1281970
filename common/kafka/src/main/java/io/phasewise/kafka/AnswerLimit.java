/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.kafka;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.network.NetworkReceive;

/**
 * How many bytes the answers to this process's Kafka clients may have, one by one and together;
 * reading them is left to {@link NetworkReceive}. Thread-safe.
 *
 * <p>The first four bytes of an answer say how long it is. In an answer from something else than a
 * Kafka broker these bytes read as hundreds of megabytes (a TLS alert 352 MiB, the letters "HTTP"
 * 1.2 GB), and Kafka's clients allocate that at once (KAFKA-4090).
 */
public final class AnswerLimit {
    private static final int MIB = 1 << 20;

    /** The metadata of 100,000 partitions have about 5 MiB. */
    private static final int LEAST = 8 * MIB;

    /** As much as a broker takes in a request, by default (socket.request.max.bytes). */
    private static final int MOST = 100 * MIB;

    /** As much as a broker takes from a client that logs in (sasl.server.max.receive.size). */
    private static final int LOGIN = MIB / 2;

    private static final AnswerLimit OF_PROCESS =
            new AnswerLimit(Runtime.getRuntime().maxMemory());

    private final int one;
    private final AtomicLong arriving = new AtomicLong();

    /**
     * @param heapBytes the most that the heap may have
     */
    public AnswerLimit(long heapBytes) {
        this.one = (int) Math.max(LEAST, Math.min(MOST, heapBytes / 8));
    }

    /** The limit for the clients of this process. */
    public static AnswerLimit ofProcess() {
        return OF_PROCESS;
    }

    /** The most of one answer: an eighth of the heap, but 8 MiB at least and 100 MiB at most. */
    public int bytes() {
        return one;
    }

    /** The most of one answer while a client logs in by SASL: 512 KiB. */
    public int loginBytes() {
        return LOGIN;
    }

    /**
     * What a consumer should ask for at most (fetch.max.bytes), so that its answers fit: half of
     * {@link #bytes}, as a broker may add one batch.
     */
    public int fetchBytes() {
        return one / 2;
    }

    /**
     * Takes room for bytes that are arriving; all of them together may have as much as two answers.
     *
     * @throws IOException when there is no room
     */
    public void take(int bytes) throws IOException {
        if (arriving.addAndGet(bytes) > 2L * one) {
            arriving.addAndGet(-bytes);
            throw new IOException("answers that are arriving together are larger than " + 2L * one + " bytes");
        }
    }

    /** Gives room back. */
    public void giveBack(int bytes) {
        arriving.addAndGet(-bytes);
    }

    /** Bytes that are arriving now. */
    long arriving() {
        return arriving.get();
    }

    /**
     * Whether the limit is in force. It is not where another jar with Kafka's classes comes before
     * this one on the class path.
     */
    public static boolean isInForce() {
        return NetworkReceive.class
                .getProtectionDomain()
                .getCodeSource()
                .equals(AnswerLimit.class.getProtectionDomain().getCodeSource());
    }
}
