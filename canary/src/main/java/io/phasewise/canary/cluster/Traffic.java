/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster;

import io.phasewise.canary.breakdown.PhaseEstimator;
import io.phasewise.canary.config.ClusterConfig;
import io.phasewise.canary.config.KafkaConfig;
import io.phasewise.canary.config.ProbeConfig;
import io.phasewise.canary.consume.ProbeConsumer;
import io.phasewise.canary.lane.LaneCounters;
import io.phasewise.canary.lane.LaneSettings;
import io.phasewise.canary.ledger.Ledger;
import io.phasewise.canary.ledger.Probe;
import io.phasewise.canary.metrics.ClusterMetrics;
import io.phasewise.canary.metrics.KafkaClients;
import io.phasewise.canary.phase.PollLog;
import io.phasewise.canary.probe.ProbeCodec;
import io.phasewise.canary.probe.ProbeContent;
import io.phasewise.canary.produce.KafkaLane;
import io.phasewise.canary.produce.LaneProducer;
import io.phasewise.canary.produce.PipelinedProducer;
import io.phasewise.canary.produce.ProbeProducer;
import io.phasewise.canary.schedule.Arrivals;
import io.phasewise.canary.schedule.PoissonArrivals;
import io.phasewise.canary.schedule.Scheduler;
import io.phasewise.canary.schedule.UniformArrivals;
import io.phasewise.canary.status.Problem;
import io.phasewise.canary.status.RecentFailures;
import io.phasewise.canary.topic.Failures;
import java.time.Duration;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.DispatchTimingProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The probes' way round in one cluster, by one profile: schedule, producer, ledger, consumer, and
 * what flows between them. Which partitions take part, and when it starts and ends, is left to
 * {@link ClusterCanary}.
 */
final class Traffic {
    private static final Duration FAILURE_MEMORY = Duration.ofSeconds(10);

    /** Time to open and connect a lane: about what it takes on two busy cores. */
    private static final Duration LANE_SET_UP = Duration.ofMillis(100);

    private static final Duration LANE_QUIET = Duration.ofSeconds(60);

    private final ClusterConfig config;
    private final Ledger ledger;
    private final ClusterMetrics metrics;
    private final KafkaClients kafkaClients;
    private final ProbeCodec recogniser;
    private final long instance;
    private final long seed;
    private final String groupId;
    private final LongSupplier nanoClock;
    private final Map<Integer, RecentFailures> producerFailures = new ConcurrentHashMap<>();
    private final RecentFailures consumerFailures;
    private final ProducerEvents producerEvents = new ProducerEvents();
    private final TooManyInFlightException tooMany;
    private final Scheduler scheduler;
    private final ProbeConsumer consumer;
    private volatile KafkaClients.Export consumerExport = () -> {};

    private final ProbeProducer producer;

    /**
     * Makes the clients; nothing is sent before {@link #start}.
     *
     * @throws KafkaException when a client cannot be made from its properties
     */
    Traffic(
            ClusterConfig config,
            Ledger ledger,
            ClusterMetrics metrics,
            KafkaClients kafkaClients,
            PhaseEstimator estimator,
            PollLog polls,
            long instance,
            long seed,
            LongSupplier nanoClock) {
        this.config = config;
        this.ledger = ledger;
        this.metrics = metrics;
        this.kafkaClients = kafkaClients;
        this.instance = instance;
        this.seed = seed;
        this.nanoClock = nanoClock;
        this.tooMany = new TooManyInFlightException(config.probe().maxInFlight());
        // Another group in every life: one that died without leaving would hold up its successor.
        this.groupId =
                config.group()
                        .id()
                        .orElse(
                                KafkaConfig.CLIENT_ID_PREFIX
                                        + "-"
                                        + config.id()
                                        + "-"
                                        + HexFormat.of().toHexDigits(instance));
        if (config.group().enabled()) {
            metrics.joinsGroup();
        }
        this.recogniser = new ProbeCodec(instance, 0, ProbeContent.plain(ProbeCodec.HEADER_SIZE));
        this.consumerFailures = new RecentFailures(FAILURE_MEMORY, nanoClock);
        this.scheduler =
                new Scheduler(
                        "schedule-" + config.id(),
                        this::arrivals,
                        this::dispatch,
                        fault -> metrics.error("scheduler", fault),
                        nanoClock);
        this.producer = config.probe().pipelined() ? pipelined(estimator) : lanes(estimator);
        try {
            this.consumer =
                    new ProbeConsumer(
                            "consume-" + config.id(),
                            this::openConsumer,
                            config.readTopic(),
                            recogniser,
                            ledger,
                            new ConsumerEvents(),
                            polls,
                            nanoClock,
                            config.group().enabled()
                                    ? Optional.of(config.group().commitInterval())
                                    : Optional.empty(),
                            config.readFrom().hasRack());
        } catch (KafkaException e) {
            producer.close(Duration.ZERO);
            throw e;
        }
    }

    private ProbeProducer lanes(PhaseEstimator estimator) {
        return new LaneProducer(
                "lanes-" + config.id(),
                this::openLane,
                laneSettings(config.probe()),
                this::codec,
                ledger,
                estimator,
                producerEvents,
                nanoClock,
                config.lossHorizon());
    }

    private ProbeProducer pipelined(PhaseEstimator estimator) {
        ProducerConfig settings = new ProducerConfig(config.producerProperties(0));
        return new PipelinedProducer(
                "produce-" + config.id(),
                this::openLane,
                codec(),
                settings.getInt(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION),
                Duration.ofMillis(settings.getLong(ProducerConfig.LINGER_MS_CONFIG)),
                ledger,
                estimator,
                producerEvents,
                nanoClock);
    }

    private ProbeCodec codec() {
        ProbeConfig probe = config.probe();
        return new ProbeCodec(
                instance,
                0,
                new ProbeContent(
                        probe.size(),
                        probe.compressibility(),
                        probe.keys(),
                        probe.keySize(),
                        probe.pipelined()));
    }

    private KafkaConsumer<byte[], byte[]> openConsumer() {
        KafkaConsumer<byte[], byte[]> client =
                new KafkaConsumer<>(
                        config.group().enabled()
                                ? config.readFrom()
                                        .groupMemberProperties(
                                                config.id(), groupId, config.group().protocol())
                                : config.readFrom().consumerProperties(config.id()));
        consumerExport.close();
        consumerExport = kafkaClients.export(config.name(), config.profile(), client);
        return client;
    }

    void start() {
        consumer.start();
        scheduler.start();
    }

    /** Sets what the consumer reads, and from where. */
    void read(Map<Integer, Long> startOffsets) {
        consumer.read(startOffsets);
    }

    /** Replaces the Kafka consumer by a new one that goes on where it stands. */
    void renewConsumer() {
        consumer.renew();
    }

    /** Replaces every client by a new one, without a pause in measuring. */
    void renewClients() {
        producer.renew();
        consumer.renew();
    }

    /** The partitions from which no probe can be missed any more. */
    Set<Integer> reading() {
        return consumer.reading();
    }

    /**
     * Sends probes to those partitions whose way round is open: read by the consumer, leader known
     * to the producer. A partition that was open stays so when its leader is gone: its probes then
     * fail or get lost, and that is the news.
     *
     * @param partitions candidates
     * @return the partitions served, with the leader last known
     */
    Map<Integer, Integer> serve(Set<Integer> partitions, Map<Integer, Integer> before) {
        Map<Integer, Integer> leaders = new TreeMap<>(before);
        leaders.putAll(producer.tick(partitions));
        Set<Integer> open = new HashSet<>(partitions);
        open.retainAll(consumer.reading());
        open.retainAll(leaders.keySet());
        leaders.keySet().retainAll(open);
        leaders.forEach(ledger::lead);
        scheduler.serve(open);
        return leaders;
    }

    /** What failed of late in the producer, by the broker that the probes were for. */
    Map<Integer, RecentFailures> producerFailures() {
        return producerFailures;
    }

    /** What another member of the consumer group keeps from the canary, if anything. */
    Optional<Problem> groupProblem() {
        Set<Integer> others = consumer.heldByOthers();
        return others.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new Problem(
                                "consumer-group.id",
                                "another member of the group "
                                        + groupId
                                        + " reads partitions "
                                        + others
                                        + ", whose probes do not come back; give each canary a"
                                        + " group of its own"));
    }

    /** What failed of late in the consumer. */
    RecentFailures consumerFailures() {
        return consumerFailures;
    }

    /** How the lanes fare; empty where one producer carries all probes. */
    Optional<LaneCounters> lanes() {
        return producer.lanes();
    }

    void stopSending() throws InterruptedException {
        scheduler.stop();
    }

    void close(Duration timeout) throws InterruptedException {
        consumer.stop(timeout);
        consumerExport.close();
        producer.close(timeout);
    }

    private static LaneSettings laneSettings(ProbeConfig probe) {
        int margin =
                Math.min(
                        probe.lanes(), LaneSettings.marginFor(probe.rate(), LANE_SET_UP.toNanos()));
        int initial = Math.min(probe.lanes(), margin + 1);
        return new LaneSettings(initial, probe.lanes(), margin, LANE_QUIET.toNanos());
    }

    private KafkaLane openLane(
            int lane, int serial, DispatchTimingProducer.AttemptListener attempts) {
        DispatchTimingProducer<byte[], byte[]> client =
                DispatchTimingProducer.create(
                        config.producerProperties(serial),
                        new ByteArraySerializer(),
                        new ByteArraySerializer(),
                        nanoClock,
                        attempts);
        // Lanes are alike: one of them shows the client's own metrics for all.
        KafkaClients.Export export =
                lane == 0 ? kafkaClients.export(config.name(), config.profile(), client) : () -> {};
        return new KafkaLane(client, config.topic().name(), export::close);
    }

    private Arrivals arrivals(int partition, long startNanos) {
        double rate = config.probe().rate();
        if (config.probe().schedule() == ProbeConfig.Arrival.POISSON) {
            return new PoissonArrivals(startNanos, rate, seed, partition);
        }
        // Staggered, so that partitions do not all fire at the same instant.
        double fraction = (partition * 0.618033988749895) % 1;
        return new UniformArrivals(startNanos + (long) (fraction * 1e9 / rate), rate);
    }

    private void dispatch(int partition, long dueNanos, long nowNanos) {
        metrics.scheduleLag(nowNanos - dueNanos);
        boolean full = ledger.inFlight() >= config.probe().maxInFlight();
        Probe probe = ledger.scheduled(partition, dueNanos);
        if (nowNanos - dueNanos > config.lossHorizon().toNanos()) {
            return; // The process stood still, and the probe is lost already: the sweep says so.
        }
        if (full) {
            ledger.sendFailed(probe);
            producerEvents.failed(probe, tooMany);
        } else {
            producer.send(probe);
        }
    }

    private final class ProducerEvents implements LaneProducer.Listener {
        @Override
        public void failed(Probe probe, Exception reason) {
            metrics.error("producer", reason);
            producerFailures
                    .computeIfAbsent(
                            probe.leader(), id -> new RecentFailures(FAILURE_MEMORY, nanoClock))
                    .add(
                            "probes to broker "
                                    + probe.leader()
                                    + " fail: "
                                    + Failures.describe(reason));
        }

        @Override
        public void granted(long nanos) {
            metrics.laneWait(nanos);
        }
    }

    private final class ConsumerEvents implements ProbeConsumer.Listener {
        @Override
        public void ignored(ProbeCodec.Kind kind) {
            metrics.ignored(kind);
        }

        @Override
        public void failed(KafkaException reason) {
            metrics.error("consumer", reason);
            consumerFailures.add(
                    reason instanceof GroupAuthorizationException
                            ? "no permission on the consumer group "
                                    + groupId
                                    + "; the canary's user needs Read on it: "
                                    + Failures.describe(reason)
                            : "reading fails: " + Failures.describe(reason));
        }

        @Override
        public void broken(Throwable fault) {
            metrics.error("reader", fault);
        }

        @Override
        public void committed(long nanos) {
            metrics.committed(nanos);
        }

        @Override
        public void commitFailed(KafkaException reason) {
            metrics.error("consumer", reason);
            boolean rebalancing =
                    reason instanceof RebalanceInProgressException
                            || reason instanceof CommitFailedException;
            if (!rebalancing) {
                consumerFailures.add("committing offsets fails: " + Failures.describe(reason));
            }
        }

        @Override
        public void rebalanced(long nanos) {
            metrics.rebalanced(nanos);
        }
    }
}
