/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.send;

import static io.phasewise.canary.phases.Instants.earlier;
import static io.phasewise.canary.phases.Instants.later;
import static io.phasewise.canary.phases.ProbeObservation.UNKNOWN;

import io.phasewise.canary.estimate.PhaseEstimator;
import io.phasewise.canary.phases.Instants;
import io.phasewise.canary.phases.Timeline;
import io.phasewise.canary.phases.Wait;
import io.phasewise.canary.probe.ProbeCodec;
import io.phasewise.canary.probe.ledger.Probe;
import io.phasewise.canary.probe.ledger.SendResult;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.DispatchTimingProducer.AttemptListener;
import org.apache.kafka.clients.producer.DispatchTimingProducer.Dispatch;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.ApiException;

/**
 * One Kafka producer that carries all probes of a profile, with those that are under way on it:
 * finds out what each waited behind from the requests that decide them. Replacing it is left to
 * {@link PipelinedProducer}.
 *
 * <p>Probes come from one thread, acknowledgements from the producer's network thread.
 */
final class PipelinedClient implements ClientOpener.Opened, AttemptListener {
    private final PipelinedProducer.Settings settings;
    private final SendContext context;
    private final PhaseEstimator estimator;
    private final Consumer<PipelinedClient> broken;
    private final LaneClient client;

    /** What is neither acknowledged nor given up: by partition, then by number. */
    private final Map<Integer, ConcurrentSkipListMap<Long, SentProbe>> underWay =
            new ConcurrentHashMap<>();

    /** Decided by the request that is being completed; network thread only, as the next. */
    private final List<Decided> decided = new ArrayList<>();

    private final Map<Integer, RequestQueue> queues = new HashMap<>();

    /** A probe whose fate a request has decided. */
    private record Decided(SentProbe sent, RecordMetadata metadata, Exception failure) {}

    /**
     * @param serial how many were opened before
     * @param factory makes the producer
     * @param settings how it batches
     * @param context what it works with
     * @param broken told when Kafka put the producer out of service for good
     * @throws org.apache.kafka.common.KafkaException when it cannot be made
     */
    PipelinedClient(
            int serial,
            LaneClient.Factory factory,
            PipelinedProducer.Settings settings,
            SendContext context,
            Consumer<PipelinedClient> broken) {
        this.settings = settings;
        this.context = context;
        this.estimator = context.estimator();
        this.broken = broken;
        this.client = factory.open(0, serial, this);
    }

    @Override
    public LaneClient client() {
        return client;
    }

    private ConcurrentSkipListMap<Long, SentProbe> of(int partition) {
        return underWay.computeIfAbsent(partition, p -> new ConcurrentSkipListMap<>());
    }

    /** Called by one thread. */
    void send(SentProbe sent) {
        Probe probe = sent.probe();
        ProbeCodec codec = settings.codec();
        byte[] value = codec.encode(probe.partition(), probe.sequence(), probe.dueNanos());
        of(probe.partition()).put(probe.sequence(), sent);
        try {
            client.send(
                    probe.partition(),
                    codec.key(probe.sequence()),
                    value,
                    (metadata, failure, dispatch) -> told(sent, metadata, failure, dispatch));
        } catch (RuntimeException e) {
            if (!(e instanceof ApiException)) {
                broken.accept(this); // every later send would fail
            }
            giveUp(sent, e);
        }
    }

    private void told(
            SentProbe sent, RecordMetadata metadata, Exception failure, Dispatch dispatch) {
        if (dispatch == null) {
            giveUp(sent, failure);
        } else {
            decided.add(new Decided(sent, metadata, failure));
        }
    }

    /** No request decided it: the buffer was full, it expired, or the producer closed. */
    private void giveUp(SentProbe sent, Exception failure) {
        if (remove(sent)) {
            sent.fail(failure, List.of(), context);
        }
    }

    private boolean remove(SentProbe sent) {
        return of(sent.probe().partition()).remove(sent.probe().sequence()) != null;
    }

    @Override
    public void attemptFailed(int partition, ByteBuffer value, Dispatch dispatch) {
        SentProbe sent = of(partition).get(ProbeCodec.sequence(value));
        if (sent != null) {
            sent.dispatched(dispatch.dispatched());
        }
    }

    @Override
    public void completed(Dispatch dispatch) {
        try {
            decide(dispatch);
        } catch (RuntimeException e) {
            decided.forEach(this::drop);
            throw e; // counted by the producer that calls
        } finally {
            decided.clear();
        }
    }

    @Override
    public void faulted(RuntimeException fault) {
        context.listener().faulted(fault);
    }

    /** Ends what a fault left undecided; one that was acknowledged still arrives or is lost. */
    private void drop(Decided each) {
        if (remove(each.sent) && each.failure != null) {
            each.sent.fail(each.failure, List.of(), context);
        }
    }

    private void decide(Dispatch dispatch) {
        decided.forEach(each -> each.sent.dispatched(dispatch.dispatched()));
        Map<Integer, Long> ready = batchesReady(dispatch);
        RequestQueue queue =
                queues.computeIfAbsent(dispatch.node(), id -> new RequestQueue(settings.window()));
        for (Decided each : decided) {
            if (!remove(each.sent)) {
                continue; // given up before
            }
            Probe probe = each.sent.probe();
            long batch = ready.get(probe.partition());
            List<Wait> waits = queue.waits(dispatch, later(batch, each.sent.sentAt()));
            if (each.failure == null) {
                long at = dispatch.completed();
                context.acknowledged(
                        probe, at, each.sent.sending(at, dispatch.node(), waits, each.metadata));
            } else {
                each.sent.fail(each.failure, waits, context);
            }
        }
        long first =
                ready.values().stream().reduce(Instants::earlier).orElse(dispatch.dispatched());
        queue.add(
                dispatch,
                first,
                stretch(dispatch, first),
                estimator.answered(dispatch.node(), dispatch.completed()));
    }

    /** When each batch of a request, by partition, was ready to be sent. */
    private Map<Integer, Long> batchesReady(Dispatch dispatch) {
        Map<Integer, List<SentProbe>> batches = new HashMap<>();
        for (Decided each : decided) {
            batches.computeIfAbsent(each.sent.probe().partition(), p -> new ArrayList<>())
                    .add(each.sent);
        }
        Map<Integer, Long> ready = new HashMap<>();
        batches.forEach((p, batch) -> ready.put(p, batchReady(p, batch, dispatch)));
        return ready;
    }

    private long batchReady(int partition, List<SentProbe> batch, Dispatch dispatch) {
        SentProbe first = batch.get(0);
        if (first.retried()) {
            return dispatch.dispatched();
        }
        long lingered = first.sentAt() + settings.linger().toNanos();
        var next = of(partition).higherEntry(batch.get(batch.size() - 1).probe().sequence());
        long full = next == null ? lingered : next.getValue().sentAt();
        return earlier(earlier(lingered, full), dispatch.dispatched());
    }

    private Timeline stretch(Dispatch dispatch, long ready) {
        for (Decided each : decided) {
            if (each.failure == null) {
                return estimator.request(
                        ready,
                        dispatch.dispatched(),
                        dispatch.dispatched(),
                        dispatch.node(),
                        dispatch.completed(),
                        each.metadata.timestamp());
            }
        }
        return Timeline.failedRequest(ready, dispatch.dispatched(), dispatch.completed());
    }

    /** One probe on its way out. Thread-safe. */
    static final class SentProbe {
        private final Probe probe;
        private final long sentAt;
        private final List<Long> dispatches = new ArrayList<>(1);

        SentProbe(Probe probe, long sentAt) {
            this.probe = probe;
            this.sentAt = sentAt;
        }

        Probe probe() {
            return probe;
        }

        long sentAt() {
            return sentAt;
        }

        /** A request that failed is told of twice: as an attempt, and with its last one's fate. */
        synchronized void dispatched(long at) {
            if (!dispatches.contains(at)) {
                dispatches.add(at);
            }
        }

        synchronized boolean retried() {
            return dispatches.size() > 1;
        }

        synchronized SendResult sending(
                long acknowledged, int broker, List<Wait> waits, RecordMetadata metadata) {
            long waited = waits.stream().mapToLong(Wait::nanos).sum();
            return SendResult.of(dispatches, acknowledged, broker, waits, sentAt, waited, metadata);
        }

        void fail(Exception reason, List<Wait> waits, SendContext context) {
            context.failed(probe, reason, sending(UNKNOWN, probe.leader(), waits, null));
        }
    }
}
