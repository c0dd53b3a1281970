/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.send;

import static io.phasewise.canary.phases.Instants.earlier;
import static io.phasewise.canary.phases.Instants.later;

import io.phasewise.canary.phases.Instants;
import io.phasewise.canary.phases.Timeline;
import io.phasewise.canary.phases.Wait;
import io.phasewise.canary.split.PhaseEstimator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.DispatchTimingProducer.Dispatch;
import org.apache.kafka.clients.producer.RecordMetadata;

/**
 * Finds out what each probe of a pipelined lane waited behind, from the requests that decide them;
 * what a request waits behind is left to {@link RequestQueue}.
 *
 * <p>A batch is ready to be sent when its first record has lingered, or when the next record of its
 * partition found it full, which is when that one was handed over. What a probe waits before that
 * is batching and stays in produce. Of a retried probe, nothing before its last dispatch is charged
 * to a request in front.
 *
 * <p>Used by the Kafka producer's network thread, except {@link #sending}.
 */
final class RequestBatches {
    private final LaneSettings.Pipeline pipeline;
    private final PhaseEstimator estimator;
    private final Lane lane;

    /** The probe handed over last, by partition; used by the sending thread only. */
    private final Map<Integer, LaneProbe> latest = new HashMap<>();

    /** Decided by the request that is being completed. */
    private final List<Decided> decided = new ArrayList<>();

    private final Map<Integer, RequestQueue> queues = new HashMap<>();

    /** A probe whose fate a request has decided. */
    private record Decided(LaneProbe probe, RecordMetadata metadata, Exception failure) {
        int partition() {
            return probe.probe().partition();
        }
    }

    /**
     * @param pipeline how the Kafka producer sends
     * @param estimator knows when requests were where
     * @param lane is told what became of each probe
     */
    RequestBatches(LaneSettings.Pipeline pipeline, PhaseEstimator estimator, Lane lane) {
        this.pipeline = pipeline;
        this.estimator = estimator;
        this.lane = lane;
    }

    /** A probe is handed to the Kafka producer; called by one thread at a time. */
    void sending(LaneProbe probe) {
        LaneProbe before = latest.put(probe.probe().partition(), probe);
        if (before != null) {
            before.followedBy(probe);
        }
    }

    /** The request that is about to be completed has decided a probe. */
    void decided(LaneProbe probe, RecordMetadata metadata, Exception failure) {
        decided.add(new Decided(probe, metadata, failure));
    }

    /** The request is completed: its probes are decided. */
    void completed(Dispatch dispatch) {
        try {
            decide(dispatch);
        } catch (RuntimeException e) {
            decided.forEach(this::drop);
            throw e; // counted by the producer that calls
        } finally {
            decided.clear();
        }
    }

    /**
     * Decides a probe that a fault left undecided; one that was acknowledged still arrives or is lost.
     */
    private void drop(Decided each) {
        if (each.failure == null) {
            lane.remove(each.probe.probe());
            lane.finishIfDone();
        } else {
            decide(each, null, List.of());
        }
    }

    private void decide(Decided each, Dispatch dispatch, List<Wait> waits) {
        lane.decided(each.probe, each.metadata, each.failure, dispatch, waits);
    }

    private void decide(Dispatch dispatch) {
        decided.forEach(each -> each.probe.dispatched(dispatch));
        Map<Integer, Long> ready = batchesReady(dispatch);
        RequestQueue queue = queues.computeIfAbsent(dispatch.node(), id -> new RequestQueue(pipeline.window()));
        for (Decided each : decided) {
            long batch = ready.get(each.partition());
            decide(each, dispatch, queue.waits(dispatch, later(batch, each.probe.handedOverAt())));
        }
        long first = ready.values().stream().reduce(Instants::earlier).orElse(dispatch.dispatched());
        queue.add(dispatch, first, stretch(dispatch, first), estimator.answered(dispatch.node(), dispatch.completed()));
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
        long lingered = first.handedOverAt() + pipeline.linger().toNanos();
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
