/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.send;

import static io.phasewise.canary.phases.Instants.earlier;
import static io.phasewise.canary.phases.Instants.later;

import io.phasewise.canary.estimate.PhaseEstimator;
import io.phasewise.canary.phases.Instants;
import io.phasewise.canary.phases.Timeline;
import io.phasewise.canary.phases.Wait;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.DispatchTimingProducer.Dispatch;
import org.apache.kafka.clients.producer.RecordMetadata;

/**
 * One lane that carries all probes of a profile: finds out what each waited behind from the
 * requests that decide them. Replacing it is left to {@link PipelinedProducer}.
 *
 * <p>Probes come from one thread, acknowledgements from the Kafka producer's network thread.
 */
final class PipelinedClient implements ClientOpener.Opened, Lane.Owner {
    private final PipelinedProducer.Settings settings;
    private final SendContext context;
    private final PhaseEstimator estimator;
    private final PipelinedProducer owner;
    private final Lane lane;

    /** Handed over last, by partition; of the sending thread. */
    private final Map<Integer, LaneProbe> latest = new HashMap<>();

    /** Decided by the request that is being completed; network thread only, as the next. */
    private final List<Decided> decided = new ArrayList<>();

    private final Map<Integer, RequestQueue> queues = new HashMap<>();

    /** A probe whose fate a request has decided. */
    private record Decided(LaneProbe probe, RecordMetadata metadata, Exception failure) {
        int partition() {
            return probe.probe().partition();
        }
    }

    /**
     * @param serial how many were opened before
     * @param factory makes the producer
     * @param settings how it batches
     * @param context what it works with
     * @param owner told when it is out of service, and when it may be closed
     * @throws org.apache.kafka.common.KafkaException when it cannot be made
     */
    PipelinedClient(
            int serial,
            LaneClient.Factory factory,
            PipelinedProducer.Settings settings,
            SendContext context,
            PipelinedProducer owner) {
        this.settings = settings;
        this.context = context;
        this.estimator = context.estimator();
        this.owner = owner;
        this.lane = new Lane(0, serial, factory, settings.codec(), this, context);
    }

    @Override
    public LaneClient client() {
        return lane.client();
    }

    /** Called by one thread. */
    void send(LaneProbe probe) {
        LaneProbe before = latest.put(probe.probe().partition(), probe);
        if (before != null) {
            before.followedBy(probe);
        }
        lane.send(probe);
    }

    /** Takes no more probes; what is under way goes on. */
    void retire() {
        lane.retire();
    }

    @Override
    public void broken(Lane broken) {
        owner.broken(this);
    }

    @Override
    public void finished(Lane finished) {
        owner.discard(this);
    }

    @Override
    public void ended(
            Lane on,
            LaneProbe probe,
            RecordMetadata metadata,
            Exception failure,
            Dispatch dispatch) {
        Decided now = new Decided(probe, metadata, failure);
        if (dispatch == null) {
            end(now, null, List.of()); // the buffer was full, it expired, or the producer closed
            lane.finishIfDone();
        } else {
            decided.add(now);
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
            lane.finishIfDone();
        }
    }

    /** Ends what a fault left undecided; one that was acknowledged still arrives or is lost. */
    private void drop(Decided each) {
        lane.remove(each.probe.probe());
        if (each.failure != null) {
            end(each, null, List.of());
        }
    }

    private void end(Decided each, Dispatch dispatch, List<Wait> waits) {
        boolean failed = each.failure != null;
        long now = dispatch == null ? context.nanoClock().getAsLong() : dispatch.completed();
        if (each.probe.end(failed, dispatch, each.metadata, waits, now, estimator)) {
            lane.remove(each.probe.probe());
            context.ended(each.probe, each.failure);
        }
    }

    private void decide(Dispatch dispatch) {
        decided.forEach(each -> each.probe.dispatched(dispatch));
        Map<Integer, Long> ready = batchesReady(dispatch);
        RequestQueue queue =
                queues.computeIfAbsent(dispatch.node(), id -> new RequestQueue(settings.window()));
        for (Decided each : decided) {
            long batch = ready.get(each.partition());
            end(each, dispatch, queue.waits(dispatch, later(batch, each.probe.handedOverAt())));
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
        Map<Integer, List<LaneProbe>> batches = new HashMap<>();
        for (Decided each : decided) {
            batches.computeIfAbsent(each.partition(), p -> new ArrayList<>()).add(each.probe);
        }
        Map<Integer, Long> ready = new HashMap<>();
        batches.forEach((p, batch) -> ready.put(p, batchReady(batch, dispatch)));
        return ready;
    }

    private long batchReady(List<LaneProbe> batch, Dispatch dispatch) {
        LaneProbe first = batch.get(0);
        if (first.retried()) {
            return dispatch.dispatched();
        }
        long lingered = first.handedOverAt() + settings.linger().toNanos();
        LaneProbe next = batch.get(batch.size() - 1).nextUnderWay();
        long full = next == null ? lingered : next.handedOverAt();
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
}
