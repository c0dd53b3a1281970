/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.account.suspect;

import io.phasewise.canary.account.Account;
import io.phasewise.common.phase.Phase;
import io.phasewise.common.phase.Role;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * Three brokers whose probes are made up, twenty a second for each leader, Poisson: healthy ones wait for everybody for
 * well under a millisecond, and a fault adds what it adds. Their accounts come as a canary gets them: when the leader's
 * next page of marks has come, which is made once a second.
 */
final class MadeUpCluster {
    static final int BROKERS = 3;
    static final double RATE = 20;
    static final long SECOND = 1_000_000_000L;

    private static final Instant BEGIN = Instant.ofEpochSecond(1_700_000_000L);

    private final SplittableRandom random;
    private final Suspects suspects = new Suspects(BEGIN::plusNanos);
    private final List<Fault> faults = new ArrayList<>();
    private final PriorityQueue<Probe> underWay = new PriorityQueue<>(Comparator.comparingLong(Probe::known));
    private final double[] nextDue = new double[BROKERS + 1];
    private boolean marksWhatIsOpen = true;
    private long now;
    private double healthySeconds = 0.0003;

    /** What a fault adds to a probe. */
    interface Fault {
        void add(Path path, int leader, double due, SplittableRandom random);
    }

    /** The way of one probe: what it waits for, one after the other. */
    static final class Path {
        private final List<Stretch> stretches = new ArrayList<>();
        private long nanos;

        void add(Phase phase, int broker, Role role, double seconds) {
            long more = Math.round(Math.max(0, seconds) * 1e9);
            stretches.add(new Stretch(phase, broker, role, more));
            nanos += more;
        }

        /** What it has waited for at an age. */
        Account at(long age) {
            Account.Builder account = new Account.Builder();
            long left = age;
            for (Stretch each : stretches) {
                long part = Math.min(left, each.nanos);
                account.add(each.phase, each.broker, each.role, part);
                left -= part;
            }
            return account.build();
        }
    }

    private record Stretch(Phase phase, int broker, Role role, long nanos) {}

    private record Probe(int leader, long due, Path path, long known) {
        long end() {
            return due + path.nanos;
        }
    }

    MadeUpCluster(long seed) {
        random = new SplittableRandom(seed);
        for (int leader = 1; leader <= BROKERS; leader++) {
            nextDue[leader] = exponential(random, 1 / RATE);
        }
    }

    MadeUpCluster with(Fault fault) {
        faults.add(fault);
        return this;
    }

    MadeUpCluster without(Fault fault) {
        faults.remove(fault);
        return this;
    }

    /** Open probes have no accounts. */
    MadeUpCluster withoutOpenProbes() {
        marksWhatIsOpen = false;
        return this;
    }

    /** Each wait of a probe takes so long on the mean, everywhere. */
    MadeUpCluster healthy(double seconds) {
        healthySeconds = seconds;
        return this;
    }

    /** The canary has learned in an earlier process what a healthy network takes. */
    MadeUpCluster learned() {
        List<Learned.Minute> minutes = new ArrayList<>();
        for (int minute = 0; minute < Learned.MINUTES; minute++) {
            for (int leader = 1; leader <= BROKERS; leader++) {
                double[] canary = {0, healthySeconds, 0, 0, healthySeconds};
                double[] followers = {0, 0, healthySeconds, 0, 0};
                double[] own = {healthySeconds, 0, 0, 0, 0};
                minutes.add(new Learned.Minute(
                        true,
                        leader,
                        BEGIN.minusSeconds(60L * minute),
                        List.of(
                                new Learned.Mean(leader, Role.NETWORK, canary),
                                new Learned.Mean(leader % BROKERS + 1, Role.NETWORK, followers),
                                new Learned.Mean(Account.NO_BROKER, Role.CLIENT, own))));
            }
        }
        suspects.restore(minutes, BEGIN);
        return this;
    }

    Suspects suspects() {
        return suspects;
    }

    double now() {
        return now / 1e9;
    }

    static double exponential(SplittableRandom random, double mean) {
        return -mean * Math.log(1 - random.nextDouble());
    }

    /** Lets a tenth of a second pass. */
    List<Suspect> tick() {
        now += SECOND / 10;
        for (int leader = 1; leader <= BROKERS; leader++) {
            while (nextDue[leader] * 1e9 <= now) {
                send(leader, nextDue[leader]);
                nextDue[leader] += exponential(random, 1 / RATE);
            }
        }
        while (!underWay.isEmpty() && underWay.peek().known <= now) {
            Probe probe = underWay.remove();
            suspects.add(probe.leader, probe.leader, probe.end(), probe.path.at(probe.path.nanos));
        }
        if (marksWhatIsOpen && now % SECOND == 0) {
            underWay.stream()
                    .filter(probe -> probe.end() > now)
                    .forEach(probe -> suspects.open(probe.leader, probe.path.at(now - probe.due)));
        }
        suspects.turn(now);
        return suspects.named();
    }

    /** Lets seconds pass. */
    MadeUpCluster run(double seconds) {
        long end = now + Math.round(seconds * 1e9);
        while (now < end) {
            tick();
        }
        return this;
    }

    private void send(int leader, double due) {
        Path path = new Path();
        double mean = healthySeconds;
        path.add(Phase.PRODUCE, Account.NO_BROKER, Role.CLIENT, exponential(random, mean));
        path.add(Phase.PUBLISH, leader, Role.NETWORK, exponential(random, mean));
        path.add(Phase.PUBLISH, leader, Role.NETWORK_THREADS, exponential(random, mean / 3));
        path.add(Phase.PUBLISH, leader, Role.HANDLERS, exponential(random, mean));
        path.add(Phase.PUBLISH, leader, Role.DISK, exponential(random, mean));
        int follower = leader % BROKERS + 1;
        path.add(Phase.COMMIT, follower, Role.NETWORK, exponential(random, mean));
        path.add(Phase.COMMIT, follower, Role.FOLLOWER, exponential(random, mean));
        for (Fault fault : faults) {
            fault.add(path, leader, due, random);
        }
        path.add(Phase.FETCH, leader, Role.NETWORK, exponential(random, mean));
        path.add(Phase.FETCH, leader, Role.UNKNOWN, exponential(random, mean));
        long dueNanos = Math.round(due * 1e9);
        long end = dueNanos + path.nanos;
        long offset = leader * SECOND / 4;
        long page = Math.floorDiv(end - offset, SECOND) * SECOND + SECOND + offset;
        underWay.add(new Probe(leader, dueNanos, path, page + SECOND / 20));
    }

    /** Every probe of some leaders waits for a broker and role, exponentially distributed. */
    static Fault slow(List<Integer> leaders, Phase phase, int broker, Role role, double meanSeconds) {
        return (path, leader, due, random) -> {
            if (leaders.contains(leader)) {
                path.add(phase, broker, role, exponential(random, meanSeconds));
            }
        };
    }

    /**
     * Stalls: probes that are due in one wait until it ends.
     *
     * @param from when the first one begins, seconds
     * @param every how far their begins are apart
     * @param length of each, seconds
     */
    static Fault stalls(
            List<Integer> leaders, Phase phase, int broker, Role role, double from, double every, double length) {
        return (path, leader, due, random) -> {
            double within = (due - from) % every;
            if (leaders.contains(leader) && due >= from && within < length) {
                path.add(phase, broker, role, length - within);
            }
        };
    }
}
