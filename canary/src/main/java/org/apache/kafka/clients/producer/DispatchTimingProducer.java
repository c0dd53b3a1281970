/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.apache.kafka.clients.producer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.ApiVersions;
import org.apache.kafka.clients.ClientRequest;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.clients.ClientUtils;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.KafkaClient;
import org.apache.kafka.clients.LeastLoadedNode;
import org.apache.kafka.clients.Metadata;
import org.apache.kafka.clients.MetadataSnapshot;
import org.apache.kafka.clients.RequestCompletionHandler;
import org.apache.kafka.clients.producer.internals.ProducerMetadata;
import org.apache.kafka.clients.producer.internals.ProducerMetrics;
import org.apache.kafka.clients.producer.internals.Sender;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.requests.ProduceResponse;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.internals.LogContext;

/**
 * A Kafka producer that tells for each record when the produce request that carried it was handed
 * to the network client (T1) and when the client saw the answer; what the instants mean is left to
 * the caller.
 *
 * <p>No public API tells when a request leaves. This class lives in Kafka's package because it uses
 * two package-private members of {@link KafkaProducer}: the constructor that takes a {@link
 * KafkaClient} and the method {@code newSender}, in which the producer's own metrics, metadata and
 * log context are at hand to build the very network client that the producer would have built. That
 * client is wrapped; everything but the two stamps is passed on. A contract test says what is
 * relied upon.
 *
 * <p><b>Which request carried a record</b> is known without reading a single record: Kafka calls
 * each record's callback from within the completion handler of the request that decided it. So the
 * last dispatch counts, whatever retries and splits came before; requests may carry many records,
 * be compressed, idempotent or not, and acks may be anything.
 *
 * <p><b>Instants.</b> T1 is read immediately before {@code NetworkClient.send}, the completion at
 * the start of the completion handler, before any callback. When one poll() of the network client
 * brings several answers, the later ones are stamped after the callbacks of the earlier ones: late
 * by the time those took. With acks=0 completion is when the bytes were passed to the socket.
 *
 * <p>Telemetry pushed to brokers (KIP-714) is off, as it would share the measured connections.
 *
 * @param <K> type of keys
 * @param <V> type of values
 */
public final class DispatchTimingProducer<K, V> extends KafkaProducer<K, V> {

    /**
     * How often the producer is told that a topic is still of interest: well within the least idle
     * time after which it may be set to forget one (metadata.max.idle.ms, 5 s).
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
     * @param dispatched T1, nanoseconds of the producer's clock
     * @param completed when it was answered or given up, the same clock
     * @param answered whether the broker answered or, with acks=0, the bytes left; false when the
     *     connection broke or the request timed out
     */
    public record Dispatch(
            int node,
            long sequence,
            int outstanding,
            long dispatched,
            long completed,
            boolean answered) {}

    /** Told the fate of one record. */
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

    /** Told of the requests that carry records. */
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
         * Telling of a request failed: one of these methods threw, or the request could not be
         * read. The producer goes on. Must not throw.
         *
         * @param fault what was thrown
         */
        default void faulted(RuntimeException fault) {}

        /**
         * A request failed; told of each of its records, whether that will be retried or not.
         * Called on the producer's network thread, before any callback; must be quick. Needed to
         * find the dispatch to which the append belongs where a request was given up and yet
         * appended.
         *
         * @param topic the record's topic
         * @param partition its partition
         * @param key serialized, may be null; valid during the call only, as is the value
         * @param value serialized, may be null
         * @param dispatch the failed request
         */
        void attemptFailed(
                String topic, int partition, ByteBuffer key, ByteBuffer value, Dispatch dispatch);
    }

    /**
     * Creates a producer.
     *
     * @param config as for {@link KafkaProducer}
     * @param keySerializer not null
     * @param valueSerializer not null
     * @param nanoClock monotonic nanoseconds
     * @param attempts told of requests
     * @param <K> type of keys
     * @param <V> type of values
     * @throws org.apache.kafka.common.config.ConfigException for an invalid configuration
     * @throws org.apache.kafka.common.KafkaException when it cannot be built
     */
    public static <K, V> DispatchTimingProducer<K, V> create(
            Map<String, Object> config,
            Serializer<K> keySerializer,
            Serializer<V> valueSerializer,
            LongSupplier nanoClock,
            AttemptListener attempts) {
        Map<String, Object> properties = new HashMap<>(config);
        properties.put(CommonClientConfigs.ENABLE_METRICS_PUSH_CONFIG, false);
        ProducerConfig producerConfig =
                new ProducerConfig(
                        ProducerConfig.appendSerializerToConfig(
                                properties, keySerializer, valueSerializer));
        TimingClient timing = new TimingClient(producerConfig, nanoClock, attempts);
        return new DispatchTimingProducer<>(producerConfig, keySerializer, valueSerializer, timing);
    }

    private DispatchTimingProducer(
            ProducerConfig config,
            Serializer<K> keySerializer,
            Serializer<V> valueSerializer,
            TimingClient timing) {
        super(
                config,
                keySerializer,
                valueSerializer,
                null,
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
     * @param callback told its fate; called on the network thread, or on this one when the record
     *     cannot even be queued
     */
    public Future<RecordMetadata> sendTimed(ProducerRecord<K, V> record, TimedCallback callback) {
        return send(
                record,
                (metadata, failure) ->
                        callback.onCompletion(metadata, failure, timing.completingHere()));
    }

    /**
     * Who leads a partition as far as this producer knows.
     *
     * @param node the leader; never null
     * @param epoch its leadership's epoch, by which two producers' knowledge compares; -1 where the
     *     broker does not tell
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
     * @throws org.apache.kafka.common.KafkaException when the cluster refuses to tell
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
        // Of the snapshot before the reading: what changes while it goes on is read again.
        known = new Known(topic, snapshot, leaders, now);
        return leaders;
    }

    /** What a reading of one snapshot of the metadata gave; each change makes a new snapshot. */
    private record Known(
            String topic,
            MetadataSnapshot snapshot,
            Map<Integer, KnownLeader> leaders,
            long atNanos) {}

    private Map<Integer, KnownLeader> read(String topic) {
        Map<Integer, KnownLeader> leaders = new HashMap<>();
        for (PartitionInfo info : partitionsFor(topic)) {
            Metadata.LeaderAndEpoch current =
                    timing.metadata.currentLeader(new TopicPartition(topic, info.partition()));
            current.leader
                    .filter(node -> !node.isEmpty())
                    .ifPresent(
                            node ->
                                    leaders.put(
                                            info.partition(),
                                            new KnownLeader(node, current.epoch.orElse(-1))));
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
     * @param nodes the brokers; {@link #connecting} tells when it is done with them
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
        timingClient.delegate =
                ClientUtils.createNetworkClient(
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

    /**
     * Passes everything on to the producer's network client and stamps produce requests. All calls
     * but wakeup() come from the producer's network thread.
     */
    private static final class TimingClient implements KafkaClient {

        /** How often progress is looked at while connections are being set up. */
        private static final long CONNECT_POLL_MS = 20;

        private final ProducerConfig config;
        private final ApiVersions apiVersions = new ApiVersions();
        private final LongSupplier nanoClock;
        private final AttemptListener attempts;
        private final Map<String, Connection> connections = new HashMap<>();

        /** Set before the network thread starts. */
        private KafkaClient delegate;

        /** Set before the network thread starts. */
        private ProducerMetadata metadata;

        private final AtomicReference<List<Node>> toConnect = new AtomicReference<>(List.of());

        private volatile Completing completing;

        TimingClient(ProducerConfig config, LongSupplier nanoClock, AttemptListener attempts) {
            this.config = config;
            this.nanoClock = nanoClock;
            this.attempts = attempts;
        }

        /** The request being completed, when this thread is the one that completes it. */
        Dispatch completingHere() {
            Completing current = completing;
            return current != null && current.thread() == Thread.currentThread()
                    ? current.dispatch()
                    : null;
        }

        @Override
        public ClientRequest newClientRequest(
                String nodeId,
                AbstractRequest.Builder<?> builder,
                long createdTimeMs,
                boolean expectResponse,
                int requestTimeoutMs,
                RequestCompletionHandler callback) {
            RequestCompletionHandler handler =
                    builder.apiKey() == ApiKeys.PRODUCE
                            ? new TimedRequest(this, nodeId, builder, callback)
                            : callback;
            return delegate.newClientRequest(
                    nodeId, builder, createdTimeMs, expectResponse, requestTimeoutMs, handler);
        }

        @Override
        public void send(ClientRequest request, long now) {
            if (request.callback() instanceof TimedRequest timed) {
                timed.dispatched();
            }
            delegate.send(request, now);
        }

        private Connection connection(String nodeId) {
            return connections.computeIfAbsent(nodeId, id -> new Connection());
        }

        @Override
        public List<ClientResponse> poll(long timeout, long now) {
            return delegate.poll(
                    connectWanted(now) ? timeout : Math.min(timeout, CONNECT_POLL_MS), now);
        }

        /** Starts the connections that were asked for; says whether none is under way. */
        private boolean connectWanted(long now) {
            List<Node> wanted = toConnect.get();
            boolean settled = true;
            for (Node node : wanted) {
                settled &= delegate.ready(node, now) || delegate.connectionFailed(node);
            }
            return wanted.isEmpty() || settled && toConnect.compareAndSet(wanted, List.of());
        }

        @Override
        public boolean isReady(Node node, long now) {
            return delegate.isReady(node, now);
        }

        @Override
        public boolean ready(Node node, long now) {
            return delegate.ready(node, now);
        }

        @Override
        public long connectionDelay(Node node, long now) {
            return delegate.connectionDelay(node, now);
        }

        @Override
        public long pollDelayMs(Node node, long now) {
            return delegate.pollDelayMs(node, now);
        }

        @Override
        public boolean connectionFailed(Node node) {
            return delegate.connectionFailed(node);
        }

        @Override
        public AuthenticationException authenticationException(Node node) {
            return delegate.authenticationException(node);
        }

        @Override
        public void disconnect(String nodeId) {
            delegate.disconnect(nodeId);
        }

        @Override
        public void close(String nodeId) {
            delegate.close(nodeId);
        }

        @Override
        public LeastLoadedNode leastLoadedNode(long now) {
            return delegate.leastLoadedNode(now);
        }

        @Override
        public int inFlightRequestCount() {
            return delegate.inFlightRequestCount();
        }

        @Override
        public boolean hasInFlightRequests() {
            return delegate.hasInFlightRequests();
        }

        @Override
        public int inFlightRequestCount(String nodeId) {
            return delegate.inFlightRequestCount(nodeId);
        }

        @Override
        public boolean hasInFlightRequests(String nodeId) {
            return delegate.hasInFlightRequests(nodeId);
        }

        @Override
        public boolean hasReadyNodes(long now) {
            return delegate.hasReadyNodes(now);
        }

        @Override
        public void wakeup() {
            delegate.wakeup();
        }

        @Override
        public ClientRequest newClientRequest(
                String nodeId,
                AbstractRequest.Builder<?> builder,
                long createdTimeMs,
                boolean expectResponse) {
            return delegate.newClientRequest(nodeId, builder, createdTimeMs, expectResponse);
        }

        @Override
        public void initiateClose() {
            delegate.initiateClose();
        }

        @Override
        public boolean active() {
            return delegate.active();
        }

        @Override
        public void close() throws IOException {
            if (delegate != null) {
                delegate.close();
            }
        }
    }

    /** Produce requests to one broker. */
    private static final class Connection {
        private long dispatched;
        private int outstanding;
    }

    private record Completing(Thread thread, Dispatch dispatch) {}

    /** Stamps one produce request and then lets the producer handle the answer. */
    private static final class TimedRequest implements RequestCompletionHandler {

        private final TimingClient client;
        private final String nodeId;
        private final AbstractRequest.Builder<?> builder;
        private final RequestCompletionHandler handler;
        private long sequence;
        private int outstanding;
        private long dispatched;

        TimedRequest(
                TimingClient client,
                String nodeId,
                AbstractRequest.Builder<?> builder,
                RequestCompletionHandler handler) {
            this.client = client;
            this.nodeId = nodeId;
            this.builder = builder;
            this.handler = handler;
        }

        void dispatched() {
            Connection connection = client.connection(nodeId);
            sequence = connection.dispatched++;
            outstanding = connection.outstanding++;
            dispatched = client.nanoClock.getAsLong();
        }

        @Override
        public void onComplete(ClientResponse response) {
            long completed = client.nanoClock.getAsLong();
            client.connection(nodeId).outstanding--;
            boolean answered =
                    !response.wasDisconnected()
                            && !response.wasTimedOut()
                            && response.versionMismatch() == null;
            Dispatch dispatch =
                    new Dispatch(
                            Integer.parseInt(nodeId),
                            sequence,
                            outstanding,
                            dispatched,
                            completed,
                            answered);
            tellFailures(response, dispatch);
            client.completing = new Completing(Thread.currentThread(), dispatch);
            try {
                handler.onComplete(response);
            } finally {
                client.completing = null;
                tellCompletion(dispatch);
            }
        }

        private void tellCompletion(Dispatch dispatch) {
            try {
                client.attempts.completed(dispatch);
            } catch (RuntimeException e) {
                client.attempts.faulted(e); // as below
            }
        }

        private void tellFailures(ClientResponse response, Dispatch dispatch) {
            try {
                if (!dispatch.answered()) {
                    tellAll(null, dispatch);
                } else if (response.responseBody() instanceof ProduceResponse produced
                        && anyFailed(produced)) {
                    tellAll(produced, dispatch);
                }
            } catch (RuntimeException e) {
                // Whoever listens must not break the producer; they learn that it is at fault.
                client.attempts.faulted(e);
            }
        }

        private static boolean anyFailed(ProduceResponse response) {
            return response.data().responses().stream()
                    .flatMap(topic -> topic.partitionResponses().stream())
                    .anyMatch(partition -> partition.errorCode() != Errors.NONE.code());
        }

        /** Reads the records of the request; rare, so it may cost. */
        private void tellAll(ProduceResponse response, Dispatch dispatch) {
            ProduceRequestData data =
                    ((ProduceRequest) builder.build(builder.latestAllowedVersion())).data();
            for (ProduceRequestData.TopicProduceData topic : data.topicData()) {
                for (ProduceRequestData.PartitionProduceData partition : topic.partitionData()) {
                    if (response != null && !failed(response, topic, partition.index())) {
                        continue;
                    }
                    for (Record record : ((MemoryRecords) partition.records()).records()) {
                        client.attempts.attemptFailed(
                                topic.name(),
                                partition.index(),
                                record.key(),
                                record.value(),
                                dispatch);
                    }
                }
            }
        }

        private static boolean failed(
                ProduceResponse response, ProduceRequestData.TopicProduceData sent, int partition) {
            // Newer brokers answer by topic id, older ones by name.
            return response.data().responses().stream()
                    .filter(
                            topic ->
                                    topic.topicId().equals(sent.topicId())
                                            || topic.name().equals(sent.name()))
                    .flatMap(topic -> topic.partitionResponses().stream())
                    .anyMatch(
                            answer ->
                                    answer.index() == partition
                                            && answer.errorCode() != Errors.NONE.code());
        }
    }
}
