/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.send;

import io.phasewise.canary.phases.Instants;
import io.phasewise.canary.phases.Timeline;
import io.phasewise.canary.phases.Wait;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.kafka.clients.producer.DispatchTimingProducer.Dispatch;

/**
 * The produce requests of one producer to one broker, in the order in which they were dispatched:
 * says what each waited behind. Seeing requests, and estimating their phases, is left to the
 * producer. Not thread-safe.
 *
 * <p>Kafka's producer keeps that order, and the broker answers in it. So request k, whose records
 * were ready to be sent at some instant, waits
 *
 * <ol>
 *   <li>until k-1 is dispatched, behind k-1 (which waits itself, for the same window);
 *   <li>then, when k-1 filled the in-flight window of n requests, until k-n is answered, behind
 *       k-n;
 *   <li>then, dispatched, until the broker has sent the answer to k-1, behind k-1: a broker leaves
 *       what comes next on a connection unread until then.
 * </ol>
 *
 * <p>Each request's stretch is relabelled by this rule before it is kept, so that a chain of any
 * length resolves by looking at k-1 and k-n. Memory is bounded: the last n requests are kept.
 */
final class RequestQueue {
    private final int window;

    /** The last ones that were answered or given up, oldest first. */
    private final Deque<Request> answered = new ArrayDeque<>();

    /**
     * @param timeline its stretch, relabelled
     * @param unmuted when the broker went on to the next one
     */
    private record Request(Dispatch dispatch, Timeline timeline, long unmuted) {}

    /**
     * @param window requests in flight at most, at least 1
     */
    RequestQueue(int window) {
        this.window = window;
    }

    /**
     * What a record of a request waited behind, as far as is known.
     *
     * @param dispatch the request; all dispatched before it have been {@link #add added}
     * @param ready when the record was ready to be sent; its dispatch at the latest
     * @return waits that do not overlap
     */
    List<Wait> waits(Dispatch dispatch, long ready) {
        Request before = find(dispatch.sequence() - 1);
        if (before == null) {
            return List.of();
        }
        List<Wait> waits = new ArrayList<>(3);
        long full = before.dispatch.dispatched();
        if (ready - full < 0) {
            waits.add(new Wait(before.timeline, ready, full));
        }
        Request freeing = find(dispatch.sequence() - window);
        if (before.dispatch.outstanding() == window - 1 && freeing != null) {
            waits.add(new Wait(freeing.timeline, Instants.later(ready, full), freeing.dispatch.completed()));
        }
        if (dispatch.outstanding() > 0) {
            waits.add(new Wait(before.timeline, dispatch.dispatched(), before.unmuted));
        }
        return waits;
    }

    /**
     * Takes in a request that was answered or given up.
     *
     * @param dispatch the request
     * @param ready when the first of its records was ready to be sent
     * @param own its stretch from then to its completion, labelled by its own phases
     * @param unmuted when the broker sent its answer
     */
    void add(Dispatch dispatch, long ready, Timeline own, long unmuted) {
        answered.addLast(new Request(dispatch, own.behind(waits(dispatch, ready)), unmuted));
        if (answered.size() > window) {
            answered.removeFirst();
        }
    }

    private Request find(long sequence) {
        Request last = answered.peekLast();
        if (last == null || sequence > last.dispatch.sequence()) {
            return null;
        }
        for (Request request : answered) {
            if (request.dispatch.sequence() == sequence) {
                return request;
            }
        }
        return null;
    }
}
