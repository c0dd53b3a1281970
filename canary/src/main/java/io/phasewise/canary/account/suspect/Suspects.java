/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.account.suspect;

import io.phasewise.canary.account.Account;
import io.phasewise.common.phase.Phase;
import io.phasewise.common.phase.Role;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongFunction;

/**
 * Names whom the probes of one profile wait for longer than usual, second by second: a function of the accounts that are
 * added and of the seconds that pass, and of nothing else. Reads no clock and has no thread. Thread-safe.
 *
 * <p>A second is judged {@link #LAG} after it has ended, as most accounts are made only when their leader has reported;
 * an account that comes later than that belongs to the next second that is judged. Open probes belong to the second that
 * is judged next, with what they have waited so far: so a stall is found while it lasts.
 *
 * <p>Each leader, broker and role has a {@link CumulativeSum} of its own. What is {@link Usual} is fixed for what brokers
 * measure and {@link Learned} for the network and the canary itself. Which end of slow paths is named is a {@link
 * PathVote}. Unknown is never named. A wait of less than a fifth of the longest one is not named beside it: a stall
 * leaves queues behind.
 */
public final class Suspects {
    /** How long after its end a second is judged. */
    public static final Duration LAG = Duration.ofSeconds(2);

    /** Minutes of probes that are needed before network and canary can be named. */
    public static final int MINUTES_TO_LEARN = Learned.MINUTES;

    /** So many are named at most, those that probes wait for longest. */
    static final int MOST_NAMED = 20;

    /** A suspect of less than this share of the longest wait is not named beside it. */
    static final double LEAST_SHARE = 0.2;

    /** A phase with less than this share of a suspect's excess is left out. */
    static final double LEAST_PHASE = 0.1;

    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final long RECENT_SECONDS = 60;
    private static final int PHASES = Phase.values().length;

    /** Seconds that are not judged yet: those of the lag, the present one, and one for a probe that ends meanwhile. */
    private static final int RING = (int) LAG.toSeconds() + 2;

    private final LongFunction<Instant> dates;
    private final Learned learned = new Learned();
    private final List<Map<Integer, Tally>> ring = new ArrayList<>();
    private final Map<Integer, Tally> open = new TreeMap<>();
    private final Map<Integer, Partition> partitions = new TreeMap<>();
    private final Map<Integer, Long> leadersSeen = new TreeMap<>();
    private final Map<Integer, Long> brokersSeen = new TreeMap<>();
    private final Map<Integer, Map<Whom, CumulativeSum>> evidence = new TreeMap<>();
    private final NamedEnds ends = new NamedEnds();
    private boolean begun;

    /** The first second that is not judged yet: nanoseconds of the monotonic clock / 1e9. */
    private long next;

    private volatile List<Suspect> named = List.of();

    /**
     * How many probes of a partition come back in a second: the mean of the last minute, about. A partition takes its
     * rate with it when it moves to another leader.
     */
    private static final class Partition {
        private int leader;
        private int cameBack;
        private double mean;
        private int seconds;
        private int silent;

        void second() {
            seconds = (int) Math.min(seconds + 1, RECENT_SECONDS);
            mean += (cameBack - mean) / seconds;
            silent = cameBack == 0 ? silent + 1 : 0;
            cameBack = 0;
        }
    }

    /**
     * @param dates the time of day at an instant of the monotonic clock, asked once a minute
     */
    public Suspects(LongFunction<Instant> dates) {
        this.dates = dates;
        for (int i = 0; i < RING; i++) {
            ring.add(new TreeMap<>());
        }
    }

    /**
     * A probe came back.
     *
     * @param leader who led its partition
     * @param partition its number
     * @param endNanos when it came back (T5), monotonic nanoseconds
     * @param account whose time its latency was
     */
    public synchronized void add(int leader, int partition, long endNanos, Account account) {
        long second = Math.floorDiv(endNanos, SECOND);
        if (!begun) {
            begin(second);
        }
        long within = Math.max(next, Math.min(next + RING - 1, second));
        tally(ring.get(Math.floorMod(within, RING)), leader, account).cameBack(Math.max(0, within - second));
        Partition of = partitions.computeIfAbsent(partition, number -> new Partition());
        of.leader = leader;
        of.cameBack++;
    }

    /**
     * A probe has not come back yet: to be called for each of them, once before each {@link #turn} that a second lies
     * between.
     *
     * @param leader who leads its partition
     * @param soFar whose time its age was, until now
     */
    public synchronized void open(int leader, Account soFar) {
        tally(open, leader, soFar);
    }

    private static Tally tally(Map<Integer, Tally> to, int leader, Account account) {
        Tally tally = to.computeIfAbsent(leader, id -> new Tally());
        tally.add(account, Usual.ALLOWANCE.toNanos());
        return tally;
    }

    private void begin(long second) {
        begun = true;
        next = second;
    }

    /**
     * Whether {@link #turn} will judge a second: open probes are to be said before that.
     *
     * @param now monotonic nanoseconds
     */
    public synchronized boolean isDue(long now) {
        return begun && Math.floorDiv(now, SECOND) - LAG.toSeconds() - 1 >= next;
    }

    /**
     * Judges the seconds that ended {@link #LAG} ago; to be called at least once a second.
     *
     * @param now monotonic nanoseconds
     * @return whether a second was judged
     */
    public synchronized boolean turn(long now) {
        long last = Math.floorDiv(now, SECOND) - LAG.toSeconds() - 1;
        if (!begun) {
            begin(last + 1);
        }
        if (last < next) {
            return false;
        }
        while (next <= last) {
            // Open probes are as they are now: they belong to the last of several seconds.
            judge(next, ring.get(Math.floorMod(next, RING)), next == last ? open : Map.of());
            ring.set(Math.floorMod(next, RING), new TreeMap<>());
            next++;
        }
        open.clear();
        return true;
    }

    private void judge(long second, Map<Integer, Tally> ended, Map<Integer, Tally> stillOpen) {
        Map<Integer, Tally> all = new TreeMap<>();
        for (Map<Integer, Tally> each : List.of(ended, stillOpen)) {
            each.forEach((leader, tally) ->
                    all.computeIfAbsent(leader, id -> new Tally()).addAll(tally));
        }
        see(second, all);
        Map<Integer, Double> rates = new TreeMap<>();
        partitions.values().removeIf(each -> each.silent > RECENT_SECONDS);
        partitions.values().forEach(each -> {
            each.second();
            rates.merge(each.leader, each.mean, Double::sum);
        });
        Tally none = new Tally();
        Map<Integer, Double> usually = new TreeMap<>();
        all.forEach((leader, tally) -> usually.put(
                leader,
                usually(rates.getOrDefault(leader, 0.0), ended.getOrDefault(leader, none))
                        + stillOpen.getOrDefault(leader, none).probes()));
        Usual usual = new Usual(all, usually, brokersSeen.keySet());
        all.forEach((leader, tally) -> observe(
                second,
                leader,
                new Probes(
                        tally,
                        ended.getOrDefault(leader, none),
                        stillOpen.getOrDefault(leader, none),
                        usually.get(leader)),
                usual));
        evidence.values().forEach(of -> {
            of.values().forEach(each -> each.expire(second));
            of.values().removeIf(CumulativeSum::isEmpty);
        });
        evidence.values().removeIf(Map::isEmpty);
        ended.forEach((leader, tally) -> learned.add(leader, tally, isLearnedExceeded(leader)));
        if (Math.floorMod(second, 60) == 59) {
            learned.minute(dates.apply((second + 1) * SECOND));
        }
        named = names(second, all);
    }

    /** Whether it is accepted that a leader's probes wait longer than what was learned of them. */
    private boolean isLearnedExceeded(int leader) {
        return evidence.getOrDefault(leader, Map.of()).entrySet().stream()
                .anyMatch(each -> Learned.isLearned(each.getKey().role())
                        && each.getValue().isAccepted());
    }

    private void see(long second, Map<Integer, Tally> all) {
        all.forEach((leader, tally) -> {
            leadersSeen.put(leader, second);
            brokersSeen.put(leader, second);
            for (int at = 0; at < tally.size(); at++) {
                if (tally.broker(at) != Account.NO_BROKER) {
                    brokersSeen.put(tally.broker(at), second);
                }
            }
        });
        leadersSeen.values().removeIf(seen -> second - seen > RECENT_SECONDS);
        brokersSeen.values().removeIf(seen -> second - seen > RECENT_SECONDS);
    }

    /**
     * The probes of one leader in one second.
     *
     * @param all both of these
     * @param ended those that came back
     * @param open those that did not
     * @param usually how many probes the leader usually has in that time
     */
    private record Probes(Tally all, Tally ended, Tally open, double usually) {}

    /**
     * Those that a stall held up come back all at once, and among others: there are more than usual. Accounts that come
     * late are those of several seconds.
     */
    private static double usually(double rate, Tally ended) {
        return Math.min(ended.probes(), Math.max(1, rate * ended.seconds()));
    }

    private void observe(long second, int leader, Probes probes, Usual usual) {
        Map<Whom, CumulativeSum> its = evidence.computeIfAbsent(leader, id -> new TreeMap<>());
        TreeSet<Whom> whom = new TreeSet<>(its.keySet());
        for (int at = 0; at < probes.all.size(); at++) {
            whom.add(new Whom(probes.all.broker(at), probes.all.role(at)));
        }
        for (Whom each : whom) {
            wait(leader, each, probes, usual)
                    .ifPresent(wait ->
                            its.computeIfAbsent(each, id -> new CumulativeSum()).observe(second, wait));
        }
    }

    /** Empty where nobody can say what is usual. */
    private Optional<CumulativeSum.Wait> wait(int leader, Whom whom, Probes probes, Usual usual) {
        double most;
        double[] of = new double[PHASES];
        if (Usual.isMeasured(whom.role())) {
            most = usual.seconds(whom.broker());
        } else if (Learned.isLearned(whom.role())) {
            Optional<Learned.Wait> known =
                    learned.usual(leader, whom.broker(), whom.role(), isMarked(leader, probes.ended));
            if (known.isEmpty()) {
                return Optional.empty();
            }
            most = known.get().seconds();
            of = known.get().phases();
        } else {
            return Optional.empty();
        }
        Tally all = probes.all;
        double sum = 0;
        double[] phases = new double[PHASES];
        int at = all.find(whom.broker(), whom.role());
        for (int phase = 0; at >= 0 && phase < PHASES; phase++) {
            double wait = all.nanos(at, phase) / 1e9;
            sum += wait;
            phases[phase] = Math.max(0, wait / all.probes() - of[phase]);
        }
        return Optional.of(new CumulativeSum.Wait(
                all.probes(),
                sum / probes.usually,
                sum / all.probes(),
                most,
                phases,
                slow(probes.ended, whom),
                slow(probes.open, whom)));
    }

    /** Open probes have no marks of their own. */
    private boolean isMarked(int leader, Tally ended) {
        return ended.probes() > 0 ? ended.isMarked() : learned.isMarked(leader);
    }

    private static int slow(Tally tally, Whom whom) {
        int at = tally.find(whom.broker(), whom.role());
        return at < 0 ? 0 : tally.slow(at);
    }

    private List<Suspect> names(long second, Map<Integer, Tally> all) {
        Map<Whom, List<Excess>> by = new TreeMap<>();
        List<PathVote.Path> paths = new ArrayList<>();
        Map<PathVote.Path, Excess> ofPath = new HashMap<>();
        evidence.forEach((leader, its) -> its.forEach((whom, found) -> {
            Excess excess = new Excess(leader, found.excess(), found.beganSecond());
            if (whom.role() == Role.NETWORK) {
                if (found.isLikely() && excess.seconds() > 0) {
                    PathVote.Path path = path(leader, whom.broker(), excess, found.isAccepted());
                    paths.add(path);
                    ofPath.put(path, excess);
                }
            } else if (found.isAccepted()) {
                by.computeIfAbsent(whom, id -> new ArrayList<>()).add(excess);
            }
        }));
        int canaryPaths = (int) leadersSeen.keySet().stream()
                .filter(leader -> learned.minutes(leader) == Learned.MINUTES)
                .count();
        Set<Integer> before = namedEnds();
        for (PathVote.Named end : ends.names(second, paths, canaryPaths)) {
            if (!before.contains(end.end()) && isInDoubt(end, all)) {
                continue;
            }
            int broker = end.end() == PathVote.CANARY ? Account.NO_BROKER : end.end();
            by.put(
                    new Whom(broker, Role.NETWORK),
                    end.paths().stream().map(ofPath::get).toList());
        }
        List<Suspect> found = new ArrayList<>();
        by.forEach((whom, excesses) -> suspect(whom, excesses).ifPresent(found::add));
        return Suspect.bounded(found);
    }

    /**
     * Whether it is the follower of one slow path, while probes of the same leader wait as long for another follower, and
     * nobody knows yet for what: if that is a slow path, too, the other end is the one to be named.
     */
    private static boolean isInDoubt(PathVote.Named end, Map<Integer, Tally> all) {
        PathVote.Path path = end.paths().get(0);
        Tally tally = all.get(path.leader());
        if (end.paths().size() > 1 || path.near() == PathVote.CANARY || end.end() != path.far() || tally == null) {
            return false;
        }
        for (int at = 0; at < tally.size(); at++) {
            int other = tally.broker(at);
            if (tally.role(at) == Role.UNKNOWN && other != path.near() && other != path.far()) {
                double unknown = tally.nanos(at, Phase.COMMIT.ordinal()) / 1e9;
                if (unknown >= path.seconds() * tally.probes()) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Ends that were named in the second before; one that was in doubt was not. */
    private Set<Integer> namedEnds() {
        Set<Integer> ends = new TreeSet<>();
        for (Suspect each : named) {
            if (each.role() == Role.NETWORK) {
                ends.add(each.broker() == Account.NO_BROKER ? PathVote.CANARY : each.broker());
            }
        }
        return ends;
    }

    /** What the probes of one leader wait in excess, by phase. */
    private record Excess(int leader, double[] phases, long beganSecond) {
        double seconds() {
            return Arrays.stream(phases).sum();
        }

        boolean isMostly(Phase phase) {
            return phases[phase.ordinal()] * 2 > seconds();
        }
    }

    /** The wait of a commit is for the path between two brokers, every other one for a path of the canary. */
    private static PathVote.Path path(int leader, int broker, Excess excess, boolean accepted) {
        int far = broker == Account.NO_BROKER ? leader : broker;
        boolean betweenBrokers = far != leader && excess.isMostly(Phase.COMMIT);
        return new PathVote.Path(betweenBrokers ? leader : PathVote.CANARY, far, excess.seconds(), leader, accepted);
    }

    /** Empty where the excess is gone, though the name is not taken back yet. */
    private static Optional<Suspect> suspect(Whom whom, List<Excess> excesses) {
        Excess most = excesses.get(0);
        long began = Long.MAX_VALUE;
        TreeSet<Integer> leaders = new TreeSet<>();
        for (Excess each : excesses) {
            most = each.seconds() > most.seconds() ? each : most;
            began = Math.min(began, each.beganSecond);
            leaders.add(each.leader);
        }
        Map<Phase, Double> phases = new EnumMap<>(Phase.class);
        for (Phase phase : Phase.values()) {
            double seconds = most.phases[phase.ordinal()];
            if (seconds > 0 && seconds >= LEAST_PHASE * most.seconds()) {
                phases.put(phase, seconds);
            }
        }
        return phases.isEmpty()
                ? Optional.empty()
                : Optional.of(new Suspect(whom.broker(), whom.role(), phases, List.copyOf(leaders), began * SECOND));
    }

    /** Who is named now, longest wait first. */
    public List<Suspect> named() {
        return named;
    }

    /** Whether a probe was judged in the last minute: otherwise nobody can be named. */
    public synchronized boolean hasJudged() {
        return !leadersSeen.isEmpty();
    }

    /**
     * Minutes that are known of the leader that least is known of, from 0 to {@link #MINUTES_TO_LEARN}; leaders without a
     * probe in the last minute do not count.
     */
    public synchronized int learnedMinutes() {
        return leadersSeen.keySet().stream().mapToInt(learned::minutes).min().orElse(0);
    }

    /** What was learned, to be kept for the next process. */
    synchronized List<Learned.Minute> minutes() {
        return learned.minutes();
    }

    /** Takes in what an earlier process had learned. */
    synchronized void restore(Collection<Learned.Minute> earlier, Instant now) {
        learned.restore(earlier, now);
    }
}
