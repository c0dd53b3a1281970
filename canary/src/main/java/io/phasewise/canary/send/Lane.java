/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.send;

import io.phasewise.canary.phases.Wait;
import io.phasewise.canary.probe.ProbeCodec;
import io.phasewise.canary.probe.ledger.Probe;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.apache.kafka.clients.producer.DispatchTimingProducer.AttemptListener;
import org.apache.kafka.clients.producer.DispatchTimingProducer.Dispatch;
import org.apache.kafka.clients.producer.DispatchTimingProducer.KnownLeader;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * One Kafka producer with the probes that are under way on it; which probe takes it is left to the
 * pool, opening it to {@link ClientOpener}. Thread-safe unless said otherwise.
 */
final class Lane implements ClientOpener.Opened, AttemptListener {
    final int number;
    private final ProbeProducer owner;
    private final SendContext context;
    private final Map<Long, LaneProbe> underWay = new ConcurrentHashMap<>();

    /** Used by the one thread that is sending. */
    private final ProbeCodec codec;

    /** Null where each probe has a request of its own. */
    private final RequestBatches batches;

    private final LaneClient client;
    private final Deque<LaneProbe> toSend = new ArrayDeque<>();
    private boolean sending;
    private boolean closed;

    /** The thread that is handing a record to the client at this moment; null while none is. */
    private volatile Thread sendingThread;

    /** Who leads what, by its client; used by the ticking thread only. */
    private Map<Integer, KnownLeader> known = Map.of();

    private volatile boolean ready;
    private volatile boolean retired;

    /**
     * @param number the lane's, from 0
     * @param serial how many were opened before
     * @param factory makes its client
     * @param codec writes the records
     * @param pipeline how probes share it; empty where each has a request of its own
     * @param owner learns what becomes of it
     * @param context what it works with
     * @throws KafkaException when its client cannot be made
     */
    Lane(
            int number,
            int serial,
            LaneClient.Factory factory,
            ProbeCodec codec,
            Optional<LaneSettings.Pipeline> pipeline,
            ProbeProducer owner,
            SendContext context) {
        this.number = number;
        this.codec = codec;
        this.owner = owner;
        this.context = context;
        this.batches = pipeline.map(each -> new RequestBatches(each, context.estimator(), this))
                .orElse(null);
        this.client = factory.open(number, serial, this);
    }

    @Override
    public LaneClient client() {
        return client;
    }

    /** Asks its client who leads what. */
    Map<Integer, KnownLeader> learnLeaders() {
        known = client.leaders();
        return known;
    }

    /** What it last learned of leaders. */
    Map<Integer, KnownLeader> knownLeaders() {
        return known;
    }

    /** Takes a probe to be sent; returns false when the lane was closed since its grant. */
    synchronized boolean accept(LaneProbe probe) {
        if (!closed) {
            toSend.add(probe);
        }
        return !closed;
    }

    /**
     * Sends, or leaves it to the thread that is sending. A probe that fails at once sets off the
     * next one from within, hence the queue instead of a recursion as deep as the queue of those
     * who wait. No lock is held while sending.
     */
    void sendAccepted() {
        synchronized (this) {
            if (sending) {
                return;
            }
            sending = true;
        }
        for (LaneProbe next = nextToSend(); next != null; next = nextToSend()) {
            send(next);
        }
        finishIfDone();
    }

    private synchronized LaneProbe nextToSend() {
        LaneProbe next = toSend.poll();
        sending = next != null;
        return next;
    }

    private void send(LaneProbe next) {
        Probe probe = next.probe();
        underWay.put(key(probe.partition(), probe.sequence()), next);
        long now = context.nanoClock().getAsLong();
        next.sent(now);
        probe.handedOver(now);
        if (batches != null) {
            batches.sending(next);
        }
        sendingThread = Thread.currentThread();
        try {
            client.send(
                    probe.partition(),
                    codec.key(probe.sequence()),
                    codec.encode(probe.partition(), probe.sequence(), probe.dueNanos()),
                    (metadata, failure, dispatch) -> completed(next, metadata, failure, dispatch));
        } catch (RuntimeException e) {
            if (!(e instanceof ApiException)) {
                owner.broken(this); // every later send would fail
            }
            decided(next, null, e, null, List.of());
        } finally {
            sendingThread = null;
        }
    }

    private void completed(LaneProbe probe, RecordMetadata metadata, Exception failure, Dispatch dispatch) {
        if (batches == null && isWithoutLeader(failure)) {
            owner.withoutLeader(this, probe);
        } else if (batches == null || dispatch == null) {
            decided(probe, metadata, failure, dispatch, List.of());
        } else {
            batches.decided(probe, metadata, failure);
        }
    }

    /**
     * Whether the client did not take the record because it knows no leader: that happens after it
     * has lost every broker that it knew, and has forgotten all topics (KIP-899). A topic that does
     * not exist, as a broker says, is another matter.
     */
    private boolean isWithoutLeader(Exception failure) {
        return sendingThread == Thread.currentThread()
                && failure != null
                && failure.getClass() == TimeoutException.class
                && !(failure.getCause() instanceof UnknownTopicOrPartitionException);
    }

    /** See {@link ProbeProducer#decided}. */
    void decided(LaneProbe probe, RecordMetadata metadata, Exception failure, Dispatch dispatch, List<Wait> waits) {
        owner.decided(this, probe, metadata, failure, dispatch, waits);
    }

    @Override
    public void attemptFailed(int partition, ByteBuffer value, Dispatch dispatch) {
        LaneProbe probe = underWay.get(key(partition, ProbeCodec.sequence(value)));
        if (probe != null) {
            probe.dispatched(dispatch);
        }
    }

    @Override
    public void completed(Dispatch dispatch) {
        if (batches != null) {
            batches.completed(dispatch);
        }
    }

    @Override
    public void faulted(RuntimeException fault) {
        context.listener().faulted(fault);
    }

    @Override
    public void throttled(int millis) {
        context.listener().throttled(millis);
    }

    /** Takes off a probe whose fate is known. */
    void remove(Probe probe) {
        underWay.remove(key(probe.partition(), probe.sequence()));
    }

    /** Whether such a probe is under way. */
    boolean carries(Predicate<LaneProbe> which) {
        return underWay.values().stream().anyMatch(which);
    }

    /** Lets it take probes: it is connected. */
    void open() {
        ready = true;
    }

    boolean isOpen() {
        return ready;
    }

    boolean inUse() {
        return ready && !retired;
    }

    boolean isRetired() {
        return retired;
    }

    /** Takes no more probes and is finished with once its last one has ended. */
    void retire() {
        retired = true;
        finishIfDone();
    }

    void finishIfDone() {
        synchronized (this) {
            if (!retired || closed || sending || !toSend.isEmpty() || !underWay.isEmpty()) {
                return;
            }
            closed = true;
        }
        owner.finished(this);
    }

    private static long key(int partition, long sequence) {
        return ((long) partition << 44) ^ sequence;
    }
}
