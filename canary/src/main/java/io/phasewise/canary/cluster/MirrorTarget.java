/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster;

import io.phasewise.canary.breakdown.TargetLog;
import io.phasewise.canary.config.ClusterConfig;
import io.phasewise.canary.config.MirrorConfig;
import io.phasewise.canary.metrics.ClusterMetrics;
import io.phasewise.canary.metrics.KafkaClients;
import io.phasewise.canary.status.Problem;
import io.phasewise.canary.status.ProblemBoard;
import io.phasewise.canary.topic.TopicObserver;
import io.phasewise.canary.topic.TopicState;
import io.phasewise.canary.topic.TopicState.Partition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClient;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The other end of a mirrored profile: looks whether the probes' topic is there in the target
 * cluster, who leads it and whether it grows, and says what is amiss. It changes nothing there;
 * reading the probes is left to the consumer, creating the topic to MirrorMaker.
 *
 * <p>A target that cannot be reached stops nothing: what is being read goes on being read. Looked
 * at by one thread; {@link #view} may be read by any.
 */
final class MirrorTarget {
    private static final Logger LOG = LoggerFactory.getLogger(MirrorTarget.class);
    private static final int GAPS = 10;

    private final ClusterConfig config;
    private final MirrorConfig mirror;
    private final String id;
    private final TargetLog log;
    private final ClusterMetrics metrics;
    private final KafkaClients kafkaClients;
    private final ProblemBoard board;
    private final LongSupplier nanoClock;
    private final Pinger pinger;
    private final CredentialWatch credentials;
    private final MirrorWatch watch;

    private final AdminLink<TargetAdmin> admin;
    private Map<Integer, Long> ends = Map.of();

    /** Credentials changed, and the caller was not told yet. */
    private boolean renewConsumer;

    private volatile View view = View.UNKNOWN;

    /**
     * What the last look saw.
     *
     * @param clusterId Kafka's id of the target; null while unknown
     * @param leaders the partitions that the topic has there, each with its leader or {@link
     *     TopicState#NO_LEADER}
     */
    record View(String clusterId, Map<Integer, Integer> leaders) {
        static final View UNKNOWN = new View(null, Map.of());

        View {
            leaders = Map.copyOf(leaders);
        }
    }

    /**
     * @param config a mirrored profile
     * @param log learns who leads there and how far away they are
     * @param metrics counts failures
     * @param kafkaClients exports the admin client's own metrics
     * @param board takes the problems
     * @param nanoClock monotonic nanoseconds
     */
    MirrorTarget(
            ClusterConfig config,
            TargetLog log,
            ClusterMetrics metrics,
            KafkaClients kafkaClients,
            ProblemBoard board,
            LongSupplier nanoClock) {
        this.config = config;
        this.mirror = config.mirror().orElseThrow();
        this.id = config.id() + "-target";
        this.log = log;
        this.metrics = metrics;
        this.kafkaClients = kafkaClients;
        this.board = board;
        this.nanoClock = nanoClock;
        this.pinger =
                new Pinger(
                        mirror.kafka(),
                        id,
                        log::roundTrip,
                        fault -> metrics.error("pinger", fault),
                        nanoClock);
        this.credentials =
                new CredentialWatch(
                        mirror.kafka(), id, "mirror.", "target cluster", metrics, board);
        this.admin = new AdminLink<>(credentials, this::open);
        this.watch =
                new MirrorWatch(
                        config.deadline()
                                .plus(
                                        Duration.ofNanos(
                                                (long) (GAPS * 1e9 / config.probe().rate()))));
    }

    void start() {
        pinger.start();
    }

    void stop() {
        pinger.stop();
        admin.close();
    }

    /**
     * Looks once and posts what is amiss.
     *
     * @param probed partitions of the source that carry probes
     * @param sourceEnd where they end, added up; empty while not known
     * @return whether credentials have changed, so that the consumer has to be replaced
     */
    boolean look(Set<Integer> probed, OptionalLong sourceEnd) throws InterruptedException {
        try {
            String changed = admin.refresh();
            if (!changed.isEmpty()) {
                LOG.info(
                        "{}: {} changed; every Kafka client of the target is replaced",
                        config.title(),
                        changed);
                pinger.renew();
                renewConsumer = true;
            }
            TopicObserver observer = admin.get().observer();
            TopicObserver.Observation seen = observer.look();
            Map<Integer, Integer> leaders = new TreeMap<>();
            seen.state().partitions().stream()
                    .filter(partition -> probed.contains(partition.number()))
                    .forEach(partition -> leaders.put(partition.number(), partition.leader()));
            view = new View(seen.clusterId(), leaders);
            Map<Integer, Integer> known = new HashMap<>(leaders);
            known.values().removeIf(leader -> leader == TopicState.NO_LEADER);
            log.lead(known);
            pinger.setBrokers(seen.state().brokers());
            ends = leaders.isEmpty() ? Map.of() : observer.endOffsets(leaders.keySet());
            if (sourceEnd.isPresent() && ends.keySet().containsAll(probed)) {
                watch.update(
                        sourceEnd.getAsLong(),
                        ends.values().stream().mapToLong(Long::longValue).sum(),
                        nanoClock.getAsLong());
            }
            board.post("mirror", problems(probed, seen.state().partitions()));
            return takeRenewal();
        } catch (InterruptException e) {
            throw e; // the canary stops
        } catch (KafkaException e) {
            metrics.error("admin", e);
            ends = Map.of();
            board.post("mirror", List.of(ConnectionProblems.explainTarget(e, mirror)));
            return takeRenewal();
        }
    }

    private List<Problem> problems(Set<Integer> probed, List<Partition> there) {
        String source = config.topic().name();
        Set<Integer> missing = new TreeSet<>(probed);
        there.forEach(partition -> missing.remove(partition.number()));
        List<Problem> problems = new ArrayList<>();
        if (there.isEmpty()) {
            problems.add(
                    new Problem(
                            "mirror.topic",
                            "topic "
                                    + mirror.topic()
                                    + " does not exist in the target cluster yet, and no probe is"
                                    + " sent before it does: MirrorMaker creates it where its"
                                    + " topics include "
                                    + source
                                    + ", when it next looks for new ones"
                                    + " (refresh.topics.interval.seconds, 600 by default)"));
        } else if (!missing.isEmpty()) {
            problems.add(
                    new Problem(
                            "mirror.topic",
                            "topic "
                                    + mirror.topic()
                                    + " lacks partitions "
                                    + missing
                                    + " in the target cluster, which MirrorMaker adds when it next"
                                    + " looks (refresh.topics.interval.seconds)"));
        }
        if (watch.standing()) {
            problems.add(
                    new Problem(
                            "mirror",
                            "topic "
                                    + source
                                    + " grows and topic "
                                    + mirror.topic()
                                    + " of the target cluster does not: MirrorMaker stands still,"
                                    + " or no longer mirrors it"));
        }
        if (log.appendTimeMissing()) {
            problems.add(
                    new Problem(
                            "mirror.topic",
                            "records of topic "
                                    + mirror.topic()
                                    + " carry no LogAppendTime of the target, so that the phases"
                                    + " mirror, catch_up and fetch cannot be told apart: mirror"
                                    + " holds them all but for the way back; set"
                                    + " message.timestamp.type=LogAppendTime on that topic"));
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

    /** Whether the topic grows in the source alone. */
    boolean standsStill() {
        return watch.standing();
    }

    /** What the last look saw; the last that succeeded. */
    View view() {
        return view;
    }

    private boolean takeRenewal() {
        boolean due = renewConsumer;
        renewConsumer = false;
        return due;
    }

    private record TargetAdmin(ExportedAdmin client, TopicObserver observer)
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

    private TargetAdmin open() {
        AdminClient client = (AdminClient) Admin.create(mirror.kafka().adminProperties(id));
        return new TargetAdmin(
                new ExportedAdmin(client, config, kafkaClients),
                new TopicObserver(client, mirror.topic(), nanoClock));
    }
}
