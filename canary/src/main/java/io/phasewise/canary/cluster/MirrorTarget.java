/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster;

import io.phasewise.canary.config.ClusterConfig;
import io.phasewise.canary.config.MirrorConfig;
import io.phasewise.canary.estimate.TargetLog;
import io.phasewise.canary.group.GroupObserver;
import io.phasewise.canary.show.status.ClusterStatus;
import io.phasewise.canary.supervise.Problem;
import io.phasewise.canary.supervise.SupervisedThread;
import io.phasewise.canary.topic.TopicObserver;
import io.phasewise.canary.topic.TopicState;
import io.phasewise.canary.topic.TopicState.Broker;
import io.phasewise.canary.topic.TopicState.Partition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthenticationException;

/**
 * The other end of a mirrored profile: looks whether the probes' topic is there in the target
 * cluster, who leads it and whether it grows, and says what is amiss. It changes nothing there;
 * reading the probes is left to the consumer, creating the topic to MirrorMaker.
 *
 * <p>A target that cannot be reached stops nothing: what is being read goes on being read. It is
 * looked at on a thread of its own, so that nothing else waits for it. Thread-safe.
 */
final class MirrorTarget {
    private static final Duration LOOK = Duration.ofSeconds(5);

    /** While partitions are missing: MirrorMaker may take minutes to create a topic. */
    private static final Duration LOOK_FOR_MORE = Duration.ofSeconds(2);

    /** While the source was not seen yet. */
    private static final Duration LOOK_SOON = Duration.ofMillis(200);

    private final ProfileContext profile;
    private final MirrorConfig mirror;
    private final TargetLog log;
    private final Runnable renewConsumer;
    private final Reports reports;
    private final ClusterLink link;
    private final StuckMirrorDetector stuckMirrorDetector;
    private final TopicObserver topic;
    private final GroupGuard groupGuard;
    private final SupervisedThread thread;
    private final MirrorCopy copy;

    private volatile boolean foreign;

    /** Whether the cluster refuses the credentials. */
    private volatile boolean refused;

    private volatile Source source = new Source(null, Set.of(), OptionalLong.empty());
    private volatile Map<Integer, Long> ends = Map.of();
    private volatile boolean stuck;
    private volatile ClusterStatus.Mirror seen;

    /**
     * What the source looks like.
     *
     * @param clusterId Kafka's id of that cluster
     * @param probed its partitions that carry probes
     * @param end where they end, added up; empty while not known
     */
    private record Source(String clusterId, Set<Integer> probed, OptionalLong end) {}

    /**
     * @param profile a mirrored one
     * @param renewConsumer called when credentials have changed
     */
    MirrorTarget(ProfileContext profile, Runnable renewConsumer) {
        this.profile = profile;
        ClusterConfig config = profile.config();
        CanaryContext context = profile.canary();
        this.mirror = config.mirror().orElseThrow();
        this.seen = new ClusterStatus.Mirror(null, mirror.topic(), Map.of());
        this.copy = new MirrorCopy(config.topic().name(), config.topic().adopt());
        this.log = profile.targetLog();
        this.renewConsumer = renewConsumer;
        this.reports = profile.reports();
        this.link = new ClusterLink(
                new ClusterLink.Name(config.id() + "-target", config.title() + ", target", "mirror.", "target cluster"),
                List.of(mirror.kafka()),
                config,
                log::roundTrip,
                new BrokerReach(),
                reports,
                context);
        this.topic = new TopicObserver(link::client, mirror.topic(), context.nanoClock());
        this.groupGuard = new GroupGuard(
                config.group().enabled() ? config.group().id() : Optional.empty(),
                mirror.topic(),
                group -> GroupObserver.look(link.client(), group));
        this.stuckMirrorDetector = new StuckMirrorDetector(config.patience());
        this.thread = context.supervisor()
                .loop("mirror-" + config.id(), fault -> reports.error("mirror", fault), this::turn, link::close);
    }

    void start() {
        link.start();
        thread.start();
    }

    void stop() {
        link.stopPings();
        thread.interrupt(); // it may be waiting for a cluster that does not answer
    }

    /**
     * Says what the source looks like.
     *
     * @param clusterId Kafka's id of that cluster
     * @param probed partitions of the source that carry probes
     * @param sourceEnd where they end, added up; empty while not known
     */
    void compareWith(String clusterId, Set<Integer> probed, OptionalLong sourceEnd) {
        source = new Source(clusterId, Set.copyOf(probed), sourceEnd);
    }

    private void turn() throws InterruptedException {
        Source now = source;
        if (now.probed().isEmpty()) {
            thread.pause(LOOK_SOON);
            return;
        }
        if (link.isSuspended()) {
            thread.pause(LOOK_FOR_MORE);
            return;
        }
        try {
            look(now);
            refused = false;
        } catch (KafkaException e) {
            failed(e);
        }
        link.postUnreachable();
        thread.pause(ends.keySet().containsAll(now.probed()) ? LOOK : LOOK_FOR_MORE);
    }

    /** A look failed. On the thread that looks. */
    void failed(KafkaException e) {
        boolean suspends = e instanceof AuthenticationException;
        reports.error("admin", e);
        ends = Map.of();
        reports.post("mirror", List.of(ConnectionProblems.explain(e, profile.config(), true, suspends)));
        if (suspends) {
            link.suspend();
            refused = true;
        }
    }

    /** Looks once and posts what is amiss. */
    private void look(Source of) throws InterruptedException {
        boolean isAdopted = profile.config().topic().adopt();
        TopicObserver.Observation observed = topic.look(link.look(renewConsumer), !isAdopted);
        boolean isCopy = !observed.state().exists() || copy.is(of.clusterId(), observed.state());
        if (!isCopy || copy.isShared(observed.state())) {
            foreign = true;
            ends = Map.of();
            seen = new ClusterStatus.Mirror(observed.clusterId(), mirror.topic(), Map.of());
            reports.post("mirror", List.of(isCopy ? shared() : notTheCopy(observed)));
            return;
        }
        if (!groupGuard.mayJoin(profile.now())) {
            foreign = true;
            ends = Map.of();
            reports.post("mirror", groupGuard.problem().stream().toList());
            return;
        }
        foreign = false;
        List<Broker> brokers = observed.state().brokers();
        Map<Integer, Integer> leaders = new TreeMap<>();
        observed.state().partitions().stream()
                .filter(partition -> of.probed().contains(partition.number()))
                .forEach(partition -> leaders.put(partition.number(), partition.leader()));
        seen = new ClusterStatus.Mirror(observed.clusterId(), mirror.topic(), leaders);
        Map<Integer, Integer> known = new HashMap<>(leaders);
        known.values().removeIf(leader -> leader == TopicState.NO_LEADER);
        log.lead(known);
        log.retainBrokers(brokers.stream().map(Broker::id).collect(Collectors.toSet()));
        link.ping(brokers);
        ends = leaders.isEmpty() ? Map.of() : topic.endOffsets(leaders.keySet());
        if (of.end().isPresent() && ends.keySet().containsAll(of.probed())) {
            stuck = stuckMirrorDetector.update(
                    of.end().getAsLong(),
                    ends.values().stream().mapToLong(Long::longValue).sum(),
                    profile.now());
        }
        reports.post("mirror", problems(of.probed(), observed.state().partitions()));
    }

    private Problem shared() {
        return Problem.of(
                "mirror.topic",
                "topic %s of the target cluster is not read any more: it is adopted, but holds a record that is no"
                        + " probe, so it is not for the canary alone. Find who writes to it, or to topic %s, of which it"
                        + " is a copy. Then choose another topic.name, or restart the canary when nobody does any more",
                mirror.topic(),
                profile.config().topic().name());
    }

    private Problem notTheCopy(TopicObserver.Observation observed) {
        return Problem.of(
                "mirror.topic",
                "topic %s of the target cluster is not read: it %s. MirrorMaker copies the mark with the topic's"
                        + " settings, at the latest after sync.topic.configs.interval.seconds (600 by default). Where"
                        + " it does not (sync.topic.configs.enabled=false), set topic.adopt: true if topic %s and its"
                        + " copy are for the canary alone",
                mirror.topic(),
                observed.state().configKnown()
                        ? "has not the mark of topic "
                                + profile.config().topic().name()
                        : "cannot be known to be the copy, as its settings cannot be read (the canary's user needs"
                                + " DescribeConfigs on it)",
                profile.config().topic().name());
    }

    private List<Problem> problems(Set<Integer> probed, List<Partition> there) {
        String source = profile.config().topic().name();
        Set<Integer> missing = new TreeSet<>(probed);
        there.forEach(partition -> missing.remove(partition.number()));
        List<Problem> problems = new ArrayList<>();
        if (there.isEmpty()) {
            problems.add(Problem.of(
                    "mirror.topic",
                    "topic %s does not exist in the target cluster yet, and no probe is"
                            + " sent before it does: MirrorMaker creates it where its"
                            + " topics include %s, when it next looks for new ones"
                            + " (refresh.topics.interval.seconds, 600 by default)",
                    mirror.topic(),
                    source));
        } else if (!missing.isEmpty()) {
            problems.add(Problem.of(
                    "mirror.topic",
                    "topic %s lacks partitions %s in the target cluster, which MirrorMaker"
                            + " adds when it next looks (refresh.topics.interval.seconds)",
                    mirror.topic(),
                    missing));
        }
        if (stuck) {
            problems.add(Problem.of(
                    "mirror",
                    "topic %s grows and topic %s of the target cluster does not:"
                            + " MirrorMaker has stopped, or no longer mirrors it",
                    source,
                    mirror.topic()));
        }
        if (log.appendTimeMissing()) {
            problems.add(Problem.of(
                    "mirror.topic",
                    "records of topic %s carry no LogAppendTime of the target, so that the"
                            + " phases mirror, catch_up and fetch cannot be separated:"
                            + " mirror includes all three, except the network delay back;"
                            + " set message.timestamp.type=LogAppendTime on that topic",
                    mirror.topic()));
        }
        return problems;
    }

    /**
     * Where the log of each of some partitions ended at the last look; those not seen are left out.
     */
    Map<Integer, Long> endOffsets(Collection<Integer> partitions) {
        Map<Integer, Long> offsets = new HashMap<>(ends);
        offsets.keySet().retainAll(partitions);
        return offsets;
    }

    /** A record of the topic is no probe, though the configuration says that it is for the canary alone. */
    void sawOtherRecord() {
        copy.sawOtherRecord();
    }

    /**
     * Whether nothing is to be read there: what is there is somebody else's, topic or consumer
     * group, or the cluster refuses the credentials, which a consumer would try again every second.
     *
     * @param isMeasuring whether probes come back: a consumer that was let in goes on
     */
    boolean isShut(boolean isMeasuring) {
        return foreign || copy.isShared() || refused && !isMeasuring;
    }

    /** Whether the topic grows in the source alone. */
    boolean isStuck() {
        return stuck;
    }

    /** The consumer group there, once it was looked at. */
    Optional<ClusterStatus.Group> group() {
        return groupGuard.seen();
    }

    /** What the last look saw; the last that succeeded. */
    ClusterStatus.Mirror seen() {
        return seen;
    }
}
