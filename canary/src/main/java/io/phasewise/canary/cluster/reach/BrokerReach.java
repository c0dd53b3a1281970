/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster.reach;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.Node;

/**
 * Knows which brokers answer the canary's pings, and why one does not; pinging is left to {@link
 * BrokerPing}. Thread-safe.
 *
 * <p>A broker cannot be reached when it has failed to answer for {@link #PATIENCE}. A
 * cluster declares a broker that is killed dead sooner than that (after 9 s, unless configured
 * otherwise), so what is found here is what the cluster does not know: the broker is up, and this
 * canary cannot use it.
 */
public final class BrokerReach {
    /** New connections and a new topic take less than this, also on a busy machine. */
    public static final Duration PATIENCE = Duration.ofSeconds(15);

    private final Map<Integer, Contact> contacts = new ConcurrentHashMap<>();

    /**
     * What is known of one broker.
     *
     * @param answered whether it has ever answered
     * @param sinceNanos of its last answer, or of the first failure where there was none
     * @param address that was tried last; null before the first failure
     * @param reason of the latest failure since its last answer; null when there was none
     */
    private record Contact(boolean answered, long sinceNanos, String address, String reason) {}

    /**
     * A broker has answered.
     *
     * @param now monotonic nanoseconds
     */
    public void answered(int broker, long now) {
        contacts.put(broker, new Contact(true, now, null, null));
    }

    /**
     * A broker could not be connected to, or did not answer.
     *
     * @param broker with the address that was tried
     * @param now monotonic nanoseconds
     * @param reason why, in words
     */
    public void failed(Node broker, long now, String reason) {
        String address = broker.host() + ":" + broker.port();
        contacts.compute(
                broker.id(),
                (id, before) -> before == null
                        ? new Contact(false, now, address, reason)
                        : new Contact(before.answered, before.sinceNanos, address, reason));
    }

    /**
     * Forgets brokers that are not asked any more.
     *
     * @param asked the brokers that are
     */
    public void retain(Collection<Integer> asked) {
        contacts.keySet().retainAll(asked);
    }

    /**
     * Whether a broker can be reached; empty while that is not known.
     *
     * @param nowNanos the present
     */
    public Optional<Boolean> isReachable(int broker, long nowNanos) {
        Contact of = contacts.get(broker);
        if (of == null) {
            return Optional.empty();
        }
        if (lasts(of, nowNanos)) {
            return Optional.of(false);
        }
        return of.answered ? Optional.of(true) : Optional.empty();
    }

    /**
     * At which address a broker was tried, and why it was not reached; empty when it is reached, or
     * when that is not known yet.
     *
     * @param nowNanos the present
     */
    public Optional<String> failure(int broker, long nowNanos) {
        Contact of = contacts.get(broker);
        return of != null && lasts(of, nowNanos) ? Optional.of(of.address + ": " + of.reason) : Optional.empty();
    }

    private static boolean lasts(Contact of, long nowNanos) {
        return of.reason != null && nowNanos - of.sinceNanos >= PATIENCE.toNanos();
    }
}
