/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster;

import io.phasewise.canary.breakdown.PhaseEstimator;
import io.phasewise.canary.breakdown.TargetLog;
import io.phasewise.canary.config.ClusterConfig;
import io.phasewise.canary.config.ProbeConfig;
import io.phasewise.canary.lane.LaneCounters;
import io.phasewise.canary.ledger.LatencyRecorder;
import io.phasewise.canary.ledger.LeaderCounts;
import io.phasewise.canary.ledger.Ledger;
import io.phasewise.canary.ledger.ProbeWitness;
import io.phasewise.canary.metrics.ClusterMetrics;
import io.phasewise.canary.metrics.ClusterView;
import io.phasewise.canary.metrics.KafkaClients;
import io.phasewise.canary.metrics.RecentWindow;
import io.phasewise.canary.phase.Acks;
import io.phasewise.canary.phase.PollLog;
import io.phasewise.canary.slow.ProbeJournal;
import io.phasewise.canary.slow.ProbeLines;
import io.phasewise.canary.status.ClusterStatus;
import io.phasewise.canary.status.Problem;
import io.phasewise.canary.status.ProblemBoard;
import io.phasewise.canary.status.SloStatus;
import io.phasewise.canary.status.VerdictHistory;
import io.phasewise.canary.supervise.LoopHealth;
import io.phasewise.canary.supervise.SupervisedLoop;
import io.phasewise.canary.topic.Failures;
import io.phasewise.canary.topic.TopicApplier;
import io.phasewise.canary.topic.TopicKeeper;
import io.phasewise.canary.topic.TopicObserver;
import io.phasewise.canary.topic.TopicPlanner;
import io.phasewise.canary.topic.TopicState;
import io.phasewise.canary.topic.TopicState.Broker;
import io.phasewise.canary.topic.TopicState.Partition;
import io.phasewise.canary.trace.TraceExport;
import io.phasewise.canary.trace.TraceRule;
import io.phasewise.canary.watch.Stalls;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClient;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures one cluster by one profile and never gives up on it: connects, prepares the topic, lets
 * the traffic run, and tries again after every failure. What the parts do is left to them; other
 * clusters and profiles know nothing of this one.
 *
 * <p>Two threads. The keeper looks at the cluster every few seconds and adapts topic and traffic to
 * it; it may wait for the network. The ticker never waits: ten times a second it lets the ledger
 * judge overdue probes and tells it who leads what.
 */
public final class ClusterCanary implements ClusterView {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterCanary.class);

    /** A logger of its own, so that these lines can be turned off or sent elsewhere. */
    private static final Logger PROBE_LOG = LoggerFactory.getLogger(ProbeJournal.class);

    private static final Duration LOOK = Duration.ofSeconds(5);
    private static final Duration LOOK_SOON = Duration.ofMillis(500);

    /** MirrorMaker may take minutes to create a topic. */
    private static final Duration LOOK_FOR_MIRROR = Duration.ofSeconds(2);

    private static final Duration RETRY_AT_LEAST = Duration.ofSeconds(1);
    private static final Duration RETRY_AT_MOST = Duration.ofSeconds(10);
    private static final Problem NO_APPEND_TIME =
            new Problem(
                    "topic.config.message.timestamp.type",
                    "records do not carry LogAppendTime, so the phases publish and commit cannot be"
                            + " told apart: publish is 0, commit holds both");
    private static final Problem READING_IN_VAIN =
            new Problem(
                    "consumer",
                    "probes are sent and never come back; the Kafka consumer is replaced by a new"
                            + " one, again and again while that lasts");
    private static final Problem MIRRORED_IN_VAIN =
            new Problem(
                    "consumer",
                    "probes do not come back within the loss horizon, though their topic grows in"
                            + " the target: MirrorMaker is far behind, or the consumer does not get"
                            + " what is there; it is replaced by a new one, again and again while"
                            + " that lasts");
    private static final Duration SLO_RECENT = Duration.ofMinutes(5);
    private static final Duration SLO_HOUR = Duration.ofHours(1);
    private static final long TICK_MS = 100;
    private static final int POLLS_REMEMBERED = 32_768;
    private static final Duration DRAIN = Duration.ofSeconds(1);

    private final ClusterConfig config;
    private final ClusterMetrics metrics;
    private final KafkaClients kafkaClients;
    private final long instance;
    private final long seed;
    private final Stalls stalls;
    private final LongSupplier nanoClock;

    private final PollLog polls;
    private final PhaseEstimator estimator;

    /** Null unless probes are read in another cluster, as the next. */
    private final TargetLog targetLog;

    private final MirrorTarget target;
    private final ProbeJournal journal;

    /** Null when no probe becomes a trace. */
    private final TraceRule traces;

    private final Ledger ledger;
    private final Map<Integer, RecentWindow> windows = new ConcurrentHashMap<>();
    private final VerdictHistory verdicts;
    private final ProblemBoard board;
    private final Readiness readiness;
    private final ReaderWatch readerWatch;
    private final Map<String, String> settings;

    private final Pinger pinger;
    private final CredentialWatch credentials;
    private final Thread keeperThread;
    private final LoopHealth tickerHealth;
    private final ScheduledExecutorService ticker;
    private final CountDownLatch stop = new CountDownLatch(1);

    private final AdminLink<TopicAdmin> admin;

    /** Used by the keeper only, as the next. */
    private int failedLooks;

    private final Map<Integer, Long> startOffsets = new HashMap<>();

    private volatile ClusterStatus.State state = ClusterStatus.State.CONNECTING;
    private volatile Layout layout = Layout.UNKNOWN;
    private volatile Traffic traffic;

    /** In-sync replicas by partition, at the last look; kept where traces say them. */
    private volatile Map<Integer, List<Integer>> inSync = Map.of();

    private volatile Map<Integer, Integer> leaders = Map.of();

    /**
     * @param config the cluster and the profile
     * @param metrics its series
     * @param kafkaClients exports the clients' own metrics
     * @param instance random number, another one for every cluster, profile and process life
     * @param stalls knows when this process stood still
     * @param export takes the traces of probes; empty when none become one
     * @param nanoClock monotonic nanoseconds
     */
    public ClusterCanary(
            ClusterConfig config,
            ClusterMetrics metrics,
            KafkaClients kafkaClients,
            long instance,
            Stalls stalls,
            Optional<TraceExport> export,
            LongSupplier nanoClock) {
        this.config = config;
        this.metrics = metrics;
        this.kafkaClients = kafkaClients;
        this.instance = instance;
        this.seed =
                config.probe()
                        .seed()
                        .orElse(new SplittableRandom(instance).nextLong(ProbeConfig.GREATEST_SEED));
        this.stalls = stalls;
        this.nanoClock = nanoClock;
        this.polls = new PollLog(config.lossHorizon().toNanos(), POLLS_REMEMBERED);
        boolean mirrored = config.mirror().isPresent();
        this.targetLog = mirrored ? new TargetLog() : null;
        this.estimator =
                new PhaseEstimator(acks(config), config.probe().attribution(), polls, targetLog);
        this.journal =
                new ProbeJournal(
                        new ProbeLines(config.name(), config.profile(), config.phases()),
                        config.slowProbes().keep(),
                        config.slowProbes().logPerMinute(),
                        config.slowProbes().logAbove().orElse(config.slo().target()),
                        instance,
                        stalls::within,
                        InstantSource.system(),
                        nanoClock,
                        PROBE_LOG::info);
        this.traces = export.map(e -> e.rule(instance, config.slo().target())).orElse(null);
        this.ledger =
                new Ledger(
                        config.slo().target(),
                        config.deadline(),
                        config.lossHorizon(),
                        this::recorder,
                        estimator,
                        export.map(this::tracing).orElse(journal),
                        !mirrored,
                        stalls::within);
        this.verdicts = new VerdictHistory(nanoClock.getAsLong());
        this.board = new ProblemBoard(config.title(), nanoClock);
        this.readiness = new Readiness(config);
        this.readerWatch = new ReaderWatch(config.lossHorizon(), nanoClock.getAsLong());
        this.settings = LatencySettings.of(config);
        this.pinger =
                new Pinger(
                        config.kafka(),
                        config.id(),
                        estimator::roundTrip,
                        fault -> metrics.error("pinger", fault),
                        nanoClock);
        this.credentials =
                new CredentialWatch(config.kafka(), config.id(), "", "cluster", metrics, board);
        this.admin = new AdminLink<>(credentials, this::openAdmin);
        this.target =
                mirrored
                        ? new MirrorTarget(
                                config, targetLog, metrics, kafkaClients, board, nanoClock)
                        : null;
        String keeperName = "cluster-" + config.id();
        SupervisedLoop keeperLoop =
                new SupervisedLoop(
                        new LoopHealth(keeperName, this::keeperFault, nanoClock),
                        () -> stop.getCount() == 0,
                        this::keep);
        this.keeperThread = new Thread(keeperLoop, keeperName);
        this.tickerHealth =
                new LoopHealth(
                        "tick-" + config.id(), fault -> metrics.error("ticker", fault), nanoClock);
        this.keeperThread.setDaemon(true);
        this.ticker =
                Executors.newSingleThreadScheduledExecutor(
                        task -> {
                            Thread thread = new Thread(task, "tick-" + config.id());
                            thread.setDaemon(true);
                            return thread;
                        });
    }

    /** Starts; returns at once, whatever state the cluster is in. */
    public void start() {
        keeperThread.start();
        pinger.start();
        if (target != null) {
            target.start();
        }
        ticker.scheduleAtFixedRate(this::tick, TICK_MS, TICK_MS, TimeUnit.MILLISECONDS);
    }

    /**
     * Stops sending, waits a moment for what is on its way, and closes the clients. Takes less than
     * four seconds.
     */
    public void stop() throws InterruptedException {
        stop.countDown();
        keeperThread.interrupt(); // it may be waiting for a cluster that does not answer
        keeperThread.join(DRAIN.toMillis());
        Traffic running = traffic;
        if (running != null) {
            running.stopSending();
            awaitDrained();
            running.close(DRAIN);
        }
        pinger.stop();
        ticker.shutdownNow();
        admin.close();
        if (target != null) {
            target.stop();
        }
    }

    private void awaitDrained() throws InterruptedException {
        long end = nanoClock.getAsLong() + DRAIN.toNanos();
        CountDownLatch drained = new CountDownLatch(1);
        ticker.scheduleAtFixedRate(
                () -> {
                    if (ledger.counts().stream().allMatch(c -> c.inFlight() == 0)) {
                        drained.countDown();
                    }
                },
                0,
                10,
                TimeUnit.MILLISECONDS);
        drained.await(end - nanoClock.getAsLong(), TimeUnit.NANOSECONDS);
    }

    private LatencyRecorder recorder(int leader) {
        return metrics.leader(
                leader,
                window(leader),
                nanos -> {
                    long now = nanoClock.getAsLong();
                    return stalls.within(now - nanos, now) > 0;
                },
                config.slo().target(),
                instance,
                traces);
    }

    private RecentWindow window(int leader) {
        return windows.computeIfAbsent(leader, id -> new RecentWindow(nanoClock, config.phases()));
    }

    private ProbeWitness tracing(TraceExport export) {
        return export.witness(
                traces,
                config.name(),
                config.profile(),
                config.topic().name(),
                config.phases(),
                instance,
                partition -> inSync.getOrDefault(partition, List.of()),
                stalls::within,
                journal);
    }

    private static Acks acks(ClusterConfig config) {
        return Acks.parse(
                config.kafka()
                        .producerProperties(config.id(), config.lossHorizon())
                        .get(ProducerConfig.ACKS_CONFIG)
                        .toString());
    }

    private void keeperFault(Throwable fault) {
        state = ClusterStatus.State.FAILED;
        metrics.error("keeper", fault);
    }

    /** One look, and the pause until the next one. */
    private void keep() throws InterruptedException {
        Duration pause;
        try {
            pause = round();
            failedLooks = 0;
        } catch (InterruptException e) {
            throw new InterruptedException(e.getMessage());
        } catch (KafkaException e) {
            failedLooks++;
            metrics.error("admin", e);
            state = ClusterStatus.State.FAILED;
            board.post("connection", List.of(connectionProblem(e)));
            pause = backoff(failedLooks);
        }
        stop.await(pause.toNanos(), TimeUnit.NANOSECONDS);
    }

    private static Duration backoff(int failures) {
        Duration pause = RETRY_AT_LEAST.multipliedBy(1L << Math.min(failures - 1, 10));
        return pause.compareTo(RETRY_AT_MOST) < 0 ? pause : RETRY_AT_MOST;
    }

    private Problem connectionProblem(KafkaException e) {
        return ConnectionProblems.explain(e, config);
    }

    /** Looks, adapts topic and traffic, and says when to look again. */
    private Duration round() throws InterruptedException {
        String changed = admin.refresh();
        if (!changed.isEmpty()) {
            replaceClients(changed);
        }
        TopicKeeper.Round round = admin.get().keeper().round();
        Layout now = new Layout(round.clusterId(), round.state());
        layout = now;
        if (traces != null) {
            inSync =
                    now.state().partitions().stream()
                            .collect(
                                    Collectors.toUnmodifiableMap(
                                            Partition::number, Partition::inSync));
        }
        board.post("connection", List.of());
        board.post("topic", round.problems());

        Map<Integer, Partition> probed = now.probed();
        if (probed.isEmpty()) {
            state = ClusterStatus.State.FAILED;
            return round.changed() ? LOOK_SOON : LOOK;
        }
        now.state().brokers().forEach(b -> ledger.open(b.id()));
        if (traffic == null) {
            Traffic fresh =
                    new Traffic(
                            config,
                            ledger,
                            metrics,
                            kafkaClients,
                            estimator,
                            polls,
                            instance,
                            seed,
                            nanoClock);
            fresh.start();
            traffic = fresh;
        }
        pinger.setBrokers(now.state().brokers());
        Set<Integer> members =
                now.state().brokers().stream().map(Broker::id).collect(Collectors.toSet());
        estimator.retainBrokers(members);
        traffic.retainBrokers(members);
        if (target != null) {
            lookAtTarget(now.state(), probed.keySet());
        }
        watchReader(probed.values());
        boolean all = readFromTheEnd(probed);
        if (target == null) {
            state = ClusterStatus.State.RUNNING;
            return round.changed() || !all ? LOOK_SOON : LOOK;
        }
        state = startOffsets.isEmpty() ? ClusterStatus.State.WAITING : ClusterStatus.State.RUNNING;
        return round.changed() ? LOOK_SOON : all ? LOOK : LOOK_FOR_MIRROR;
    }

    private void lookAtTarget(TopicState source, Set<Integer> probed) throws InterruptedException {
        estimator.stampedByLeader(
                "LogAppendTime".equals(source.config().get("message.timestamp.type")));
        if (target.look(probed, endOfSource(probed))) {
            traffic.renewConsumer();
        }
    }

    /** The ends of the logs, added up; empty while not all can be told. */
    private OptionalLong endOfSource(Set<Integer> probed) throws InterruptedException {
        try {
            Map<Integer, Long> ends = admin.get().observer().endOffsets(probed);
            return ends.keySet().containsAll(probed)
                    ? OptionalLong.of(ends.values().stream().mapToLong(Long::longValue).sum())
                    : OptionalLong.empty();
        } catch (InterruptException e) {
            throw e;
        } catch (KafkaException e) {
            return OptionalLong.empty(); // no leader: its probes get lost, and that is the news
        }
    }

    /** What is not in the target cannot be read there: no consumer is to blame for that. */
    private void watchReader(Collection<Partition> probed) {
        if (target != null && target.standsStill()) {
            board.post("reader", List.of());
            return;
        }
        if (readerWatch.update(
                leading(probed), readiness.ready(), ledger.counts(), nanoClock.getAsLong())) {
            traffic.renewConsumer();
        }
        Problem inVain = target == null ? READING_IN_VAIN : MIRRORED_IN_VAIN;
        board.post("reader", readerWatch.replacing() ? List.of(inVain) : List.of());
    }

    /** Has the consumer read every partition it does not read yet from where its log ends now. */
    private boolean readFromTheEnd(Map<Integer, Partition> probed) throws InterruptedException {
        Set<Integer> partitions = probed.keySet();
        // What was sent to a partition that carries no more probes is to be read still.
        Map<Integer, Integer> served = leaders;
        startOffsets
                .keySet()
                .removeIf(
                        p ->
                                !partitions.contains(p)
                                        && !served.containsKey(p)
                                        && !ledger.underWay(p));
        List<Integer> fresh =
                partitions.stream()
                        .filter(p -> !startOffsets.containsKey(p))
                        // Nobody could tell, and asking takes until the timeout.
                        .filter(p -> probed.get(p).leader() != TopicState.NO_LEADER)
                        .toList();
        if (!fresh.isEmpty()) {
            try {
                startOffsets.putAll(
                        target == null
                                ? admin.get().observer().endOffsets(fresh)
                                : target.endOffsets(fresh));
            } catch (InterruptException e) {
                throw e;
            } catch (KafkaException e) {
                if (startOffsets.isEmpty()) {
                    throw e;
                }
                metrics.error("admin", e); // the others are read meanwhile
            }
        }
        traffic.read(startOffsets);
        return startOffsets.keySet().containsAll(partitions);
    }

    private void replaceClients(String changed) {
        LOG.info("{}: {} changed; every Kafka client is replaced", config.title(), changed);
        pinger.renew();
        if (traffic != null) {
            traffic.renewClients();
        }
    }

    /** An admin client and what looks at the topic and changes it by that. */
    private record TopicAdmin(ExportedAdmin client, TopicObserver observer, TopicKeeper keeper)
            implements AdminLink.Client {
        @Override
        public void use() {
            client.export();
        }

        @Override
        public void close() {
            client.close();
        }
    }

    private TopicAdmin openAdmin() {
        AdminClient client =
                (AdminClient) Admin.create(config.kafka().adminProperties(config.id()));
        String topic = config.topic().name();
        TopicObserver observer = new TopicObserver(client, topic, nanoClock);
        return new TopicAdmin(
                new ExportedAdmin(client, config, kafkaClients),
                observer,
                new TopicKeeper(
                        observer,
                        new TopicPlanner(config.topic()),
                        new TopicApplier(client, config.title(), topic),
                        nanoClock));
    }

    /** Never waits for the network; see the class comment. */
    private void tick() {
        try {
            long now = nanoClock.getAsLong();
            ledger.sweep(now);
            journal.flush();
            Traffic running = traffic;
            Layout current = layout;
            if (running != null && stop.getCount() > 0) {
                leaders = running.serve(preferredLeaders(current), leaders);
                running.producerFailures()
                        .forEach(
                                (broker, failures) ->
                                        post("producer " + broker, "producer", failures.latest()));
                post("producer", "producer", Optional.empty());
                post("consumer", "consumer", running.consumerFailures().latest());
                board.post("group", running.groupProblem().stream().toList());
                board.post(
                        "phases",
                        estimator.appendTimeMissing() ? List.of(NO_APPEND_TIME) : List.of());
            }
            List<LeaderCounts> counts = ledger.counts();
            readiness.update(leading(current.probed().values()), counts, now);
            verdicts.record(
                    now,
                    counts.stream().mapToLong(LeaderCounts::good).sum(),
                    counts.stream().mapToLong(LeaderCounts::bad).sum(),
                    counts.stream().mapToLong(LeaderCounts::stalledBad).sum());
            tickerHealth.succeeded();
        } catch (KafkaException e) {
            metrics.error("producer", e);
            post("producer", "producer", Optional.of(Failures.describe(e)));
        } catch (RuntimeException | Error e) {
            tickerHealth.failed(e); // one that got out would end the ticker for good
        }
    }

    private static Map<Integer, Integer> preferredLeaders(Layout layout) {
        Map<Integer, Integer> preferred = new HashMap<>();
        layout.probed().forEach((number, p) -> preferred.put(number, p.preferredLeader()));
        return preferred;
    }

    /** The brokers that lead the partition that measures them. */
    private List<Integer> leading(Collection<Partition> probed) {
        Map<Integer, Integer> now = leaders;
        return probed.stream()
                .filter(
                        p ->
                                now.getOrDefault(p.number(), TopicState.NO_LEADER)
                                        == p.preferredLeader())
                .map(Partition::preferredLeader)
                .toList();
    }

    private void post(String poster, String client, Optional<String> failure) {
        board.post(poster, failure.map(f -> new Problem(client, f)).stream().toList());
    }

    /** How the cluster is doing now. */
    public ClusterStatus status() {
        Layout current = layout;
        Map<Integer, LeaderCounts> byLeader = new HashMap<>();
        ledger.counts().forEach(c -> byLeader.put(c.leader(), c));
        Map<Integer, Integer> leading = leaders;
        Set<Integer> ready = readiness.ready();
        Map<Integer, Double> uncertainties = new HashMap<>();
        timings().forEach(t -> uncertainties.put(t.broker(), t.clockUncertainty()));
        Traffic running = traffic;
        List<ClusterStatus.Broker> brokers = new ArrayList<>();
        for (Broker broker : current.state().brokers()) {
            Integer partition =
                    current.state().partitionOf(broker.id()).map(Partition::number).orElse(null);
            LeaderCounts counts = byLeader.get(broker.id());
            boolean leads =
                    partition != null
                            && leading.getOrDefault(partition, TopicState.NO_LEADER) == broker.id();
            brokers.add(
                    brokerStatus(
                            broker,
                            partition,
                            leads,
                            ready.contains(broker.id()),
                            counts,
                            uncertainties.getOrDefault(broker.id(), Double.NaN)));
        }
        return new ClusterStatus(
                config.name(),
                config.profile(),
                config.title(),
                current.clusterId(),
                state,
                board.problems(),
                current.topic(config.topic().name()),
                running == null ? 0 : running.lanes().map(LaneCounters::ready).orElse(1),
                brokers,
                seed,
                journal.entries(),
                new SloStatus(
                        sloTargetSeconds(),
                        sloObjective(),
                        verdicts.over(SLO_RECENT),
                        verdicts.over(SLO_HOUR)),
                settings,
                mirrorStatus());
    }

    private ClusterStatus.Mirror mirrorStatus() {
        if (target == null) {
            return null;
        }
        MirrorTarget.View seen = target.view();
        return new ClusterStatus.Mirror(seen.clusterId(), config.readTopic(), seen.leaders());
    }

    @Override
    public List<MirrorLeader> mirror() {
        if (target == null) {
            return List.of();
        }
        long now = nanoClock.getAsLong();
        Map<Integer, Integer> there = target.view().leaders();
        List<MirrorLeader> list = new ArrayList<>();
        new TreeMap<>(leaders)
                .forEach(
                        (partition, leader) ->
                                list.add(
                                        new MirrorLeader(
                                                partition,
                                                leader,
                                                there.getOrDefault(partition, TopicState.NO_LEADER),
                                                seconds(
                                                        targetLog.uncertaintyNanos(
                                                                partition, now)))));
        return list;
    }

    private ClusterStatus.Broker brokerStatus(
            Broker broker,
            Integer partition,
            boolean leads,
            boolean ready,
            LeaderCounts counts,
            double clockUncertainty) {
        RecentWindow window = window(broker.id());
        return new ClusterStatus.Broker(
                broker.id(),
                broker.host(),
                broker.port(),
                partition,
                leads,
                ready,
                window.summary(),
                counts == null ? 0 : counts.scheduled(),
                counts == null ? 0 : counts.inFlight(),
                counts == null
                        ? new ClusterStatus.Outcomes(0, 0, 0, 0)
                        : new ClusterStatus.Outcomes(
                                counts.delivered(),
                                counts.late(),
                                counts.lost(),
                                counts.sendFailed()),
                clockUncertainty);
    }

    @Override
    public String cluster() {
        return config.name();
    }

    @Override
    public String profile() {
        return config.profile();
    }

    @Override
    public List<LeaderCounts> counts() {
        return ledger.counts();
    }

    @Override
    public List<PartitionLeader> leaders() {
        Map<Integer, Partition> probed = layout.probed();
        List<PartitionLeader> list = new ArrayList<>();
        new TreeMap<>(leaders)
                .forEach(
                        (number, leader) -> {
                            Partition partition = probed.get(number);
                            boolean preferred =
                                    partition != null && partition.preferredLeader() == leader;
                            list.add(new PartitionLeader(number, leader, preferred));
                        });
        return list;
    }

    @Override
    public List<BrokerTiming> timings() {
        long now = nanoClock.getAsLong();
        Instant wall = Instant.now();
        long wallMinusMonotonic =
                TimeUnit.SECONDS.toNanos(wall.getEpochSecond()) + wall.getNano() - now;
        List<BrokerTiming> timings = new ArrayList<>();
        Set<Integer> members =
                layout.state().brokers().stream().map(Broker::id).collect(Collectors.toSet());
        for (PhaseEstimator.BrokerView broker : estimator.brokers(now)) {
            if (!members.contains(broker.broker())) {
                continue; // it has left; what is known of its clock is of no use to anybody
            }
            timings.add(
                    new BrokerTiming(
                            broker.broker(),
                            broker.offsetNanos().isEmpty()
                                    ? Double.NaN
                                    : (broker.offsetNanos().getAsLong() - wallMinusMonotonic) / 1e9,
                            seconds(broker.uncertaintyNanos()),
                            broker.steps(),
                            seconds(broker.oneWayDelayNanos())));
        }
        return timings;
    }

    private static double seconds(OptionalLong nanos) {
        return nanos.isEmpty() ? Double.NaN : nanos.getAsLong() / 1e9;
    }

    @Override
    public Map<String, Integer> lanes() {
        Traffic running = traffic;
        return Optional.ofNullable(running)
                .flatMap(Traffic::lanes)
                .map(
                        lanes ->
                                Map.of(
                                        "ready", lanes.ready(),
                                        "warming", lanes.warming(),
                                        "draining", lanes.draining()))
                .orElse(Map.of());
    }

    @Override
    public Map<String, String> settings() {
        return settings;
    }

    @Override
    public double sloTargetSeconds() {
        return config.slo().target().toNanos() / 1e9;
    }

    @Override
    public double sloObjective() {
        return config.slo().objective();
    }
}
