/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.estimate;

import io.phasewise.canary.phases.BrokerClock;
import io.phasewise.canary.phases.Instants;
import io.phasewise.canary.phases.OneWayDelay;
import io.phasewise.canary.probe.ledger.Delivery;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Says when mirrored probes reached the log of the cluster that they are read in; what happened in
 * their own cluster is left to {@link PhaseEstimator}, mirroring to MirrorMaker.
 *
 * <p><b>With LogAppendTime in the target</b> its leader stamps the append, and its clock is known
 * by the probes themselves, as any leader's is ({@link BrokerClock}): the append came after the
 * probe was sent to the source and before it was delivered. The first of the two bounds is loose by
 * all that mirroring takes, so the second has to carry the knowledge: the fastest delivery of
 * twenty minutes is believed to have taken no longer than the least round trip of a tiny request to
 * that leader. What the fastest one took beyond that (the target's own replication, for one) counts
 * as mirroring. The stated uncertainty does not rely on the belief: it covers the fastest
 * mirroring.
 *
 * <p><b>Without</b>, nothing says when the record came: a CreateTime is the source's. The first
 * evidence of its arrival is its delivery, less the one-way delay of the broker that it was fetched
 * from; what it waited there before counts as mirroring.
 *
 * <p>Clocks are kept by partition, one for each leader's term of office: who leads is then never
 * mistaken, at the price that a new leader's clock is learnt again. Thread-safe.
 */
public final class TargetLog {
    private final Map<Integer, Term> terms = new ConcurrentHashMap<>();
    private final Map<Integer, OneWayDelay> ways = new ConcurrentHashMap<>();
    private volatile Map<Integer, Integer> leaders = Map.of();

    /** Whether the last record carried LogAppendTime; empty before the first. */
    private volatile Optional<Boolean> appendTime = Optional.empty();

    private record Term(int epoch, BrokerClock clock) {
        static Term of(int epoch) {
            return new Term(epoch, BrokerClock.mirrored());
        }
    }

    /**
     * When a probe was appended in the target, or showed there first.
     *
     * @param partition the probe's, the same in both clusters
     * @param sent when the producer was handed it or later, but before it was in any log,
     *     nanoseconds on the canary's monotonic clock
     * @param delivery what the consumer reported; of each probe the first one only
     * @return an instant not after the delivery
     */
    long arrival(int partition, long sent, Delivery delivery) {
        boolean stamped = delivery.appendMillis() != Delivery.NO_APPEND_TIME;
        if (appendTime.isEmpty() || appendTime.get() != stamped) {
            appendTime = Optional.of(stamped);
        }
        long delivered = delivery.atNanos();
        long shown = delivered - wayBackNanos(partition, delivery);
        if (!stamped) {
            terms.remove(partition);
            return shown;
        }
        Term term = terms.compute(
                partition,
                (number, known) -> known == null || known.epoch < delivery.epoch() ? Term.of(delivery.epoch()) : known);
        if (term.epoch != delivery.epoch()) {
            return shown; // of a leader before the last, whose clock is forgotten
        }
        leader(partition).ifPresent(way -> way.leastRoundTripNanos(delivered).ifPresent(term.clock::limit));
        return term.clock
                .observe(Instants.earlier(sent, delivered), delivered, delivery.appendMillis())
                .instant();
    }

    /** From the broker that a probe was fetched from to the canary; 0 while that is not known. */
    long wayBackNanos(int partition, Delivery delivery) {
        Optional<OneWayDelay> way = delivery.follower() == Delivery.BY_THE_LEADER
                ? leader(partition)
                : Optional.ofNullable(ways.get(delivery.follower()));
        return way.map(delay -> delay.nanos(delivery.atNanos(), OptionalLong.empty()))
                .orElse(0L);
    }

    private Optional<OneWayDelay> leader(int partition) {
        return Optional.ofNullable(leaders.get(partition)).map(ways::get);
    }

    /**
     * Sets who leads in the target.
     *
     * @param byPartition broker ids
     */
    public void lead(Map<Integer, Integer> byPartition) {
        leaders = Map.copyOf(byPartition);
    }

    /**
     * Forgets brokers that have left the target cluster.
     *
     * @param members the brokers that have not
     */
    public void retainBrokers(Set<Integer> members) {
        ways.keySet().retainAll(members);
    }

    /**
     * Takes in one round trip to a broker of the target.
     *
     * @param broker its id
     * @param now monotonic nanoseconds
     * @param nanos how long it took
     */
    public void roundTrip(int broker, long now, long nanos) {
        ways.computeIfAbsent(broker, id -> OneWayDelay.ordinary()).observe(now, nanos);
    }

    /**
     * Whether the last record carried no LogAppendTime: mirror then holds what comes after, too.
     */
    public boolean appendTimeMissing() {
        return appendTime.isPresent() && !appendTime.get();
    }

    /**
     * How far the instant of a partition's appends can be off.
     *
     * @param partition its number
     * @param now monotonic nanoseconds
     * @return nanoseconds; empty before the first probe and without LogAppendTime
     */
    public OptionalLong uncertaintyNanos(int partition, long now) {
        Term term = terms.get(partition);
        return term == null ? OptionalLong.empty() : term.clock.uncertaintyNanos(now);
    }
}
