/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Takes pushes from the broker's request handlers, which never wait here and into which nothing is
 * thrown, to a thread of the exporter's own, which reads them in the order of their arrival.
 */
final class PushQueue {

    /** That may wait to be read; one beyond that is dropped and counted. */
    static final int MOST_PUSHES = 4_096;

    private final ClientLedger ledger;
    private final ClientMemory memory;
    private final PushDecoder decoder = new PushDecoder();

    /** What became of all pushes. */
    final PushCounts counts = new PushCounts();

    /** Larger pushes are refused. */
    final int maxPushBytes;

    private final LongSupplier nanoClock;
    private final Consumer<String> errorLog;
    private final BlockingQueue<Push> waiting = new LinkedBlockingQueue<>(MOST_PUSHES);
    private boolean failing;

    PushQueue(
            ClientLedger ledger,
            int maxPushBytes,
            LongSupplier nanoClock,
            Consumer<String> errorLog) {
        this.ledger = ledger;
        this.memory = ledger.memory();
        this.maxPushBytes = maxPushBytes;
        this.nanoClock = nanoClock;
        this.errorLog = errorLog;
    }

    /**
     * Takes a copy of a push, or counts it as refused. Never waits.
     *
     * @param sender the client
     * @param intervalNanos how often the client was told to push; 0 not known
     * @param terminating whether it is the client's last
     * @param data decompressed; left as it is
     */
    void offer(Push.Sender sender, long intervalNanos, boolean terminating, ByteBuffer data) {
        ByteBuffer source = data.duplicate();
        int size = source.remaining();
        if (size > maxPushBytes) {
            counts.add(PushCounts.Result.TOO_LARGE);
            return;
        }
        long held = held(sender, size);
        if (!memory.reserve(ClientMemory.Use.WAITING, held, ClientMemory.Refusal.PUSH_NO_ROOM)) {
            counts.add(PushCounts.Result.DROPPED);
            return;
        }
        byte[] bytes = new byte[size];
        source.get(bytes);
        Push push = new Push(sender, intervalNanos, terminating, nanoClock.getAsLong(), bytes);
        if (!waiting.offer(push)) {
            memory.release(ClientMemory.Use.WAITING, held);
            memory.refused.add(ClientMemory.Refusal.PUSH_NO_ROOM);
            counts.add(PushCounts.Result.DROPPED);
        }
    }

    /** Reads pushes until the thread is interrupted. */
    void run() {
        try {
            while (true) {
                read(waiting.take());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Reads what waits; what cannot be read is counted and leaves no trace. */
    void drain() {
        for (Push push = waiting.poll(); push != null; push = waiting.poll()) {
            read(push);
        }
    }

    private void read(Push push) {
        try {
            if (ledger.add(push, decoder.decode(push.bytes))) {
                counts.accepted(push.bytes.length);
            } else {
                counts.add(PushCounts.Result.DROPPED);
            }
            failing = false;
        } catch (MalformedPushException e) {
            counts.add(PushCounts.Result.MALFORMED);
        } catch (Throwable e) {
            counts.add(PushCounts.Result.FAILED);
            report(e);
        } finally {
            memory.release(ClientMemory.Use.WAITING, held(push.sender, push.bytes.length));
        }
    }

    /** Once until a push can be read again. A log that throws must not end the thread. */
    private void report(Throwable fault) {
        if (failing) {
            return;
        }
        failing = true;
        try {
            errorLog.accept("what a client pushed could not be read: " + fault);
        } catch (Throwable e) {
            counts.add(PushCounts.Result.FAILED);
        }
    }

    private static long held(Push.Sender sender, int size) {
        return ClientMemory.PUSH_BYTES
                + size
                + 2L
                        * (sender.clientId.length()
                                + sender.softwareName.length()
                                + sender.softwareVersion.length());
    }
}
