/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster.traffic;

import io.phasewise.canary.cluster.access.Reports;
import io.phasewise.canary.cluster.context.CanaryContext;
import io.phasewise.canary.cluster.context.ProfileContext;
import io.phasewise.canary.config.ClusterConfig;
import io.phasewise.canary.config.ProbeConfig;
import io.phasewise.canary.probe.Arrivals;
import io.phasewise.canary.probe.PoissonArrivals;
import io.phasewise.canary.probe.Scheduler;
import io.phasewise.canary.probe.UniformArrivals;
import io.phasewise.canary.probe.ledger.Ledger;
import io.phasewise.canary.probe.ledger.Probe;
import io.phasewise.canary.receive.ProbeConsumer;
import io.phasewise.canary.send.ClockCalibrator;
import io.phasewise.canary.send.LaneCounts;
import io.phasewise.canary.send.ProbeProducer;
import io.phasewise.canary.send.SendContext;
import io.phasewise.canary.supervise.Problem;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.producer.DispatchTimingProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Uuid;

/**
 * The round trip of one profile's probes in one cluster: schedule, producer, ledger, consumer, and
 * what flows between them. Which partitions take part, and when it starts and ends, is left to
 * {@code ProfileRun}.
 */
public final class Traffic {
    private final ProfileContext profile;
    private final ClusterConfig config;
    private final String topicId;
    private final Ledger ledger;
    private final TrafficClients clients;
    private final TrafficEvents events;
    private final TooManyInFlightException tooMany;
    private final PartitionNotOpenException notOpen = new PartitionNotOpenException();
    private final PartitionGate gate;
    private final Scheduler scheduler;
    private final ProbeProducer producer;
    private final Optional<ClockCalibrator> calibrator;
    private final ProbeConsumer consumer;

    /** Partitions whose probes fail without being sent. */
    private volatile Set<Integer> failing = Set.of();

    /** Set when the topic is no longer the one that this was made for. */
    private volatile boolean halted;

    /**
     * Makes the clients; nothing is sent before {@link #start}.
     *
     * @param profile what it works with
     * @param measurement learns what becomes of each probe
     * @param topicId id of the topic that this is for; it ends with that topic
     * @param owner learns what ends it
     * @throws KafkaException when a client cannot be made from its properties
     */
    public Traffic(ProfileContext profile, Measurement measurement, String topicId, Owner owner) {
        this.profile = profile;
        this.config = profile.config();
        this.topicId = topicId;
        this.ledger = measurement.ledger();
        CanaryContext context = profile.canary();
        LongSupplier nanoClock = context.nanoClock();
        this.gate = new PartitionGate();
        this.tooMany = new TooManyInFlightException(config.probe().maxInFlight());
        this.clients =
                new TrafficClients(profile, new DispatchTimingProducer.OwnTopic(id(topicId), () -> replaced(owner)));
        this.events = new TrafficEvents(
                profile.metrics(),
                new TrafficEvents.Names(config.topic().name(), clients.groupId()),
                memory(config),
                () -> owner.sawOtherRecord(topicId),
                nanoClock);
        if (config.group().enabled()) {
            profile.metrics().joinsGroup();
        }
        this.scheduler = new Scheduler(
                context.supervisor(),
                "schedule-" + config.id(),
                this::arrivals,
                this::send,
                fault -> profile.metrics().error("scheduler", fault),
                nanoClock);
        SendContext sending = new SendContext(context.supervisor(), ledger, measurement.estimator(), events, nanoClock);
        this.producer = clients.producer(sending);
        this.calibrator = clients.calibrator(sending, measurement::reportsMarks);
        try {
            this.consumer = new ProbeConsumer(
                    context.supervisor(),
                    new ProbeConsumer.Settings(
                            "consume-" + config.id(),
                            config.topic().name(),
                            config.group().enabled()
                                    ? Optional.of(config.group().commitInterval())
                                    : Optional.empty(),
                            config.kafka().hasRack()),
                    clients::consumer,
                    clients.recogniser(),
                    ledger,
                    events,
                    measurement.polls(),
                    nanoClock);
        } catch (KafkaException e) {
            calibrator.ifPresent(ClockCalibrator::close);
            producer.close(Duration.ZERO);
            throw e;
        }
    }

    /** Learns what ends the traffic. Called by threads that must not wait. */
    public interface Owner {
        /** Another topic has the name: the one that this is for was deleted. */
        void replaced();

        /**
         * A record of the topic is no probe.
         *
         * @param topicId the topic's
         */
        void sawOtherRecord(String topicId);
    }

    /**
     * Failures are remembered until the next one may have come, so that one that lasts is not shown
     * as solved in between.
     */
    private static TrafficEvents.Memory memory(ClusterConfig config) {
        Duration commits =
                config.group().enabled() ? config.group().commitInterval().multipliedBy(3) : Duration.ZERO;
        return TrafficEvents.Memory.of(config.patience(), commits);
    }

    private static Uuid id(String topicId) {
        return topicId.isEmpty() ? Uuid.ZERO_UUID : Uuid.fromString(topicId);
    }

    public void start() {
        consumer.start();
        scheduler.start();
    }

    /**
     * Whether this has come to its end: it was halted, or its topic is gone.
     *
     * @param currentId id of the topic that has the name now
     */
    public boolean isOver(String currentId) {
        return halted || !topicId.equals(currentId);
    }

    private void replaced(Owner owner) {
        halt();
        owner.replaced();
    }

    /** Ends sending and reading within a tick; closing is left to the owner. */
    public void halt() {
        halted = true;
    }

    /** Sets what the consumer reads, and from where. */
    public void read(Map<Integer, Long> startOffsets) {
        if (!halted) {
            consumer.read(startOffsets);
        }
    }

    /** Replaces the Kafka consumer by a new one that goes on where the old one stood. */
    public void renewConsumer() {
        consumer.renew();
    }

    /** Replaces every client by a new one, without a pause in measuring. */
    public void renewClients() {
        producer.renew();
        calibrator.ifPresent(ClockCalibrator::renew);
        consumer.renew();
    }

    /**
     * Sends probes to those partitions that {@link PartitionGate} lets through. Probes of a
     * partition that cannot be opened fail, under its preferred leader.
     *
     * @param wanted partitions that should get probes, each with its preferred leader
     * @param before what the last call returned
     * @param paused whether nothing is to be sent; clients stay connected
     * @return the partitions that are open, each with the leader last known
     * @throws KafkaException when the cluster refuses to say who leads what
     */
    public Map<Integer, Integer> serve(Map<Integer, Integer> wanted, Map<Integer, Integer> before, boolean paused) {
        if (halted) {
            scheduler.serve(Set.of());
            consumer.read(Map.of());
            return before;
        }
        Map<Integer, Integer> leaders = new TreeMap<>(before);
        KafkaException refusal = null;
        try {
            leaders.putAll(producer.tick(wanted.keySet()));
        } catch (KafkaException e) {
            refusal = e;
        }
        PartitionGate.Served now = gate.update(wanted, leaders, consumer.reading(), profile.now());
        failing = Set.copyOf(now.failing().keySet());
        now.failing().forEach(ledger::lead);
        now.open().forEach(ledger::lead);
        Set<Integer> served = new HashSet<>(now.open().keySet());
        served.addAll(failing);
        scheduler.serve(paused ? Set.of() : served);
        Map<Integer, Integer> unpaused = paused ? Map.of() : now.open();
        calibrator.ifPresent(each -> each.tick(unpaused));
        if (refusal != null) {
            throw refusal;
        }
        return now.open();
    }

    /** Posts what failed recently, and takes down what no longer does. */
    public void postFailures(Reports reports) {
        events.post(reports);
        events.postThrottle(reports, clients.fetchThrottleMillis());
        reports.post("group", groupProblem());
    }

    /** Takes down what failed, as nothing is sent and read any more. */
    public void forgetFailures(Reports reports) {
        events.forget(reports);
        reports.post("group", List.of());
    }

    /**
     * The partitions that another member of the consumer group reads in the canary's stead, if any.
     */
    private List<Problem> groupProblem() {
        Set<Integer> others = consumer.heldByOthers();
        return others.isEmpty()
                ? List.of()
                : List.of(Problem.of(
                        "consumer-group.id",
                        "another member of the group %s reads partitions %s, whose probes"
                                + " do not come back; give each canary a group of its own",
                        clients.groupId(),
                        others));
    }

    /**
     * Forgets brokers that have left the cluster.
     *
     * @param members the brokers that are still in it
     */
    public void retainBrokers(Set<Integer> members) {
        producer.retainBrokers(members);
        events.retainBrokers(members);
    }

    /** How many lanes there are; empty where one producer carries all probes. */
    public Optional<LaneCounts> lanes() {
        return producer.lanes();
    }

    public void stopSending() throws InterruptedException {
        scheduler.stop();
    }

    public void close(Duration timeout) throws InterruptedException {
        consumer.stop(timeout);
        clients.endConsumerExport();
        calibrator.ifPresent(ClockCalibrator::close);
        producer.close(timeout);
    }

    private Arrivals arrivals(int partition, long startNanos) {
        double rate = config.probe().rate();
        if (config.probe().schedule() == ProbeConfig.Arrival.POISSON) {
            return new PoissonArrivals(startNanos, rate, profile.seed(), partition);
        }
        // Staggered, so that partitions do not all fire at the same instant.
        double fraction = (partition * 0.618033988749895) % 1;
        return new UniformArrivals(startNanos + (long) (fraction * 1e9 / rate), rate);
    }

    private void send(int partition, long dueNanos, long nowNanos) {
        profile.metrics().scheduleLag(nowNanos - dueNanos);
        boolean full = ledger.inFlight() >= config.probe().maxInFlight();
        Probe probe = ledger.scheduled(partition, dueNanos);
        if (nowNanos - dueNanos > config.lossHorizon().toNanos()) {
            return; // The process was stalled, and the probe is lost already: the sweep says so.
        }
        if (failing.contains(partition)) {
            ledger.sendFailed(probe);
            events.failed(probe, notOpen);
        } else if (full) {
            ledger.sendFailed(probe);
            events.failed(probe, tooMany);
        } else {
            producer.send(probe);
        }
    }
}
