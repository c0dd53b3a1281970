/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.phases;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The clocks of a cluster's brokers and the delays of the ways back from them, one of each for a
 * broker, whichever profile's probes teach them; teaching is left to those who see probes and time
 * round trips. Thread-safe.
 */
public final class BrokerClocks {
    private final Map<Integer, Broker> brokers = new ConcurrentHashMap<>();

    /** What is known of one broker. */
    private record Broker(BrokerClock clock, OneWayDelay delay) {
        /** From the broker to the canary. */
        long wayBackNanos(long now) {
            clock.knownSince().ifPresent(delay::forgetBefore);
            return delay.nanos(now, clock.wayOutGrowthNanos(now));
        }
    }

    /**
     * What is known of one broker's clock and of the way to it, at one instant.
     *
     * @param broker its id
     * @param offsetNanos its wall clock minus the canary's monotonic clock; empty before the first
     *     probe
     * @param uncertaintyNanos how far that can be off; empty likewise
     * @param steps how often its clock stepped
     * @param oneWayDelayNanos of the way back; empty while no round trip backs it
     * @param roundTripNanos the least of the last moments; empty likewise
     * @param roundTrips how many there were since the start
     * @param roundTripsNanos how long they took together
     */
    public record Reading(
            int broker,
            OptionalLong offsetNanos,
            OptionalLong uncertaintyNanos,
            long steps,
            OptionalLong oneWayDelayNanos,
            OptionalLong roundTripNanos,
            long roundTrips,
            long roundTripsNanos) {}

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
     * @param members the brokers that have not
     */
    public void retainBrokers(Set<Integer> members) {
        brokers.keySet().retainAll(members);
    }

    /**
     * What is known of each broker, by ascending id.
     *
     * @param now monotonic nanoseconds
     */
    public List<Reading> readings(long now) {
        List<Reading> readings = new ArrayList<>();
        new TreeMap<>(brokers).forEach((id, broker) -> readings.add(reading(id, broker, now)));
        return readings;
    }

    private static Reading reading(int id, Broker broker, long now) {
        OneWayDelay.Total total = broker.delay().total();
        return new Reading(
                id,
                broker.clock().offsetNanos(now),
                broker.clock().uncertaintyNanos(now),
                broker.clock().steps(),
                broker.delay().known(now)
                        ? OptionalLong.of(broker.wayBackNanos(now))
                        : OptionalLong.empty(),
                broker.delay().recentRoundTripNanos(now),
                total.trips(),
                total.nanos());
    }

    private Broker broker(int id) {
        Broker known = brokers.get(id); // free of locks, unlike what follows
        return known != null
                ? known
                : brokers.computeIfAbsent(
                        id, unused -> new Broker(BrokerClock.direct(), OneWayDelay.ordinary()));
    }
}
