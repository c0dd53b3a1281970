/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.apache.kafka.clients.producer;

import static org.apache.kafka.clients.producer.ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.ClientUtils;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.KafkaClient;
import org.apache.kafka.clients.Metadata;
import org.apache.kafka.clients.MetadataSnapshot;
import org.apache.kafka.clients.producer.internals.ProducerMetadata;
import org.apache.kafka.clients.producer.internals.ProducerMetrics;
import org.apache.kafka.clients.producer.internals.Sender;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.internals.LogContext;

/**
 * A Kafka producer that reports for each record when the produce request that decided it was handed
 * to the network client (its dispatch) and when the client saw the answer; earlier requests that
 * carried the record and failed are reported to a listener. Which dispatch is T1 is left to the
 * caller.
 *
 * <p>No public API shows when a request leaves. This class lives in Kafka's package because it uses
 * two package-private members of {@link KafkaProducer}: the constructor that takes a {@link
 * KafkaClient} and the method {@code newSender}, in which the producer's own metrics, metadata and
 * log context are at hand to build the very network client that the producer would have built. That
 * client is wrapped; everything but the two stamps is passed on. A contract test says what is
 * relied upon.
 *
 * <p><b>Which request carried a record</b> is known without reading a single record: Kafka calls
 * each record's callback from within the completion handler of the request that decided it: the
 * last one, whatever retries and splits came before. Requests may carry many records, be
 * compressed, idempotent or not, and acks may be anything. Only failed requests are read.
 *
 * <p><b>Instants.</b> A dispatch is read immediately before {@code NetworkClient.send}, the completion at
 * the start of the completion handler, before any callback. When one poll() of the network client
 * brings several answers, the later ones are stamped after the callbacks of the earlier ones: late
 * by the time those took. With acks=0 completion is when the bytes were passed to the socket.
 *
 * <p>It never has a broker create its topic: see {@link OwnTopicMetadata}.
 *
 * <p>Telemetry pushed to brokers (KIP-714) is off, as it would share the measured connections.
 */
public final class DispatchTimingProducer extends KafkaProducer<byte[], byte[]> {

    /**
     * How often the producer is reminded that a topic is still of interest: well within the least
     * idle time after which it may be set to forget one (metadata.max.idle.ms, 5 s).
     */
    private static final long INTEREST_NANOS = Duration.ofSeconds(1).toNanos();

    private final TimingClient timing;

    private volatile Known known;

    /**
     * One produce request, answered or given up.
     *
     * @param node the broker's id
     * @param sequence its number among this producer's produce requests to that broker, from 0: the
     *     request in front of it on the connection was the one before
     * @param outstanding produce requests to that broker without an answer when this one was
     *     dispatched; 0 means that nothing was in front of it
     * @param dispatched when it was handed to the network client, nanoseconds of the producer's clock
     * @param completed when it was answered or given up, the same clock
     * @param answered whether the broker answered or, with acks=0, the bytes left; false when the
     *     connection broke or the request timed out
     */
    public record Dispatch(
            int node, long sequence, int outstanding, long dispatched, long completed, boolean answered) {}

    /**
     * The topic that is sent to, and no other of the same name; see {@link OwnTopicMetadata}.
     *
     * @param id its id; zero where brokers do not say ids
     * @param replaced called, once for each producer, when there is another topic of the same name;
     *     must be quick
     */
    public record OwnTopic(Uuid id, Runnable replaced) {
        /** Whichever topic has the name. */
        public static final OwnTopic ANY = new OwnTopic(Uuid.ZERO_UUID, () -> {});
    }

    /** Takes the fate of one record. */
    @FunctionalInterface
    public interface TimedCallback {
        /**
         * Called once per record, as {@link Callback#onCompletion}.
         *
         * @param metadata as there
         * @param failure null when the record was written
         * @param dispatch the request that decided it; null when no request did (no metadata,
         *     buffer full, delivery timeout before a dispatch or while one was under way)
         */
        void onCompletion(RecordMetadata metadata, Exception failure, Dispatch dispatch);
    }

    /** Learns what becomes of the requests that carry records. */
    @FunctionalInterface
    public interface AttemptListener {
        /**
         * A request was answered or given up, and so is known to hold up no other one any more.
         * Called on the producer's network thread, after the callbacks of its records, also when
         * there was none; must be quick.
         *
         * @param dispatch the request
         */
        default void completed(Dispatch dispatch) {}

        /**
         * A broker answered that it throttles this client, by a quota. Called on the producer's
         * network thread; must be quick.
         *
         * @param millis for how long it does, more than 0
         */
        default void throttled(int millis) {}

        /**
         * Reporting a request failed: one of these methods threw, or the request could not be read.
         * The producer goes on. Must not throw.
         *
         * @param fault what was thrown
         */
        default void faulted(RuntimeException fault) {}

        /**
         * A request failed; called for each of its records, whether that will be retried or not.
         * Called on the producer's network thread, before any callback; must be quick. Needed to
         * find the dispatch to which the append belongs where a request was given up and yet
         * appended.
         *
         * @param partition the record's
         * @param value serialized, may be null; valid during the call only
         * @param dispatch the failed request
         */
        void attemptFailed(int partition, ByteBuffer value, Dispatch dispatch);
    }

    /**
     * Creates a producer.
     *
     * @param config as for {@link KafkaProducer}
     * @param topic the only topic that is sent to
     * @param nanoClock monotonic nanoseconds
     * @param attempts called with each request
     * @throws org.apache.kafka.common.config.ConfigException for an invalid configuration
     * @throws org.apache.kafka.common.KafkaException when it cannot be built
     */
    public static DispatchTimingProducer create(
            Map<String, Object> config, OwnTopic topic, LongSupplier nanoClock, AttemptListener attempts) {
        Map<String, Object> properties = new HashMap<>(config);
        properties.put(CommonClientConfigs.ENABLE_METRICS_PUSH_CONFIG, false);
        properties.put(KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        properties.put(VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        ProducerConfig checked = new ProducerConfig(properties);
        return new DispatchTimingProducer(
                new TimingClient(checked, nanoClock, attempts),
                new OwnTopicMetadata(checked, topic.id(), topic.replaced()));
    }

    private DispatchTimingProducer(TimingClient timing, OwnTopicMetadata metadata) {
        super(
                timing.config,
                new ByteArraySerializer(),
                new ByteArraySerializer(),
                metadata,
                timing,
                null,
                timing.apiVersions,
                Time.SYSTEM);
        this.timing = timing;
    }

    /**
     * Sends a record as {@link #send(ProducerRecord, Callback)} does.
     *
     * @param record what to send
     * @param callback takes its fate; called on the network thread, or on this one when the record
     *     cannot even be queued
     */
    public Future<RecordMetadata> sendTimed(ProducerRecord<byte[], byte[]> record, TimedCallback callback) {
        return send(record, (metadata, failure) -> callback.onCompletion(metadata, failure, timing.completingHere()));
    }

    /**
     * Who leads a partition as far as this producer knows.
     *
     * @param node the leader; never null
     * @param epoch its leadership's epoch, by which two producers' knowledge compares; -1 where the
     *     broker does not report it
     */
    public record KnownLeader(Node node, int epoch) {}

    /**
     * Who leads the partitions of a topic, as far as this producer knows; asks the cluster when it
     * knows nothing yet, but does not wait longer than {@code max.block.ms} for the answer. Cheap
     * while nothing changes: meant to be asked many times a second.
     *
     * @param topic the topic
     * @return by partition, unmodifiable; partitions without a known leader are left out
     * @throws org.apache.kafka.common.errors.TimeoutException when nothing is known yet
     * @throws org.apache.kafka.common.KafkaException when the cluster refuses to answer
     */
    public Map<Integer, KnownLeader> leaders(String topic) {
        MetadataSnapshot snapshot = timing.metadata.fetchMetadataSnapshot();
        long now = timing.nanoClock.getAsLong();
        Known last = known;
        if (last != null
                && last.snapshot() == snapshot
                && last.topic().equals(topic)
                && now - last.atNanos() < INTEREST_NANOS) {
            return last.leaders();
        }
        Map<Integer, KnownLeader> leaders = read(topic);
        // With the snapshot from before the reading: a change while it goes on is read the next time.
        known = new Known(topic, snapshot, leaders, now);
        return leaders;
    }

    /** What a reading of one snapshot of the metadata gave; each change makes a new snapshot. */
    private record Known(String topic, MetadataSnapshot snapshot, Map<Integer, KnownLeader> leaders, long atNanos) {}

    private Map<Integer, KnownLeader> read(String topic) {
        Map<Integer, KnownLeader> leaders = new HashMap<>();
        for (PartitionInfo info : partitionsFor(topic)) {
            Metadata.LeaderAndEpoch current =
                    timing.metadata.currentLeader(new TopicPartition(topic, info.partition()));
            current.leader
                    .filter(node -> !node.isEmpty())
                    .ifPresent(node -> leaders.put(info.partition(), new KnownLeader(node, current.epoch.orElse(-1))));
        }
        return Map.copyOf(leaders);
    }

    /** Has the producer ask who leads what, as soon as its backoff allows. */
    public void refreshLeaders() {
        timing.metadata.requestUpdate(false);
        timing.wakeup();
    }

    /**
     * Has the producer connect to brokers without sending them anything, so that no record pays for
     * a connection set-up. Replaces what an earlier call asked for.
     *
     * @param nodes the brokers; {@link #connecting} shows when it is done with them
     */
    public void connect(Collection<Node> nodes) {
        timing.toConnect.set(List.copyOf(nodes));
        timing.wakeup();
    }

    /** Whether some broker of the last {@link #connect} is neither connected nor has refused. */
    public boolean connecting() {
        return !timing.toConnect.get().isEmpty();
    }

    /** Called from within the superclass's constructor: this class's fields are not set yet. */
    @Override
    Sender newSender(LogContext logContext, KafkaClient client, ProducerMetadata metadata) {
        TimingClient timingClient = (TimingClient) client;
        ProducerConfig config = timingClient.config;
        timingClient.metadata = metadata;
        timingClient.delegate = ClientUtils.createNetworkClient(
                config,
                config.getList(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG),
                metrics,
                "producer",
                logContext,
                timingClient.apiVersions,
                Time.SYSTEM,
                config.getInt(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION),
                metadata,
                Sender.throttleTimeSensor(new ProducerMetrics(metrics).senderMetrics),
                null);
        return super.newSender(logContext, timingClient, metadata);
    }
}
