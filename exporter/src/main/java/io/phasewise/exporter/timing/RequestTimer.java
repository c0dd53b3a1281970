/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.timing;

import io.phasewise.common.marks.RequestMark;
import io.phasewise.exporter.recorder.BucketScheme;
import io.phasewise.exporter.recorder.Stripe;
import io.phasewise.exporter.recorder.StripedRecorder;
import io.phasewise.exporter.recorder.Totals;
import java.util.function.Function;

/**
 * Splits the time of each request into phases and records them: the hot path, on the broker's
 * network threads. Neither locks nor allocates; only the listener may, for requests of the canary and for the
 * first fetch of a follower's connection. Getting hold of the instants is left to the advice, exporting
 * to {@link TimingCollector}.
 *
 * <p>The phases are Kafka's own, in nanoseconds instead of whole milliseconds:
 *
 * <pre>
 * request_queue  = dequeued - received
 * local          = local complete - dequeued + callback
 * remote         = response complete - local complete - callback
 * response_queue = response dequeued - response complete
 * response_send  = now - response dequeued
 * total          = now - received
 * </pre>
 *
 * where callback is the time that a request handler spent on the request after its local part had
 * ended (transaction verification). These five sum to the total. Kafka cuts each difference off at
 * zero; here each instant is held within its neighbours instead, and the callback within the remote
 * part. That is the same unless two threads set instants of one request in the wrong order, which
 * they can by microseconds: where Kafka then counts the overlap twice, the sum here still is the
 * total, to the nanosecond. Throttling is not part of it: it delays the client after the answer.
 */
final class RequestTimer {

    /** Kafka's number for a request, as in its protocol. */
    private static final int PRODUCE_ID = 0;

    private static final int FETCH_ID = 1;
    private static final int API_VERSIONS_ID = 18;

    /** With what the client id of the canary's pings ends; its other clients ask for versions, too. */
    private static final String PINGS = "-ping";

    private static final int PHASES = RequestPhase.values().length;
    private static final int KINDS = RequestKind.values().length;
    private static final int CANARY_KINDS = KINDS - 1;

    /** Slots of the request counters: the API's number, and these. */
    private static final int FOLLOWER_FETCH_SLOT = 126;

    private static final int UNKNOWN_SLOT = 127;
    private static final int SLOTS = 128;

    private static final long NANOS_PER_MILLI = 1_000_000L;

    private final StripedRecorder all;
    private final StripedRecorder canary;
    private final String canaryPrefix;
    private final RequestListener listener;

    /**
     * Names of the APIs seen so far. Threads may write the same name at the same time; that does no harm.
     */
    private final String[] apis = new String[SLOTS];

    /**
     * @param scheme of the histograms
     * @param stripes a power of two; of the histograms of all requests. Those of the canary, few in
     *     number, have one
     * @param canaryPrefix requests of clients whose id begins so are the canary's
     * @param listener told of the canary's requests and of followers' fetches
     */
    RequestTimer(BucketScheme scheme, int stripes, String canaryPrefix, RequestListener listener) {
        this.all = new StripedRecorder(scheme, KINDS * PHASES, SLOTS, stripes);
        this.canary = new StripedRecorder(scheme, CANARY_KINDS * PHASES, 0, 1);
        this.canaryPrefix = canaryPrefix;
        this.listener = listener;
    }

    /**
     * Records one request. Instants are of System.nanoTime.
     *
     * @param apiId Kafka's number of the API
     * @param apiName Kafka's name of it
     * @param follower whether it is a fetch of another broker
     * @param clientId as the client gave it, may be null
     * @param connection the same object for all requests of one connection
     * @param processor id of the network thread
     * @param now when the response was sent
     * @param received when the request had been read from the connection
     * @param dequeued when a request handler took it
     * @param localComplete when that handler was done with it
     * @param responseComplete when the response was ready
     * @param responseDequeued when a network thread took the response
     * @param callback nanoseconds in later callbacks
     * @param throttleMillis for how long the client was asked to hold back
     */
    void record(
            int apiId,
            String apiName,
            boolean follower,
            String clientId,
            String connection,
            int processor,
            long now,
            long received,
            long dequeued,
            long localComplete,
            long responseComplete,
            long responseDequeued,
            long callback,
            long throttleMillis) {
        long total = Math.max(0, now - received);
        long toDequeued = within(0, dequeued - received, total);
        long toResponseDequeued = within(toDequeued, responseDequeued - received, total);
        long toResponseComplete = within(toDequeued, responseComplete - received, toResponseDequeued);
        long toLocalComplete = within(toDequeued, localComplete - received, toResponseComplete);
        long calledBack = within(toDequeued - toLocalComplete, callback, toResponseComplete - toLocalComplete);
        long local = toLocalComplete - toDequeued + calledBack;
        long remote = toResponseComplete - toLocalComplete - calledBack;
        long responseQueue = toResponseDequeued - toResponseComplete;
        long responseSend = total - toResponseDequeued;
        long throttle = throttleMillis * NANOS_PER_MILLI;

        RequestKind kind = kind(apiId, follower);
        Stripe stripe = all.stripe();
        long ticket = stripe.enter();
        try {
            stripe.count(ticket, slot(apiId, apiName, kind));
            int first = kind.ordinal() * PHASES;
            stripe.record(ticket, first, toDequeued);
            stripe.record(ticket, first + 1, local);
            stripe.record(ticket, first + 2, remote);
            stripe.record(ticket, first + 3, throttle);
            stripe.record(ticket, first + 4, responseQueue);
            stripe.record(ticket, first + 5, responseSend);
            stripe.record(ticket, first + 6, total);
        } finally {
            stripe.exit(ticket);
        }
        if (kind == RequestKind.FETCH_FOLLOWER) {
            listener.ofFollower(
                    clientId,
                    connection,
                    processor,
                    received,
                    received + toDequeued,
                    received + toResponseComplete,
                    received + toResponseDequeued,
                    received + total);
        } else if (clientId != null && clientId.startsWith(canaryPrefix)) {
            recordCanary(kind, toDequeued, local, remote, throttle, responseQueue, responseSend, total);
            RequestMark.Api api = api(apiId, clientId);
            if (api != null) {
                listener.ofCanary(
                        api,
                        clientId,
                        processor,
                        received,
                        received + toDequeued,
                        received + toLocalComplete,
                        received + toResponseComplete,
                        received + toResponseDequeued,
                        received + total);
            }
        }
    }

    /** Which of the requests of the canary that are reported this is; null for another. */
    private static RequestMark.Api api(int apiId, String clientId) {
        switch (apiId) {
            case PRODUCE_ID:
                return RequestMark.Api.PRODUCE;
            case FETCH_ID:
                return RequestMark.Api.FETCH;
            case API_VERSIONS_ID:
                return clientId.endsWith(PINGS) ? RequestMark.Api.PING : null;
            default:
                return null;
        }
    }

    private void recordCanary(
            RequestKind kind,
            long requestQueue,
            long local,
            long remote,
            long throttle,
            long responseQueue,
            long responseSend,
            long total) {
        Stripe stripe = canary.stripe();
        long ticket = stripe.enter();
        try {
            int first = kind.ordinal() * PHASES;
            stripe.record(ticket, first, requestQueue);
            stripe.record(ticket, first + 1, local);
            stripe.record(ticket, first + 2, remote);
            stripe.record(ticket, first + 3, throttle);
            stripe.record(ticket, first + 4, responseQueue);
            stripe.record(ticket, first + 5, responseSend);
            stripe.record(ticket, first + 6, total);
        } finally {
            stripe.exit(ticket);
        }
    }

    private static long within(long least, long value, long most) {
        return Math.max(least, Math.min(value, most));
    }

    private static RequestKind kind(int apiId, boolean follower) {
        switch (apiId) {
            case PRODUCE_ID:
                return RequestKind.PRODUCE;
            case FETCH_ID:
                return follower ? RequestKind.FETCH_FOLLOWER : RequestKind.FETCH_CONSUMER;
            default:
                return RequestKind.OTHER;
        }
    }

    private int slot(int apiId, String apiName, RequestKind kind) {
        if (kind == RequestKind.FETCH_FOLLOWER) {
            return FOLLOWER_FETCH_SLOT;
        }
        if (apiId < 0 || apiId >= FOLLOWER_FETCH_SLOT) {
            return UNKNOWN_SLOT;
        }
        if (apis[apiId] == null) {
            apis[apiId] = apiName;
        }
        return apiId;
    }

    /** Shows all requests, histograms numbered by {@link #histogram}, counters by slot. */
    <T> T readAll(Function<Totals, T> reader) {
        return all.read(reader);
    }

    /** Shows the canary's requests; there are none of followers. */
    <T> T readCanary(Function<Totals, T> reader) {
        return canary.read(reader);
    }

    /** Number of the histogram of a kind's phase. */
    static int histogram(RequestKind kind, RequestPhase phase) {
        return kind.ordinal() * PHASES + phase.ordinal();
    }

    /** The label {@code api} of a counter. */
    String api(int slot) {
        switch (slot) {
            case FETCH_ID:
                return RequestKind.FETCH_CONSUMER.label;
            case FOLLOWER_FETCH_SLOT:
                return RequestKind.FETCH_FOLLOWER.label;
            case UNKNOWN_SLOT:
                return "Unknown";
            default:
                return apis[slot];
        }
    }
}
