/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import com.google.protobuf.InvalidProtocolBufferException;
import io.phasewise.exporter.series.SeriesRegistry;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Takes pushes from the broker's request handlers, which never wait here and into which nothing is
 * thrown, to a thread of the exporter's own, which reads them in the order of their arrival. Counts
 * what becomes of them.
 */
final class PushQueue {

    /** That may wait to be read; one beyond that is dropped and counted. */
    static final int MOST_PUSHES = 4_096;

    private static final String DROPPED = "dropped";

    private final ClientLedger ledger;
    private final ClientMemory memory;
    private final PushDecoder decoder = new PushDecoder();

    /** What became of them, by result. */
    final Counter pushes;

    private final CounterDataPoint unreadable;
    private final Counter bytes;

    /** Larger pushes are refused. */
    final int maxPushBytes;

    private final LongSupplier nanoClock;
    private final Consumer<String> errorLog;
    private final BlockingQueue<Push> waiting = new LinkedBlockingQueue<>(MOST_PUSHES);
    private boolean failing;

    /**
     * @param memory that of the ledger
     * @param registry takes the metrics
     * @param nanoClock monotonic nanoseconds
     * @param errorLog takes a line when pushes cannot be read
     */
    PushQueue(
            ClientLedger ledger,
            ClientMemory memory,
            int maxPushBytes,
            PrometheusRegistry registry,
            LongSupplier nanoClock,
            Consumer<String> errorLog) {
        this.ledger = ledger;
        this.memory = memory;
        this.maxPushBytes = maxPushBytes;
        this.nanoClock = nanoClock;
        this.errorLog = errorLog;
        SeriesRegistry series = new SeriesRegistry(registry);
        pushes = series.counter(
                "kafka_exporter_client_pushes_total",
                "accepted",
                "malformed",
                "too_large",
                DROPPED,
                "failed",
                "unreadable");
        unreadable = pushes.labelValues("unreadable");
        bytes = series.counter("kafka_exporter_client_push_bytes_total");
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
            tooLarge();
            return;
        }
        long held = held(sender, size);
        if (!memory.waiting.take(held, "push_no_room")) {
            count(DROPPED);
            return;
        }
        byte[] content = new byte[size];
        source.get(content);
        Push push = new Push(sender, intervalNanos, terminating, nanoClock.getAsLong(), content);
        if (!waiting.offer(push)) {
            memory.waiting.release(held);
            memory.refuse("push_no_room");
            count(DROPPED);
        }
    }

    /** Counts a push that is larger than allowed, once decompressed. */
    void tooLarge() {
        count("too_large");
    }

    /** Counts a push that the broker could not read. */
    void unreadable() {
        unreadable.inc();
    }

    /** Counts a push, or anything else about one, that went wrong. */
    void failed() {
        count("failed");
    }

    private void count(String result) {
        pushes.labelValues(result).inc();
    }

    /** Has a thread read pushes from now on. */
    void start() {
        Thread reader = new Thread(this::run, "phasewise-exporter-clients");
        reader.setDaemon(true);
        reader.start();
    }

    private void run() {
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
            if (ledger.add(push, decoder.decode(push.bytes, Library.of(push.sender)))) {
                count("accepted");
                bytes.inc(push.bytes.length);
            } else {
                count(DROPPED);
            }
            failing = false;
        } catch (InvalidProtocolBufferException e) {
            count("malformed");
        } catch (Throwable e) {
            failed();
            report(e);
        } finally {
            memory.waiting.release(held(push.sender, push.bytes.length));
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
            failed();
        }
    }

    private static long held(Push.Sender sender, int size) {
        int names = sender.clientId.length() + sender.softwareName.length() + sender.softwareVersion.length();
        return ClientMemory.PUSH_BYTES + size + 2L * names;
    }
}
