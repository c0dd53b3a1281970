/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster;

import io.phasewise.canary.account.suspect.Suspects;
import io.phasewise.canary.cluster.access.ConnectionProblems;
import io.phasewise.canary.cluster.access.Reports;
import io.phasewise.canary.cluster.context.ProfileContext;
import io.phasewise.canary.cluster.traffic.Drain;
import io.phasewise.canary.cluster.traffic.Measurement;
import io.phasewise.canary.cluster.traffic.ProbeAssignment;
import io.phasewise.canary.cluster.traffic.StartOffsets;
import io.phasewise.canary.cluster.traffic.StuckConsumerDetector;
import io.phasewise.canary.cluster.traffic.Traffic;
import io.phasewise.canary.config.ClusterConfig;
import io.phasewise.canary.group.GroupObserver;
import io.phasewise.canary.probe.ledger.LeaderCounts;
import io.phasewise.canary.show.status.ClusterStatus;
import io.phasewise.canary.show.status.ProfileSnapshot;
import io.phasewise.canary.supervise.LoopHealth;
import io.phasewise.canary.supervise.Problem;
import io.phasewise.canary.supervise.SupervisedThread;
import io.phasewise.canary.topic.ClusterObserver;
import io.phasewise.canary.topic.Failures;
import io.phasewise.canary.topic.LogDirectoryObserver;
import io.phasewise.canary.topic.Ownership;
import io.phasewise.canary.topic.ProbeRecordLook;
import io.phasewise.canary.topic.TopicApplier;
import io.phasewise.canary.topic.TopicKeeper;
import io.phasewise.canary.topic.TopicObserver;
import io.phasewise.canary.topic.TopicOwnership;
import io.phasewise.canary.topic.TopicPlanner;
import io.phasewise.canary.topic.TopicState.Partition;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Measures a cluster by one profile: keeps its topic as it should be, lets the traffic run, and
 * reports how that goes. What all profiles of a cluster share is left to {@link ClusterSession},
 * whose keeper also says when to look; other profiles know nothing of this one.
 *
 * <p>The ticker is a thread of its own and never waits: ten times a second it lets the ledger judge
 * overdue probes and keeps it informed who leads what.
 */
final class ProfileRun implements Traffic.Owner {
    private static final Duration LOOK = Duration.ofSeconds(5);
    private static final Duration LOOK_SOON = Duration.ofMillis(500);

    /**
     * So many time-outs in a row replace the reason that the cluster gave when it did answer; fewer
     * leave it as it is.
     */
    private static final int TIME_OUTS = 3;

    private static final Duration RETRY_AT_LEAST = Duration.ofSeconds(1);
    private static final Duration RETRY_AT_MOST = Duration.ofSeconds(10);
    private static final Problem NO_APPEND_TIME = new Problem(
            "topic.config.message.timestamp.type",
            "records do not carry LogAppendTime, so the phases publish and commit cannot be"
                    + " separated: publish is 0, commit holds both");
    private static final Problem PAUSED = new Problem("pause-file", "is there: no probes are sent until it is removed");
    private static final Duration TICK = Duration.ofMillis(100);
    private static final Duration DRAIN = Duration.ofSeconds(1);

    private final ProfileContext profile;
    private final ClusterConfig config;
    private final Reports reports;
    private final Measurement measurement;
    private final TopicObserver topic;
    private final TopicKeeper topicKeeper;
    private final GroupGuard groupGuard;
    private final NotLeading notLeading;
    private final Readiness readiness;
    private final StuckConsumerDetector stuckConsumerDetector;
    private final SnapshotMaker snapshots;

    private final SupervisedThread ticker;
    private final LoopHealth lookHealth;

    /** What keeps the canary from the cluster; null where nothing does. Used by the keeper's thread only. */
    private Problem refusal;

    /** Used by the keeper's thread only, as are the two counts below. */
    private StartOffsets startOffsets;

    private int timeOuts;
    private int failedLooks;
    private volatile long nextLook;

    private volatile TopicOwnership.Verdict verdict = TopicOwnership.Verdict.NOT_SEEN;
    private volatile ClusterStatus.State state = ClusterStatus.State.CONNECTING;
    private volatile ProbeAssignment assignment = ProbeAssignment.UNKNOWN;
    private volatile Optional<Traffic> traffic = Optional.empty();
    private volatile Map<Integer, Integer> leaders = Map.of();
    private volatile boolean stopping;

    /**
     * @param profile what it works with
     * @param admin the client in use
     */
    ProfileRun(ProfileContext profile, Supplier<Admin> admin) {
        this(profile, admin, new Measurement(profile));
    }

    /** As the other one, with what is known of its probes. */
    ProfileRun(ProfileContext profile, Supplier<Admin> admin, Measurement measurement) {
        this.profile = profile;
        this.config = profile.config();
        this.reports = profile.reports();
        LongSupplier nanoClock = profile.canary().nanoClock();
        this.measurement = measurement;
        this.topic = new TopicObserver(admin, config.topic().name(), nanoClock);
        String name = config.topic().name();
        this.topicKeeper = new TopicKeeper(
                name,
                topic,
                new TopicOwnership(config.topic(), config.profile()),
                new ProbeRecordLook(
                        name,
                        () -> new KafkaConsumer<>(
                                config.lookProperties(), new ByteArrayDeserializer(), new ProbeRecordLook.IsProbe()),
                        nanoClock),
                new TopicPlanner(config.topic()),
                new TopicApplier(admin, config.title(), name),
                nanoClock);
        this.groupGuard = new GroupGuard(
                config.group().enabled() ? config.group().id() : Optional.empty(),
                name,
                group -> GroupObserver.look(admin.get(), group));
        LogDirectoryObserver directories = new LogDirectoryObserver(admin);
        // A broker that cannot be reached is not asked: the answer would only be waited for.
        this.notLeading = new NotLeading(
                broker -> profile.reach().failure(broker, profile.now()).isPresent()
                        ? Optional.empty()
                        : directories.fault(broker));
        this.startOffsets = new StartOffsets(reports);
        this.readiness = new Readiness(config);
        this.stuckConsumerDetector = new StuckConsumerDetector(config.lossHorizon(), profile.now());
        this.snapshots = new SnapshotMaker(profile, measurement);
        this.ticker = profile.canary()
                .supervisor()
                .loop("tick-" + config.id(), fault -> reports.error("ticker", fault), this::tick);
        this.lookHealth = new LoopHealth("look-" + config.id(), fault -> reports.error("keeper", fault), nanoClock);
        this.nextLook = profile.now();
    }

    ClusterConfig config() {
        return config;
    }

    Reports reports() {
        return reports;
    }

    /** Ids of the cluster's brokers at the last look. */
    Set<Integer> members() {
        return assignment.members();
    }

    /** Whom the profile's probes wait for. */
    Suspects suspects() {
        return measurement.suspects();
    }

    /** Starts the threads; probes are sent once the first look has shown where to. */
    void start() {
        ticker.start();
    }

    /** How long until the next look is due, nanoseconds; not positive when it is. */
    long untilLook(long now) {
        return nextLook - now;
    }

    /**
     * Looks, and adapts topic and traffic to what is there. On the keeper's thread, and may wait
     * for the network.
     *
     * @param brokers the cluster's
     * @throws KafkaException when the cluster refuses or does not answer
     */
    void look(ClusterObserver.Brokers brokers) throws InterruptedException {
        long before = nextLook;
        Duration pause = adapt(topicKeeper.round(brokers, !isPaused(), this::endTraffic));
        failedLooks = 0;
        lookHealth.succeeded();
        if (nextLook == before) { // otherwise another look was asked for meanwhile
            nextLook = profile.now() + pause.toNanos();
        }
    }

    private boolean isPaused() {
        return profile.canary().pause().pauses(config.name());
    }

    /**
     * A look failed, or could not even be tried.
     *
     * @param suspends whether the clients are closed until it is tried again
     */
    void lookFailed(KafkaException e, boolean suspends) {
        failedLooks++;
        reports.error("admin", e);
        state = ClusterStatus.State.FAILED;
        timeOuts = e instanceof TimeoutException ? timeOuts + 1 : 0;
        if (refusal == null || timeOuts == 0 || timeOuts >= TIME_OUTS) {
            refusal = ConnectionProblems.explain(e, config, suspends);
        }
        reports.post("connection", List.of(refusal));
        Duration pause = RETRY_AT_LEAST.multipliedBy(1L << Math.min(failedLooks - 1, 10));
        nextLook = profile.now() + Math.min(pause.toNanos(), RETRY_AT_MOST.toNanos());
    }

    /** Whether a probe came back recently from some broker. */
    boolean isMeasuring() {
        return !readiness.ready().isEmpty();
    }

    /** A look met a fault that nobody expected. */
    void lookFaulted(Throwable fault) {
        lookHealth.failed(fault);
        state = ClusterStatus.State.FAILED;
        String what = fault.getClass().getSimpleName();
        reports.post("connection", List.of(new Problem("canary", "a look failed: " + what + "; the log says more")));
        nextLook = profile.now() + RETRY_AT_LEAST.toNanos();
    }

    /** Returns when to look again. */
    private Duration adapt(TopicKeeper.Round round) throws InterruptedException {
        boolean inQuestion = round.verdict().ownership() == Ownership.NONE && round.changed();
        if (inQuestion && traffic.isPresent()) {
            connected();
            return LOOK_SOON; // one broker does not know the topic: that is no reason to end anything yet
        }
        verdict = round.verdict();
        reports.post("topic", round.problems());
        boolean mayJoin = !verdict.maySend() || groupGuard.mayJoin(profile.now());
        reports.post("group-ownership", groupGuard.problem().stream().toList());
        boolean mayMeasure = verdict.maySend() && mayJoin;
        ProbeAssignment now = new ProbeAssignment(round.clusterId(), round.state(), mayMeasure);
        assignment = now;
        reports.post("not leading", notLeading.update(now.state(), profile.now()));
        Map<Integer, Partition> probed = now.probed();
        boolean isOver =
                traffic.isPresent() && traffic.get().isOver(round.state().topicId());
        if (!mayMeasure || isOver) {
            endTraffic();
        }
        if (probed.isEmpty()) {
            connected();
            state = ClusterStatus.State.FAILED;
            return round.changed() ? LOOK_SOON : LOOK;
        }
        measurement.look(now);
        Traffic running = traffic.orElse(null);
        if (running == null) {
            running = new Traffic(profile, measurement, round.state().topicId(), this);
            running.start();
            traffic = Optional.of(running);
        }
        connected();
        running.retainBrokers(now.members());
        boolean all = startOffsets.extend(
                probed, p -> leaders.containsKey(p) || measurement.ledger().underWay(p), topic::endOffsets);
        running.read(startOffsets.offsets());
        state = ClusterStatus.State.RUNNING;
        return all && !round.changed() ? LOOK : LOOK_SOON;
    }

    /**
     * The look succeeded. Called only once the clients are made: a fault that prevents that would
     * otherwise be posted and taken down in turn.
     */
    private void connected() {
        refusal = null;
        reports.post("connection", List.of());
    }

    /**
     * Ends sending and reading: the topic is gone, was replaced or is not the canary's, or the
     * cluster refuses the credentials. The next look that finds all in order begins anew. On the
     * keeper's thread.
     */
    void endTraffic() throws InterruptedException {
        Optional<Traffic> ended = traffic;
        traffic = Optional.empty();
        startOffsets = new StartOffsets(reports); // a topic that is made again begins anew
        if (ended.isPresent()) {
            ended.get().halt();
            ended.get().stopSending();
            ended.get().close(DRAIN);
            ended.get().forgetFailures(reports);
            reports.post("phases", List.of());
            reports.post("reader", List.of());
        }
        leaders = Map.of();
    }

    /** Another topic has the name: the next look decides about it, at once. */
    @Override
    public void replaced() {
        nextLook = profile.now();
    }

    /**
     * An adopted topic is then not for the canary alone; one that a canary created stays the
     * canary's.
     */
    @Override
    public void sawOtherRecord(String topicId) {
        if (verdict.ownership() != Ownership.CREATED && config.topic().adopt()) {
            topicKeeper.sawOtherRecord(topicId);
            traffic.filter(each -> !each.isOver(topicId)).ifPresent(Traffic::halt);
            nextLook = profile.now();
        }
    }

    private void watchConsumer(List<Integer> leading, List<LeaderCounts> counts) {
        boolean replace = stuckConsumerDetector.update(leading, readiness.ready(), counts, profile.now());
        if (replace) {
            traffic.ifPresent(Traffic::renewConsumer);
        }
        reports.post("reader", stuckConsumerDetector.problem().stream().toList());
    }

    /** Replaces every client by a new one, without a pause in measuring. */
    void renewClients() {
        traffic.ifPresent(Traffic::renewClients);
    }

    private void tick() throws InterruptedException {
        ProbeAssignment current = assignment;
        List<Integer> leading;
        List<LeaderCounts> counts;
        try {
            try {
                measurement.sweep();
            } finally {
                serve(current); // probes go on, whatever keeps those that came back from being shown
            }
        } finally {
            // Also after a failure: readiness must not go on showing what was so before.
            leading = current.leading(leaders);
            counts = measurement.ledger().counts();
            readiness.update(leading, counts, profile.now());
        }
        if (traffic.isPresent() && !stopping) {
            watchConsumer(leading, counts);
        }
        ticker.pause(TICK);
    }

    private void serve(ProbeAssignment current) {
        boolean paused = isPaused();
        reports.post("pause", paused ? List.of(PAUSED) : List.of());
        Traffic running = traffic.orElse(null);
        if (running == null) {
            leaders = Map.of(); // the traffic may have ended while this was serving it
            reports.post("producer", "producer", Optional.empty());
            return;
        }
        if (stopping) {
            return;
        }
        Optional<KafkaException> refused = Optional.empty();
        try {
            leaders = running.serve(current.preferredLeaders(), leaders, paused);
        } catch (KafkaException e) {
            refused = Optional.of(e);
        }
        refused.ifPresent(e -> reports.error("producer", e));
        reports.post("producer", "producer", refused.map(Failures::describe));
        if (refused.isPresent()) {
            return; // failures that follow from this one are not posted beside it
        }
        running.postFailures(reports);
        boolean missing = measurement.estimator().appendTimeMissing();
        reports.post("phases", missing ? List.of(NO_APPEND_TIME) : List.of());
    }

    /** How the measuring stands now, for a scrape. */
    ProfileSnapshot snapshot() {
        return snapshot(assignment, leaders);
    }

    private ProfileSnapshot snapshot(ProbeAssignment at, Map<Integer, Integer> led) {
        ClusterStatus.State now = isPaused() ? ClusterStatus.State.PAUSED : state;
        ClusterStatus.Group group = groupGuard.seen().orElse(null);
        return snapshots.make(now, at, verdict.ownership(), group, led, traffic);
    }

    /** How the profile is doing now. */
    ClusterStatus status() {
        ProbeAssignment at = assignment;
        Map<Integer, Integer> led = leaders;
        return measurement.status(snapshot(at, led), at, led, readiness.ready(profile.now()));
    }

    /**
     * Stops sending, waits a moment for what is on its way, and closes the clients. Takes little
     * more than three seconds. The keeper must have ended, or it might start the traffic again.
     */
    void stop() throws InterruptedException {
        stopping = true;
        Optional<Traffic> running = traffic;
        try {
            if (running.isPresent()) {
                running.get().stopSending();
                new Drain(measurement.ledger()::inFlight, profile::now).await(DRAIN);
                running.get().close(DRAIN);
            }
        } finally {
            ticker.stop();
            try {
                ticker.join(TICK);
            } finally {
                measurement.finish();
            }
        }
    }
}
