/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.phases;

import static io.phasewise.canary.phases.Instants.UNKNOWN;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongUnaryOperator;

/**
 * A probe's way through its leader, as that broker's marks report it. Instants are nanoseconds on
 * the canary's monotonic clock, or on the broker's before they are {@link #mapped}; {@link
 * Instants#UNKNOWN} where the broker has not reported the request's. Reading one that is not known fails.
 *
 * @param received when its produce request had been read
 * @param dequeued when a request handler took that request
 * @param appendBegan when the log began to append the batch
 * @param appended when the log had appended it
 * @param arrivals by follower, when the leader had learned that this follower has the batch
 * @param committed when the high watermark passed the batch
 * @param answered when a network thread took the answer
 */
public record LeaderInstants(
        long received,
        long dequeued,
        long appendBegan,
        long appended,
        SortedMap<Integer, Long> arrivals,
        long committed,
        long answered) {

    /** Whether {@code received} is known. */
    public boolean isReceivedKnown() {
        return received != UNKNOWN;
    }

    @Override
    public long received() {
        return Instants.known(received, "the request's arrival");
    }

    @Override
    public long dequeued() {
        return Instants.known(dequeued, "the request's start");
    }

    /** Whether {@code answered} is known. */
    public boolean isAnswerKnown() {
        return answered != UNKNOWN;
    }

    @Override
    public long answered() {
        return Instants.known(answered, "the answer");
    }

    /** The same on another clock. */
    public LeaderInstants mapped(LongUnaryOperator clock) {
        SortedMap<Integer, Long> others = new TreeMap<>();
        arrivals.forEach((follower, at) -> others.put(follower, clock.applyAsLong(at)));
        return new LeaderInstants(
                onClock(received, clock),
                onClock(dequeued, clock),
                clock.applyAsLong(appendBegan),
                clock.applyAsLong(appended),
                others,
                clock.applyAsLong(committed),
                onClock(answered, clock));
    }

    /**
     * All instants except the end of the append and the commit, by name, in nanoseconds after
     * {@code origin}.
     */
    public Map<String, Long> since(long origin) {
        Map<String, Long> steps = new LinkedHashMap<>();
        steps.put("received", received);
        steps.put("dequeued", dequeued);
        steps.put("append_began", appendBegan);
        arrivals.forEach((follower, at) -> steps.put("follower_" + follower, at));
        steps.put("answered", answered);
        steps.values().removeIf(at -> at == UNKNOWN);
        steps.replaceAll((name, at) -> at - origin);
        return steps;
    }

    private static long onClock(long instant, LongUnaryOperator clock) {
        return instant == UNKNOWN ? instant : clock.applyAsLong(instant);
    }
}
