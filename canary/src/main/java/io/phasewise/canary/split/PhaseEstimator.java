/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.split;

import static io.phasewise.canary.phases.Instants.UNKNOWN;
import static io.phasewise.canary.phases.Instants.earlier;

import io.phasewise.canary.phases.Acks;
import io.phasewise.canary.phases.AppendEstimate;
import io.phasewise.canary.phases.Attribution;
import io.phasewise.canary.phases.BrokerClock;
import io.phasewise.canary.phases.BrokerClocks;
import io.phasewise.canary.phases.Instants;
import io.phasewise.canary.phases.PollLog;
import io.phasewise.canary.phases.ProbeEstimate;
import io.phasewise.canary.phases.Timeline;
import io.phasewise.canary.trip.Delivery;
import io.phasewise.canary.trip.SendResult;
import io.phasewise.canary.trip.Trip;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongBinaryOperator;

/**
 * Estimates the instants of each probe of one profile and splits its latency by them, with the
 * clocks and delays of the cluster's brokers; seeing probes is left to others.
 *
 * <p>What is not known is not made up. Without LogAppendTime publish is zero and commit holds both.
 * Even then, the time of a retried probe from its first request to the one that carried it is
 * publish: the broker did not take the earlier ones. Where no dispatch is known (the
 * acknowledgement did not come in time, or no request decided the probe) T1 is taken to be the
 * instant at which the producer was handed the probe, which with linger.ms=0 is early by well under
 * a millisecond. Where even that is not known, T1 is taken to be T0.
 *
 * <p>Only a probe that was acknowledged and dispatched once teaches a clock: no other one's append
 * is certain to lie between its bounds. Records that are no probes teach it, too ({@link
 * #exchange}). Thread-safe.
 */
public final class PhaseEstimator {
    private final Acks acks;
    private final Attribution attribution;
    private final PollLog polls;
    private final BrokerClocks clocks;

    /** By partition: kept, so that no probe has to make one. */
    private final Map<Integer, LongBinaryOperator> catchUp = new ConcurrentHashMap<>();

    /** Whether the last record carried LogAppendTime; empty before that is known. */
    private volatile Optional<Boolean> appendTime = Optional.empty();

    /**
     * @param acks what the producers' acknowledgements prove
     * @param attribution which phase gets the time that a probe waits behind another request
     * @param polls what the consumer did, reported by it
     * @param clocks of the brokers; taught by the probes
     */
    public PhaseEstimator(Acks acks, Attribution attribution, PollLog polls, BrokerClocks clocks) {
        this.acks = acks;
        this.attribution = attribution;
        this.polls = polls;
        this.clocks = clocks;
    }

    /**
     * Takes in what was seen of a probe, once for each trip that came back.
     *
     * @return what its phases are made of: now by the estimate, or later by the leader's marks
     */
    public ProbeEstimate estimate(Trip trip) {
        Delivery delivery = trip.delivery();
        long t0 = trip.dueNanos();
        long t5 = delivery.atNanos();
        SendResult way = trip.sent().orElse(null);
        int broker = way == null ? trip.leader() : way.broker();
        BrokerClock clock = clocks.clock(broker);
        boolean acknowledged = way != null && way.isAcknowledged();
        long handedOver = way == null ? t0 : way.handedOver();
        List<Long> dispatches = way == null ? List.of() : way.dispatches();
        List<Long> attempts = dispatches.isEmpty() ? List.of(handedOver) : dispatches;
        long hi = acknowledged && acks != Acks.NONE ? earlier(way.acknowledged(), t5) : t5;
        long t1 = attempts.get(0);
        long carried = Instants.dispatchOf(attempts, hi);
        long appended = UNKNOWN;
        long uncertainty = Math.abs(hi - t1);
        note(delivery.hasAppendTime());
        if (delivery.hasAppendTime()) {
            long stamp = delivery.appendMillis();
            boolean teaches = dispatches.size() == 1 && acknowledged && hi - t1 >= 0;
            if (!teaches) {
                long latest = clock.locate(earlier(t1, hi), hi, stamp).latest();
                carried = Instants.dispatchOf(attempts, latest);
            }
            long lo = earlier(carried, hi);
            AppendEstimate append = teaches ? learn(clock, lo, hi, stamp) : clock.locate(lo, hi, stamp);
            appended = append.instant();
            uncertainty = append.uncertaintyNanos();
        } else if (carried != t1) {
            appended = carried; // the failed attempts before are publish, whenever the append came
        }
        long wayBack = clocks.wayBackNanos(broker, t5);
        long fetchWayBack =
                delivery.follower() == Delivery.BY_THE_LEADER ? wayBack : clocks.wayBackNanos(delivery.follower(), t5);
        return new ProbeEstimate(
                t0,
                t1,
                appended,
                uncertainty,
                acknowledged ? way.acknowledged() : UNKNOWN,
                t5,
                acks,
                wayBack,
                fetchWayBack,
                catchUp(trip.partition()),
                way == null || attribution == Attribution.POSITION ? List.of() : way.waits());
    }

    private LongBinaryOperator catchUp(int partition) {
        LongBinaryOperator known = catchUp.get(partition);
        return known != null
                ? known
                : catchUp.computeIfAbsent(partition, each -> (from, to) -> polls.catchUpNanos(each, from, to));
    }

    private AppendEstimate learn(BrokerClock clock, long lo, long hi, long stamp) {
        return acks == Acks.LEADER ? clock.exchange(lo, hi, stamp) : clock.observe(lo, hi, stamp);
    }

    /**
     * Has a broker's clock learn from a record that is no probe and was answered as soon as it was
     * appended.
     *
     * @param broker who answered
     * @param dispatched when the request was handed to the network client
     * @param answered when the answer was there
     * @param recordMillis the timestamp that the answer gave the record
     */
    public void exchange(int broker, long dispatched, long answered, long recordMillis) {
        if (hasAppendTime() && answered - dispatched >= 0) {
            clocks.clock(broker).exchange(dispatched, answered, recordMillis);
        }
    }

    private void note(boolean present) {
        if (appendTime.isEmpty() || appendTime.get() != present) {
            appendTime = Optional.of(present);
        }
    }

    /**
     * The stretch of time that a request held up others, labelled by its own phases.
     *
     * @param t0 when that began: when its probe was due, or its batch ready to be sent
     * @param first when the first request with its record was handed to the network client
     * @param dispatched when the request that was answered was handed over; the same unless it was
     *     retried
     * @param broker who answered it
     * @param release when it was answered
     * @param recordMillis the timestamp that the answer gave the record: its LogAppendTime, if the
     *     topic has it
     */
    public Timeline request(long t0, long first, long dispatched, int broker, long release, long recordMillis) {
        long appended = dispatched;
        if (hasAppendTime() && release - dispatched >= 0) {
            appended = clocks.clock(broker)
                    .locate(dispatched, release, recordMillis)
                    .instant();
        }
        long committed = answered(broker, release);
        return Timeline.ofRequest(t0, first, appended, committed, release, acks);
    }

    /**
     * When a broker sent an answer: when it was seen, less the one-way delay.
     *
     * @param broker its id
     * @param seen when the canary saw the answer
     */
    public long answered(int broker, long seen) {
        return seen - clocks.wayBackNanos(broker, seen);
    }

    /** See {@link BrokerClocks#restingNanos}. */
    public long restingNanos(int broker, long now) {
        return clocks.restingNanos(broker, now);
    }

    /** What acknowledgements of its probes prove. */
    public Acks acks() {
        return acks;
    }

    /** Whether LogAppendTime dates appends. */
    public boolean hasAppendTime() {
        return appendTime.orElse(false);
    }

    /** Whether LogAppendTime dates no append: publish and commit cannot be told apart then. */
    public boolean appendTimeMissing() {
        return appendTime.isPresent() && !appendTime.get();
    }
}
