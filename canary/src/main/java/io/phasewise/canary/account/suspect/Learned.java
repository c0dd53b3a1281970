/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.account.suspect;

import io.phasewise.common.phase.Phase;
import io.phasewise.common.phase.Role;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * How long the probes of each leader usually wait for the network and for the canary itself, which nobody else measures:
 * learned from its last {@link #MINUTES} minutes. The lower quartile of the minutes' means is what is usual: what lasts
 * less than a quarter of an hour changes little of it. A minute in which probes waited longer than usual is not learned,
 * so that a fault does not become usual while it is named; but what is usual is never older than {@link #HELD}, so that a
 * lasting change does. A pair that fewer than {@link #KNOWN} of these minutes knew has no
 * usual wait: a new path may be as long as it likes. Minutes with marks of the leader count apart from those without, which
 * know less of what a probe waits for.
 */
final class Learned {
    /** Minutes of a leader's probes that are needed, and remembered. */
    static final int MINUTES = 20;

    /** So many of them must have known a pair; with fewer the lower quartile could be 0. */
    static final int KNOWN = 16;

    /** What is older is not known any more. */
    static final Duration OLDEST = Duration.ofDays(1);

    /**
     * Minutes with excess are left out while the oldest of what was learned is younger. An hour is left until that is too
     * old, in which the new minutes take its place, one by one.
     */
    static final Duration HELD = OLDEST.minusHours(1);

    /** A minute goes on until it has so many probes. */
    static final int LEAST_PROBES = 10;

    /** By how much of itself the usual wait may be exceeded, beside the fixed allowance. */
    static final double MARGIN = 0.5;

    private static final Set<Role> ROLES = Set.of(Role.NETWORK, Role.CLIENT);
    private static final int PHASES = Phase.values().length;

    private final Map<Integer, Leader> leaders = new TreeMap<>();

    /**
     * One minute of one leader's probes.
     *
     * @param marked whether most of them were split by the leader's marks
     * @param leader broker id
     * @param at when it ended
     * @param waits the mean waits; a broker and role that is missing here took no time
     */
    record Minute(boolean marked, int leader, Instant at, List<Mean> waits) {
        Minute {
            waits = List.copyOf(waits);
        }
    }

    /**
     * A mean wait.
     *
     * @param broker the other end of the path, or none
     * @param role network or client
     * @param seconds by phase, none negative
     */
    record Mean(int broker, Role role, double[] seconds) {}

    /**
     * What is usual.
     *
     * @param seconds of all phases together, with what it may be exceeded by
     * @param phases seconds of each, without that
     */
    record Wait(double seconds, double[] phases) {}

    private static final class Leader {
        private final Deque<Minute> minutes = new ArrayDeque<>();

        /** Of minutes of one kind; empty where that is not known. */
        private final Map<Whom, Optional<Wait>> usual = new TreeMap<>();

        private boolean usualIsMarked;
        private Tally current = new Tally();

        /** Whether there was excess in the current minute. */
        private boolean hasExcess;
    }

    static boolean isLearned(Role role) {
        return ROLES.contains(role);
    }

    /**
     * Takes in what the probes of one leader waited for in one second.
     *
     * @param hasExcess whether it is accepted that they wait for the network, or for the canary, longer than usual
     */
    void add(int leader, Tally second, boolean hasExcess) {
        Leader known = leaders.computeIfAbsent(leader, id -> new Leader());
        known.current.addAll(second);
        known.hasExcess |= hasExcess;
    }

    /** A minute is over: to be called once in each. */
    void minute(Instant at) {
        leaders.forEach((id, leader) -> {
            if (leader.current.probes() >= LEAST_PROBES) {
                if (!leader.hasExcess || isOlder(leader.minutes.peek(), at, HELD)) {
                    keep(leader, minuteOf(id, at, leader.current));
                }
                leader.current = new Tally();
                leader.hasExcess = false;
            }
            forgetOld(leader, at);
        });
        leaders.values().removeIf(leader -> leader.minutes.isEmpty() && leader.current.probes() == 0);
    }

    private static Minute minuteOf(int leader, Instant at, Tally tally) {
        List<Mean> waits = new ArrayList<>();
        for (int i = 0; i < tally.size(); i++) {
            if (isLearned(tally.role(i))) {
                double[] seconds = new double[PHASES];
                for (int phase = 0; phase < PHASES; phase++) {
                    seconds[phase] = tally.nanos(i, phase) / 1e9 / tally.probes();
                }
                waits.add(new Mean(tally.broker(i), tally.role(i), seconds));
            }
        }
        return new Minute(tally.isMarked(), leader, at, waits);
    }

    private static void keep(Leader leader, Minute minute) {
        leader.minutes.add(minute);
        if (leader.minutes.size() > MINUTES) {
            leader.minutes.remove();
        }
        leader.usual.clear();
    }

    private static void forgetOld(Leader leader, Instant now) {
        if (leader.minutes.removeIf(minute -> isOlder(minute, now, OLDEST))) {
            leader.usual.clear();
        }
    }

    /** Also where there is no such minute. */
    private static boolean isOlder(Minute minute, Instant now, Duration age) {
        return minute == null || Duration.between(minute.at(), now).compareTo(age) > 0;
    }

    /**
     * Takes in minutes of an earlier process; of each leader those that are known here are the later ones. Minutes that
     * are older than a day, or lie in the future, are ignored.
     */
    void restore(Collection<Minute> earlier, Instant now) {
        Map<Integer, List<Minute>> usable = new TreeMap<>();
        earlier.stream()
                .filter(minute -> !isOlder(minute, now, OLDEST) && !minute.at().isAfter(now))
                .sorted(Comparator.comparing(Minute::at))
                .forEach(minute -> usable.computeIfAbsent(minute.leader(), id -> new ArrayList<>())
                        .add(minute));
        usable.forEach((id, minutes) -> {
            Leader leader = leaders.computeIfAbsent(id, each -> new Leader());
            List<Minute> own = List.copyOf(leader.minutes);
            leader.minutes.clear();
            minutes.forEach(minute -> keep(leader, minute));
            own.forEach(minute -> keep(leader, minute));
        });
    }

    /** All minutes, by leader, the earliest first. */
    List<Minute> minutes() {
        return leaders.values().stream()
                .flatMap(leader -> leader.minutes.stream())
                .toList();
    }

    /** How many minutes of a leader's probes are known, up to {@link #MINUTES}. */
    int minutes(int leader) {
        Leader known = leaders.get(leader);
        return known == null ? 0 : known.minutes.size();
    }

    /** Whether most probes of a leader's last minute were split by its marks. */
    boolean isMarked(int leader) {
        Leader known = leaders.get(leader);
        return known != null
                && !known.minutes.isEmpty()
                && known.minutes.getLast().marked();
    }

    /**
     * What is usual; empty until {@link #MINUTES} minutes of the leader's probes are known, of which {@link #KNOWN} knew
     * this broker and role.
     *
     * @param marked whether that is asked for probes that were split by the leader's marks
     */
    Optional<Wait> usual(int leader, int broker, Role role, boolean marked) {
        Leader known = leaders.get(leader);
        if (known == null || known.minutes.size() < MINUTES) {
            return Optional.empty();
        }
        if (known.usualIsMarked != marked) {
            known.usual.clear();
            known.usualIsMarked = marked;
        }
        return known.usual.computeIfAbsent(new Whom(broker, role), of -> usual(known, of, marked));
    }

    private static Optional<Wait> usual(Leader leader, Whom whom, boolean marked) {
        List<Minute> minutes = leader.minutes.stream()
                .filter(minute -> minute.marked() == marked)
                .toList();
        double[][] byPhase = new double[PHASES][minutes.size()];
        double[] sums = new double[minutes.size()];
        int knew = 0;
        int i = 0;
        for (Minute minute : minutes) {
            for (Mean mean : minute.waits()) {
                if (mean.broker() == whom.broker() && mean.role() == whom.role()) {
                    knew++;
                    for (int phase = 0; phase < PHASES; phase++) {
                        byPhase[phase][i] += mean.seconds()[phase];
                        sums[i] += mean.seconds()[phase];
                    }
                }
            }
            i++;
        }
        if (knew < KNOWN) {
            return Optional.empty();
        }
        double[] phases = new double[PHASES];
        for (int phase = 0; phase < PHASES; phase++) {
            phases[phase] = lowerQuartile(byPhase[phase]);
        }
        double allowance = Usual.ALLOWANCE.toNanos() / 1e9;
        return Optional.of(new Wait(lowerQuartile(sums) * (1 + MARGIN) + allowance, phases));
    }

    private static double lowerQuartile(double[] values) {
        Arrays.sort(values);
        return values[(values.length - 1) / 4];
    }
}
