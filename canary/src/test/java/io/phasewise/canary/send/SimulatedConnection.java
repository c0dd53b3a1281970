/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.send;

import io.phasewise.canary.phases.Acks;
import io.phasewise.canary.phases.Instants;
import io.phasewise.canary.phases.Timeline;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import org.apache.kafka.clients.producer.DispatchTimingProducer.Dispatch;

/**
 * A producer that sends what is ready as soon as its window lets it, and a broker that answers one
 * request before it reads the next. How long the rest takes is the caller's, asked for each request
 * in the order of its components.
 *
 * @param delay of each way
 * @param gap until the next request is ready
 * @param appending from when it is read
 * @param committed when, from when it is appended
 */
record SimulatedConnection(
        int window, long delay, LongSupplier gap, LongSupplier appending, LongUnaryOperator committed) {
    record Request(Dispatch dispatch, long ready, long read, long appended, long committed, Timeline own) {
        /** Of the probe that it carries. */
        Timeline probe(long delivered) {
            long dispatched = dispatch.dispatched();
            return Timeline.ofProbe(new Instants(ready, dispatched, appended, committed, committed, delivered));
        }
    }

    List<Request> requests(int length) {
        List<Request> requests = new ArrayList<>();
        long ready = 0;
        long dispatched = 0;
        long unmuted = 0;
        for (int k = 0; k < length; k++) {
            ready += gap.getAsLong();
            dispatched = Math.max(ready, dispatched);
            int first = Math.max(0, k - window);
            if (k >= window) {
                dispatched = Math.max(dispatched, requests.get(first).dispatch().completed());
            }
            long at = dispatched;
            long outstanding = requests.subList(first, k).stream()
                    .filter(each -> each.dispatch().completed() > at)
                    .count();
            long read = Math.max(dispatched + delay, unmuted);
            long appended = read + appending.getAsLong();
            unmuted = committed.applyAsLong(appended);
            long completed = unmuted + delay;
            requests.add(new Request(
                    new Dispatch(1, k, (int) outstanding, dispatched, completed, true),
                    ready,
                    read,
                    appended,
                    unmuted,
                    Timeline.ofRequest(ready, dispatched, appended, unmuted, completed, Acks.ALL)));
        }
        return requests;
    }
}
