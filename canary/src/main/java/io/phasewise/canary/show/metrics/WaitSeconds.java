/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.metrics;

import io.phasewise.canary.account.Account;
import io.phasewise.canary.show.series.SeriesRegistry;
import io.phasewise.common.phase.Phase;
import io.phasewise.common.phase.Role;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import java.time.Duration;
import java.util.Arrays;

/**
 * Counts whose time the latency of one leader's probes was; a series is looked up once, not per probe, and ends when it
 * has not grown for an hour. What would be one series too many is counted as unknown, so that the sum stays. Safe for
 * one thread that counts and others that drop.
 */
final class WaitSeconds {
    /** Series of one leader and profile. Three replicas have some 35; more needs many former leaders. */
    static final int MOST = 128;

    /** Of probes that did not come back, without their phases. */
    static final int MOST_UNDELIVERED = 32;

    /** Room at first; a large cluster has many leaders. */
    private static final int FEW = 8;

    /** The label's value where it was no broker's time. */
    private static final String NO_BROKER = "none";

    private static final long IDLE = Duration.ofHours(1).toNanos();
    private static final double NANOS_PER_SECOND = 1e9;

    private final Counter counter;
    private final String[] labels;
    private final int most;
    private final boolean byPhase;
    private final int mostInAll;
    private long[] keys = new long[FEW];
    private CounterDataPoint[] points = new CounterDataPoint[FEW];
    private String[][] values = new String[FEW][];
    private long[] last = new long[FEW];
    private int size;
    private int next;

    private WaitSeconds(Counter counter, String[] labels, int most, boolean byPhase) {
        this.counter = counter;
        this.labels = labels;
        this.most = most;
        this.byPhase = byPhase;
        this.mostInAll = most + (byPhase ? Phase.values().length : 1);
    }

    /**
     * Whose time the phases of probes were that came back.
     *
     * @param labels cluster, profile and leader
     */
    static WaitSeconds ofPhases(SeriesRegistry series, String[] labels) {
        return new WaitSeconds(series.counter("kafka_canary_wait_seconds_total"), labels, MOST, true);
    }

    /**
     * Whose time the waits of probes were that did not come back.
     *
     * @param labels cluster, profile and leader
     */
    static WaitSeconds ofUndelivered(SeriesRegistry series, String[] labels) {
        return new WaitSeconds(
                series.counter("kafka_canary_undelivered_wait_seconds_total"), labels, MOST_UNDELIVERED, false);
    }

    /**
     * Adds the parts of a probe.
     *
     * @param now monotonic nanoseconds
     */
    synchronized void add(Account account, long now) {
        for (int part = 0; part < account.size(); part++) {
            int at = find(account.phase(part), account.broker(part), account.role(part));
            points[at].inc(account.nanos(part) / NANOS_PER_SECOND);
            last[at] = now;
        }
    }

    private int find(Phase phase, int broker, Role role) {
        long key = key(phase, broker, role);
        for (int i = 0; i < size; i++) {
            next = next + 1 < size ? next + 1 : 0; // parts mostly come in the order of the probe before
            if (keys[next] == key) {
                return next;
            }
        }
        boolean isLast = broker == Account.NO_BROKER && role == Role.UNKNOWN;
        return size < most || isLast && size < mostInAll
                ? open(key, phase, broker, role)
                : find(phase, Account.NO_BROKER, Role.UNKNOWN);
    }

    private int open(long key, Phase phase, int broker, Role role) {
        String[] all = Arrays.copyOf(labels, labels.length + (byPhase ? 3 : 2));
        all[labels.length] = phase.label();
        all[all.length - 2] = broker == Account.NO_BROKER ? NO_BROKER : String.valueOf(broker);
        all[all.length - 1] = role.label();
        if (size == keys.length) {
            int room = Math.min(2 * size, mostInAll);
            keys = Arrays.copyOf(keys, room);
            points = Arrays.copyOf(points, room);
            values = Arrays.copyOf(values, room);
            last = Arrays.copyOf(last, room);
        }
        keys[size] = key;
        values[size] = all;
        points[size] = counter.labelValues(all);
        return size++;
    }

    private long key(Phase phase, int broker, Role role) {
        return (long) broker << 16 | (byPhase ? (long) phase.ordinal() << 8 : 0) | role.ordinal();
    }

    /** Ends the series that have not grown for an hour. */
    synchronized void dropIdle(long now) {
        for (int i = size - 1; i >= 0; i--) {
            if (now - last[i] > IDLE) {
                counter.remove(values[i]);
                size--;
                keys[i] = keys[size];
                points[i] = points[size];
                values[i] = values[size];
                last[i] = last[size];
                points[size] = null;
                values[size] = null;
            }
        }
        next = 0;
    }
}
