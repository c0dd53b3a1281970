/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster.traffic;

import io.phasewise.canary.account.Account;
import io.phasewise.canary.account.suspect.NamingLog;
import io.phasewise.canary.account.suspect.Suspects;
import io.phasewise.canary.cluster.context.CanaryContext;
import io.phasewise.canary.cluster.context.ProfileContext;
import io.phasewise.canary.config.ClusterConfig;
import io.phasewise.canary.phases.Acks;
import io.phasewise.canary.phases.Breakdown;
import io.phasewise.canary.phases.PollLog;
import io.phasewise.canary.probe.ledger.LatencyRecorder;
import io.phasewise.canary.probe.ledger.LeaderCounts;
import io.phasewise.canary.probe.ledger.Ledger;
import io.phasewise.canary.show.metrics.LeaderRecorder;
import io.phasewise.canary.show.metrics.RecentWindow;
import io.phasewise.canary.show.slow.ProbeJournal;
import io.phasewise.canary.show.slow.ProbeSource;
import io.phasewise.canary.show.status.ClusterStatus;
import io.phasewise.canary.show.status.ProfileSnapshot;
import io.phasewise.canary.show.status.SloStatus;
import io.phasewise.canary.show.status.VerdictHistory;
import io.phasewise.canary.show.trace.ProbeTracer;
import io.phasewise.canary.split.OwnWaits;
import io.phasewise.canary.split.PhaseEstimator;
import io.phasewise.canary.split.Splitter;
import io.phasewise.canary.split.TripReader;
import io.phasewise.canary.supervise.Stalls;
import io.phasewise.canary.topic.TopicState.Broker;
import io.phasewise.canary.trip.OpenProbe;
import io.phasewise.canary.trip.Trip;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is known of one profile's probes: their ledger, their phases, the remarkable ones among
 * them, and how the objective is being met. Has no thread and no client of its own; sending and
 * reading probes is left to {@link Traffic}. Thread-safe.
 */
public final class Measurement {
    /** A logger of its own, so that these lines can be turned off or sent elsewhere. */
    private static final Logger PROBE_LOG = LoggerFactory.getLogger(ProbeJournal.class);

    private static final Logger SUSPECT_LOG = LoggerFactory.getLogger(Suspects.class);

    private static final Duration SLO_RECENT = Duration.ofMinutes(5);
    private static final Duration SLO_HOUR = Duration.ofHours(1);
    private static final int POLLS_REMEMBERED = 32_768;

    /** A probe that is open for longer counts for the naming of suspects before it comes back. */
    private static final Duration OPEN_FOR = Duration.ofMillis(100);

    /** So many open probes count in a second. */
    private static final int MOST_OPEN = 400;

    private final ProfileContext profile;
    private final ClusterConfig config;
    private final Stalls stalls;
    private final PollLog polls;
    private final PhaseEstimator estimator;

    private final Splitter splitter;
    private final Suspects suspects;
    private final NamingLog namings;
    private final ProbeJournal journal;

    /** Empty when no probe becomes a trace. */
    private final Optional<ProbeTracer> tracer;

    private final Ledger ledger;
    private final VerdictHistory verdicts;
    private final Map<Integer, RecentWindow> windows = new ConcurrentHashMap<>();
    private final Map<Integer, LeaderRecorder> recorders = new ConcurrentHashMap<>();

    /**
     * @param profile what it works with
     */
    public Measurement(ProfileContext profile) {
        this.profile = profile;
        this.config = profile.config();
        CanaryContext context = profile.canary();
        this.stalls = context.stalls();
        LongSupplier nanoClock = context.nanoClock();
        this.polls = new PollLog(config.lossHorizon().toNanos(), POLLS_REMEMBERED, context.inputs());
        this.estimator = new PhaseEstimator(acks(config), config.probe().attribution(), polls, profile.clocks());
        ProbeSource source = new ProbeSource(
                config.name(),
                config.profile(),
                config.topic().name(),
                profile.instance(),
                context.wallTime(),
                stalls::within);
        Duration target = config.slo().target();
        this.journal = new ProbeJournal(
                config.slowProbes().keep(),
                config.slowProbes().logPerMinute(),
                config.slowProbes().logAbove().orElse(target),
                source,
                nanoClock,
                PROBE_LOG::info);
        this.tracer = context.traces().map(export -> export.tracer(source, target));
        this.suspects = new Suspects(context.wallTime()::at);
        this.namings = new NamingLog(config.title(), SUSPECT_LOG::info);
        List<TripReader> readers = new ArrayList<>();
        readers.add(new Recording());
        readers.add((trip, breakdown) ->
                suspects.add(trip.leader(), trip.partition(), trip.delivery().atNanos(), breakdown.account()));
        readers.add(journal);
        tracer.ifPresent(readers::add);
        this.splitter = new Splitter(estimator, profile.marks(), ownWaits(), profile.metrics()::unmarked, readers);
        this.ledger = new Ledger(
                target, config.deadline(), config.lossHorizon(), this::recorder, this::ended, stalls::within);
        this.verdicts = new VerdictHistory(nanoClock.getAsLong());
    }

    private void ended(Trip trip) {
        profile.canary().inputs().ended(trip);
        splitter.add(trip);
    }

    private OwnWaits ownWaits() {
        Map<String, Object> consumer = config.kafka().consumerProperties(config.id());
        Object least = consumer.getOrDefault(ConsumerConfig.FETCH_MIN_BYTES_CONFIG, "1");
        Object linger = config.producerProperties(0).get(ProducerConfig.LINGER_MS_CONFIG);
        return new OwnWaits(
                config.consumerClientId(),
                Long.parseLong(least.toString().strip()) > 1,
                Duration.ofMillis(Long.parseLong(linger.toString().strip())).toNanos(),
                config.deadline().toNanos(),
                stalls::within);
    }

    private static Acks acks(ClusterConfig config) {
        return Acks.parse(
                config.producerProperties(0).get(ProducerConfig.ACKS_CONFIG).toString());
    }

    /** Of a leader that was forgotten meanwhile nothing is counted: its series have ended. */
    private final class Recording implements TripReader {
        @Override
        public void delivered(Trip trip, Breakdown breakdown) {
            LeaderRecorder recorder = recorders.get(trip.leader());
            if (recorder != null) {
                recorder.phases(trip, breakdown);
            }
        }

        @Override
        public void undelivered(Trip trip, Account wait) {
            LeaderRecorder recorder = recorders.get(trip.leader());
            if (recorder != null) {
                recorder.undelivered(wait, profile.now());
            }
        }
    }

    private LatencyRecorder recorder(int leader) {
        return recorders.computeIfAbsent(
                leader,
                id -> profile.metrics()
                        .leader(
                                id,
                                window(id),
                                nanos -> {
                                    long now = profile.now();
                                    return stalls.within(now - nanos, now) > 0;
                                },
                                config.slo().target(),
                                profile.instance(),
                                tracer.map(ProbeTracer::rule).orElse(null)));
    }

    private RecentWindow window(int leader) {
        return windows.computeIfAbsent(
                leader, id -> new RecentWindow(profile.canary().nanoClock()));
    }

    public Ledger ledger() {
        return ledger;
    }

    public PhaseEstimator estimator() {
        return estimator;
    }

    /** Whom the probes wait for. */
    public Suspects suspects() {
        return suspects;
    }

    public PollLog polls() {
        return polls;
    }

    /** Whether a broker reports marks of probes. */
    public boolean reportsMarks(int broker) {
        return splitter.reportsMarks(broker);
    }

    /**
     * Takes in what a look at the cluster has shown: opens the accounts of new brokers, forgets
     * those that left long ago, and ends their series.
     */
    public void look(ProbeAssignment assignment) {
        Set<Integer> members = assignment.members();
        members.forEach(ledger::open);
        profile.canary().inputs().topic(assignment.state().topicId());
        splitter.topic(assignment.state().topicId());
        for (int forgotten : ledger.retainBrokers(members, profile.now())) {
            windows.remove(forgotten);
            recorders.remove(forgotten);
            profile.metrics().forget(forgotten);
        }
        recorders.values().forEach(each -> each.dropIdle(profile.now()));
        tracer.ifPresent(each -> {
            Map<Integer, List<Integer>> inSync = new HashMap<>();
            assignment.state().partitions().forEach(of -> inSync.put(of.number(), of.inSync()));
            each.inSync(inSync);
        });
    }

    /**
     * Judges overdue probes, splits those that have ended, names whom they wait for, and writes the lines that are due;
     * call it several times a second.
     */
    public void sweep() {
        long now = profile.now();
        try {
            ledger.sweep(now);
            LeaderCounts.Verdicts all = ledger.verdicts();
            verdicts.record(now, all.good(), all.bad(), all.stalledBad());
        } finally {
            try {
                split(() -> splitter.turn(now));
            } finally {
                name(now);
            }
        }
    }

    private void name(long now) {
        try {
            if (suspects.isDue(now)) {
                List<OpenProbe> open = ledger.open(now, OPEN_FOR, MOST_OPEN);
                profile.canary().inputs().open(open, now);
                splitter.open(open, now, (soFar, leader) -> suspects.open(leader, soFar));
            }
        } finally {
            if (suspects.turn(now)) {
                namings.look(suspects.named());
            }
        }
    }

    /** Splits the probes that no broker has reported yet: brokers are not asked any more. */
    public void finish() {
        split(() -> splitter.finish(profile.now()));
    }

    private void split(Runnable splitting) {
        try {
            splitting.run();
        } finally {
            journal.flush();
        }
    }

    /**
     * The status that goes with a snapshot.
     *
     * @param assignment at the last look
     * @param leaders by partition
     * @param ready brokers whose probes complete the round trip
     */
    public ClusterStatus status(
            ProfileSnapshot at, ProbeAssignment assignment, Map<Integer, Integer> leaders, Set<Integer> ready) {
        Map<Integer, LeaderCounts> counts = new HashMap<>();
        at.counts().forEach(each -> counts.put(each.leader(), each));
        Map<Integer, Double> uncertainties = new HashMap<>();
        at.clocks().forEach(each -> uncertainties.put(each.broker(), each.clockUncertainty()));
        List<Integer> leading = assignment.leading(leaders);
        List<ClusterStatus.Broker> brokers = new ArrayList<>();
        for (Broker broker : assignment.state().brokers()) {
            int id = broker.id();
            LeaderCounts of = counts.getOrDefault(id, LeaderCounts.none(id));
            brokers.add(new ClusterStatus.Broker(
                    id,
                    broker.host(),
                    broker.port(),
                    assignment.partitionOf(id),
                    leading.contains(id),
                    ready.contains(id),
                    profile.reach().failure(id, profile.now()).orElse(null),
                    window(id).summary(),
                    of.scheduled(),
                    of.inFlight(),
                    of.outcomes(),
                    uncertainties.getOrDefault(id, Double.NaN)));
        }
        SloStatus slo = new SloStatus(
                at.facts().sloTargetSeconds(),
                at.facts().sloObjective(),
                verdicts.over(SLO_RECENT),
                verdicts.over(SLO_HOUR));
        return new ClusterStatus(at, brokers, journal.slowest(), journal.undelivered(), slo);
    }
}
