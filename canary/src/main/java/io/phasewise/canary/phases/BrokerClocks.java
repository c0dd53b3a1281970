/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.phases;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The clocks of a cluster's brokers and the delays of the ways back from them. Each broker has one
 * of each, which the probes of all profiles teach; teaching is left to those who see probes and
 * time round trips. Thread-safe.
 */
public final class BrokerClocks {
    private final Map<Integer, Broker> brokers = new ConcurrentHashMap<>();

    /** What is known of one broker: its clock, and the delay of the way back from it. */
    public record Broker(BrokerClock clock, OneWayDelay delay) {
        /** From the broker to the canary, nanoseconds; empty while no round trip backs it. */
        public OptionalLong knownWayBackNanos(long now) {
            return delay.known(now) ? OptionalLong.of(wayBackNanos(now)) : OptionalLong.empty();
        }

        private long wayBackNanos(long now) {
            clock.knownSince().ifPresent(delay::forgetBefore);
            return delay.nanos(now, clock.wayOutGrowthNanos(now));
        }
    }

    /**
     * A broker's clock.
     *
     * @param broker its id
     */
    public BrokerClock clock(int broker) {
        return broker(broker).clock();
    }

    /**
     * The delay of the way back from a broker.
     *
     * @param broker its id
     * @param now monotonic nanoseconds
     * @return nanoseconds; 0 while nothing is known
     */
    public long wayBackNanos(int broker, long now) {
        return broker(broker).wayBackNanos(now);
    }

    /**
     * What a way to or from a broker takes at least: half the least round trip of the window. What it takes more at present
     * may be the path, and may as well be the broker.
     *
     * @param broker its id
     * @param now monotonic nanoseconds
     * @return nanoseconds; 0 while nothing is known
     */
    public long restingNanos(int broker, long now) {
        return broker(broker).delay().leastRoundTripNanos(now).orElse(0) / 2;
    }

    /**
     * Takes in one round trip to a broker.
     *
     * @param id the broker's
     * @param now monotonic nanoseconds
     * @param nanos how long it took
     */
    public void roundTrip(int id, long now, long nanos) {
        Broker broker = broker(id);
        broker.delay().observe(now, nanos);
        broker.clock().knownSince().ifPresent(broker.delay()::forgetBefore);
        broker.delay().leastRoundTripNanos(now).ifPresent(broker.clock()::limit);
    }

    /**
     * Forgets brokers that have left the cluster.
     *
     * @param members the brokers that are still in it
     */
    public void retainBrokers(Set<Integer> members) {
        brokers.keySet().retainAll(members);
    }

    /** What is known of a broker; empty before the first probe and the first round trip. */
    public Optional<Broker> known(int id) {
        return Optional.ofNullable(brokers.get(id));
    }

    private Broker broker(int id) {
        Broker known = brokers.get(id); // takes no lock, unlike computeIfAbsent
        return known != null
                ? known
                : brokers.computeIfAbsent(id, unused -> new Broker(new BrokerClock(), OneWayDelay.ordinary()));
    }
}
