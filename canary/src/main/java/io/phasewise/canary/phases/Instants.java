/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.phases;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The instants of one probe, in order; how estimates are put in order is decided here and nowhere
 * else.
 *
 * <p>T0, T1 and T5 are read from the canary's clock and exact to its resolution. T2 and T3 are exact
 * on the leader's clock where its marks report them ({@link LeaderInstants}). Where they do not:
 *
 * <table>
 *   <caption>Bounds</caption>
 *   <tr><th>instant</th><th>is</th><th>lies in</th></tr>
 *   <tr><td>T1</td><td>exact where a request is known, otherwise a stand-in</td><td>[T0, T5]</td></tr>
 *   <tr><td>T2</td><td>the estimate's middle; off by at most the estimate's half width</td>
 *       <td>[T1, min(ack, T5)]; with acks=0 the completion proves nothing and the bound is T5</td></tr>
 *   <tr><td>T3</td><td>first evidence: the ack with acks=all, or T5, each minus the one-way delay
 *       from the broker that sent it; never earlier than the high watermark's advance by more than
 *       the error of that delay, later by the broker's time to answer</td><td>[T2, T5]</td></tr>
 *   <tr><td>T4</td><td>T3 plus the consumer's absence, exact for a given T3</td>
 *       <td>[T3, T5]</td></tr>
 * </table>
 *
 * <p>An estimate outside its interval goes to the nearer end. The order makes every phase
 * non-negative, and as each is a difference of neighbours their sum is T5 - T0 with no rounding.
 *
 * <p>T4 is a measure, not a place: the time in [T3, T5] in which the consumer had not caught up may
 * be scattered, T4 puts it in front.
 *
 * @param t0 due, nanoseconds on the canary's monotonic clock, as all six are
 * @param t1 dispatched: the first produce request that carried the probe was handed to the network
 *     client. Failed attempts are therefore publish. Where no request is known, {@code
 *     PhaseEstimator} says what stands for it
 * @param t2 appended: by the leader's mark when its append has returned; estimated it is
 *     LogAppendTime, which the leader stamps just before it writes
 * @param t3 committed: the high watermark passed it, as every in-sync replica has it
 * @param t4 reached: T3 plus the consumer's absence, see above
 * @param t5 returned by poll()
 */
public record Instants(long t0, long t1, long t2, long t3, long t4, long t5) {

    /** Stands for an instant that is not known where it is handed in. Reading such an instant fails. */
    public static final long UNKNOWN = Long.MIN_VALUE;

    /**
     * The instant, for whoever reads it.
     *
     * @param what it is, for the message
     * @throws IllegalStateException when it is not known
     */
    public static long known(long instant, String what) {
        if (instant == UNKNOWN) {
            throw new IllegalStateException("the instant of " + what + " is not known");
        }
        return instant;
    }

    /**
     * Puts what is known of a delivered probe in order, as the table above says.
     *
     * @param seen what is known of the probe
     */
    static Instants normalised(ProbeEstimate seen) {
        return ordered(seen, seen.isAppendKnown() ? seen.appended() : seen.dispatched(), committed(seen));
    }

    /**
     * The same with T2 and T3 as the leader's marks report them.
     *
     * @param seen what else is known of the probe
     * @param there on the canary's clock
     */
    static Instants marked(ProbeEstimate seen, LeaderInstants there) {
        return ordered(seen, there.appended(), there.committed());
    }

    private static Instants ordered(ProbeEstimate seen, long appended, long committed) {
        long t0 = seen.scheduled();
        long t5 = seen.delivered();
        long t1 = clamp(seen.dispatched(), t0, t5);
        long latest = seen.isAnswered() ? clamp(seen.acknowledged(), t1, t5) : t5;
        long t2 = clamp(appended, t1, latest);
        long t3 = clamp(committed, t2, t5);
        long waited = Math.max(0, Math.min(t5 - t3, seen.catchUp().applyAsLong(t3, t5)));
        return new Instants(t0, t1, t2, t3, t3 + waited, t5);
    }

    /**
     * When the commit first showed, on the broker that sent the first evidence of it. A follower
     * learns of the commit from the leader, so a record that was fetched there proves it no less.
     */
    private static long committed(ProbeEstimate seen) {
        long byDelivery = seen.delivered() - seen.fetchDelay();
        if (seen.acks() != Acks.ALL || !seen.isAnswered()) {
            return byDelivery;
        }
        long byAcknowledgement = seen.acknowledged() - seen.oneWayDelay();
        return earlier(byAcknowledgement, byDelivery);
    }

    /** The nearer end of an interval, or what lies within it. */
    public static long clamp(long value, long from, long to) {
        return earlier(later(value, from), to);
    }

    /** The later of two instants; by their difference, as a monotonic clock may wrap. */
    public static long later(long a, long b) {
        return a - b > 0 ? a : b;
    }

    /** The earlier of two instants, likewise. */
    public static long earlier(long a, long b) {
        return a - b < 0 ? a : b;
    }

    /**
     * Chooses the dispatch of a retried probe that its append belongs to: the last one that does
     * not come after the append. T1 is the first one all the same: failed attempts are publish.
     *
     * @param attempts dispatch instants in order, at least one
     * @param latestAppend when the record was appended at the latest: the upper end of the append's
     *     estimate, or T5
     * @return one of the attempts; the first when all come after the append
     */
    public static long dispatchOf(List<Long> attempts, long latestAppend) {
        for (int i = attempts.size() - 1; i > 0; i--) {
            if (attempts.get(i) - latestAppend <= 0) {
                return attempts.get(i);
            }
        }
        return attempts.get(0);
    }

    /**
     * The phases by position: each the difference of two neighbouring instants.
     *
     * @throws IllegalArgumentException when the instants are not in order
     */
    public PhaseBreakdown breakdown() {
        return new PhaseBreakdown(t1 - t0, t2 - t1, t3 - t2, t4 - t3, t5 - t4);
    }

    /** When each step between the first and the last was, in nanoseconds since T0, by name. */
    public Map<String, Long> steps() {
        Map<String, Long> steps = new LinkedHashMap<>();
        steps.put("dispatched", t1 - t0);
        steps.put("appended", t2 - t0);
        steps.put("committed", t3 - t0);
        steps.put("reached", t4 - t0);
        return steps;
    }
}
