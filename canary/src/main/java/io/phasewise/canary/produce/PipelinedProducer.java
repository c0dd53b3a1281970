/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.produce;

import static io.phasewise.canary.phase.Sighting.UNKNOWN;

import io.phasewise.canary.breakdown.PhaseEstimator;
import io.phasewise.canary.lane.LaneCounters;
import io.phasewise.canary.ledger.Ledger;
import io.phasewise.canary.ledger.Probe;
import io.phasewise.canary.ledger.Sending;
import io.phasewise.canary.phase.Timeline;
import io.phasewise.canary.phase.Wait;
import io.phasewise.canary.probe.ProbeCodec;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.producer.DispatchTimingProducer.AttemptListener;
import org.apache.kafka.clients.producer.DispatchTimingProducer.Dispatch;
import org.apache.kafka.clients.producer.DispatchTimingProducer.KnownLeader;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Sends all probes through one Kafka producer, as an application does: they share batches,
 * requests, the buffer, and the window of requests in flight to each broker. What a request waits
 * behind is left to {@link RequestQueue}.
 *
 * <p>A batch is ready to be sent when its first record has lingered, or when the next record of its
 * partition found it full, which is when that one was handed over. What a probe waits before that
 * is batching and stays in produce; so does everything before the last dispatch of a probe that was
 * retried.
 *
 * <p>A producer that is out of service for good is replaced in the background; probes due meanwhile
 * fail. What is kept for each probe is freed with it, and the producer's buffer bounds their
 * number.
 *
 * <p>Threads: probes come from the scheduler's, acknowledgements from the producer's network
 * thread. Nobody waits for the network.
 */
public final class PipelinedProducer implements ProbeProducer {
    /** For what is under way on a producer that has a successor. */
    private static final Duration HAND_OVER = Duration.ofSeconds(5);

    private static final Duration HAND_OVER_LOOK = Duration.ofMillis(50);
    private static final int HAND_OVER_TRIES = 200;

    private final LaneClient.Factory factory;
    private final ProbeCodec codec;
    private final int window;
    private final long lingerNanos;
    private final Ledger ledger;
    private final PhaseEstimator estimator;
    private final Listener listener;
    private final LongSupplier nanoClock;
    private final ScheduledExecutorService opener;

    /** Null while there is none. */
    private volatile Line line;

    private volatile KafkaException refusal;
    private volatile boolean closing;

    /** Used by the opening thread only, but for the first one. */
    private int serial;

    /**
     * Makes the producer, which connects in the background.
     *
     * @param name of the thread that makes another one if need be
     * @param factory makes the producer
     * @param codec writes the records
     * @param window requests in flight to a broker at most
     * @param linger for how long the producer waits for more records
     * @param ledger learns what became of each probe
     * @param estimator labels the time that probes wait behind others
     * @param listener learns the rest
     * @param nanoClock monotonic nanoseconds
     * @throws KafkaException when the producer cannot be made from its properties
     */
    public PipelinedProducer(
            String name,
            LaneClient.Factory factory,
            ProbeCodec codec,
            int window,
            Duration linger,
            Ledger ledger,
            PhaseEstimator estimator,
            Listener listener,
            LongSupplier nanoClock) {
        this.factory = factory;
        this.codec = codec;
        this.window = window;
        this.lingerNanos = linger.toNanos();
        this.ledger = ledger;
        this.estimator = estimator;
        this.listener = listener;
        this.nanoClock = nanoClock;
        this.line = open();
        this.opener =
                Executors.newSingleThreadScheduledExecutor(
                        task -> {
                            Thread thread = new Thread(task, name);
                            thread.setDaemon(true);
                            return thread;
                        });
    }

    private Line open() {
        Line fresh = new Line();
        fresh.client = factory.open(0, serial++, fresh);
        return fresh;
    }

    @Override
    public void send(Probe probe) {
        Line now = line;
        Sent sent = new Sent(probe, nanoClock.getAsLong());
        if (now == null) {
            fail(sent, new TimeoutException("the producer is being replaced"), List.of());
        } else {
            now.send(sent);
        }
    }

    private void fail(Sent sent, Exception reason, List<Wait> waits) {
        ledger.sendFailed(sent.probe);
        listener.failed(sent.probe, reason);
        settle(sent, UNKNOWN, sent.probe.leader(), waits, null);
    }

    /**
     * @param metadata what the acknowledgement says; null without one
     */
    private void settle(
            Sent sent, long acknowledged, int broker, List<Wait> waits, RecordMetadata metadata) {
        ledger.settled(
                sent.probe,
                new Sending(
                        sent.dispatches(),
                        acknowledged,
                        broker,
                        waits,
                        sent.sentAt,
                        waits.stream().mapToLong(Wait::nanos).sum(),
                        metadata == null ? Sending.NO_OFFSET : offset(metadata),
                        metadata == null ? Sending.NO_TIMESTAMP : metadata.timestamp()));
    }

    private void replace(Line broken) {
        if (line != broken) {
            return; // being replaced already
        }
        line = null;
        inBackground(
                () -> {
                    broken.client.close(Duration.ZERO);
                    reopen(0);
                },
                Duration.ZERO);
    }

    private void reopen(int failures) {
        if (closing) {
            return;
        }
        try {
            Line fresh = open();
            line = fresh;
            refusal = null;
            if (closing) {
                fresh.client.close(Duration.ZERO); // it may have come too late to be seen
            }
        } catch (KafkaException e) {
            refusal = e;
            inBackground(
                    () -> reopen(failures + 1),
                    Duration.ofMillis(Math.min(10_000, 500L << Math.min(failures, 5))));
        }
    }

    @Override
    public void renew() {
        inBackground(this::startSuccessor, Duration.ZERO);
    }

    private void startSuccessor() {
        Line old = line;
        if (old == null || closing) {
            return; // a new one is being made anyway
        }
        try {
            handOver(old, open(), 0);
        } catch (KafkaException e) {
            refusal = e; // the old one goes on
        }
    }

    /** One look at a successor that is being connected; comes back until it is. */
    private void handOver(Line old, Line fresh, int tries) {
        boolean ready = false;
        try {
            Map<Integer, KnownLeader> known = fresh.client.leaders();
            if (fresh.connected.isEmpty() && !known.isEmpty()) {
                known.values().forEach(leader -> fresh.connected.add(leader.node()));
                fresh.client.connect(fresh.connected);
            } else {
                ready = !known.isEmpty() && !fresh.client.connecting();
            }
        } catch (KafkaException e) {
            // Nothing known yet, or refused: the old one goes on.
        }
        if (ready && line == old && !closing) {
            line = fresh;
            old.client.close(HAND_OVER);
        } else if (line == old && !closing && tries < HAND_OVER_TRIES) {
            inBackground(() -> handOver(old, fresh, tries + 1), HAND_OVER_LOOK);
        } else {
            fresh.client.close(Duration.ZERO);
        }
    }

    private void inBackground(Runnable task, Duration delay) {
        try {
            opener.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            // Closing: nothing is replaced any more.
        }
    }

    @Override
    public Map<Integer, Integer> tick(Set<Integer> wanted) {
        Line now = line;
        if (now == null) {
            KafkaException refused = refusal;
            if (refused != null) {
                throw refused;
            }
            return Map.of();
        }
        Map<Integer, KnownLeader> leaders;
        try {
            leaders = now.client.leaders();
        } catch (TimeoutException e) {
            return Map.of(); // not known any more; the request is on its way
        }
        if (!leaders.keySet().containsAll(wanted)) {
            now.client.refreshLeaders();
        }
        Map<Integer, Integer> ids = new HashMap<>();
        Set<Node> nodes = new HashSet<>();
        leaders.forEach(
                (partition, leader) -> {
                    ids.put(partition, leader.node().id());
                    nodes.add(leader.node());
                });
        if (!nodes.equals(now.connected)) {
            now.connected = nodes; // so that hardly a probe pays for a connection
            now.client.connect(nodes);
        }
        return ids;
    }

    @Override
    public Optional<LaneCounters> lanes() {
        return Optional.empty();
    }

    @Override
    public void close(Duration timeout) {
        closing = true;
        opener.shutdown();
        Line now = line;
        if (now != null) {
            now.client.close(timeout);
        }
    }

    /** One probe on its way out. */
    private static final class Sent {
        final Probe probe;
        final long sentAt;

        /** Guarded by this. */
        private final List<Long> dispatches = new ArrayList<>(1);

        Sent(Probe probe, long sentAt) {
            this.probe = probe;
            this.sentAt = sentAt;
        }

        /** A request that failed is told of twice: as an attempt, and with its last one's fate. */
        synchronized void dispatched(long at) {
            if (!dispatches.contains(at)) {
                dispatches.add(at);
            }
        }

        synchronized boolean retried() {
            return dispatches.size() > 1;
        }

        synchronized List<Long> dispatches() {
            return List.copyOf(dispatches);
        }
    }

    /** A probe whose fate a request has decided. */
    private record Decided(Sent sent, RecordMetadata metadata, Exception failure) {}

    /** One Kafka producer with what is under way on it. */
    private final class Line implements AttemptListener {
        /** What is neither acknowledged nor given up: by partition, then by number. */
        private final Map<Integer, ConcurrentSkipListMap<Long, Sent>> underWay =
                new ConcurrentHashMap<>();

        /** Decided by the request that is being completed; network thread only, as the next. */
        private final List<Decided> decided = new ArrayList<>();

        private final Map<Integer, RequestQueue> queues = new HashMap<>();

        /** Set once, before anybody else sees the line. */
        private LaneClient client;

        /** Used by the ticking thread only, and before that by the one that makes the line. */
        private Set<Node> connected = new HashSet<>();

        private ConcurrentSkipListMap<Long, Sent> of(int partition) {
            return underWay.computeIfAbsent(partition, p -> new ConcurrentSkipListMap<>());
        }

        /** Called by one thread. */
        void send(Sent sent) {
            Probe probe = sent.probe;
            byte[] value = codec.encode(probe.partition(), probe.sequence(), probe.dueNanos());
            of(probe.partition()).put(probe.sequence(), sent);
            try {
                client.send(
                        probe.partition(),
                        codec.key(probe.sequence()),
                        value,
                        (metadata, failure, dispatch) -> told(sent, metadata, failure, dispatch));
            } catch (KafkaException | IllegalStateException e) {
                if (!(e instanceof ApiException)) {
                    replace(this); // out of service for good: every later send would fail
                }
                giveUp(sent, e);
            }
        }

        private void told(
                Sent sent, RecordMetadata metadata, Exception failure, Dispatch dispatch) {
            if (dispatch == null) {
                giveUp(sent, failure);
            } else {
                decided.add(new Decided(sent, metadata, failure));
            }
        }

        /** No request decided it: the buffer was full, it expired, or the producer closed. */
        private void giveUp(Sent sent, Exception failure) {
            if (of(sent.probe.partition()).remove(sent.probe.sequence()) != null) {
                fail(sent, failure, List.of());
            }
        }

        @Override
        public void attemptFailed(
                String topic, int partition, ByteBuffer key, ByteBuffer value, Dispatch dispatch) {
            Sent sent = of(partition).get(ProbeCodec.sequence(value));
            if (sent != null) {
                sent.dispatched(dispatch.dispatched());
            }
        }

        @Override
        public void completed(Dispatch dispatch) {
            try {
                decide(dispatch);
            } finally {
                decided.clear();
            }
        }

        private void decide(Dispatch dispatch) {
            decided.forEach(each -> each.sent.dispatched(dispatch.dispatched()));
            Map<Integer, Long> ready = batchesReady(dispatch);
            RequestQueue queue =
                    queues.computeIfAbsent(dispatch.node(), id -> new RequestQueue(window));
            for (Decided each : decided) {
                Probe probe = each.sent.probe;
                if (of(probe.partition()).remove(probe.sequence()) == null) {
                    continue; // given up before
                }
                long batch = ready.get(probe.partition());
                List<Wait> waits = queue.waits(dispatch, later(batch, each.sent.sentAt));
                if (each.failure == null) {
                    ledger.acknowledged(probe, dispatch.completed());
                    settle(each.sent, dispatch.completed(), dispatch.node(), waits, each.metadata);
                } else {
                    fail(each.sent, each.failure, waits);
                }
            }
            long first =
                    ready.values().stream()
                            .reduce(PipelinedProducer::earlier)
                            .orElse(dispatch.dispatched());
            queue.add(
                    dispatch,
                    first,
                    stretch(dispatch, first),
                    estimator.answered(dispatch.node(), dispatch.completed()));
        }

        /** When each batch of a request, by partition, was ready to be sent. */
        private Map<Integer, Long> batchesReady(Dispatch dispatch) {
            Map<Integer, List<Sent>> batches = new HashMap<>();
            for (Decided each : decided) {
                batches.computeIfAbsent(each.sent.probe.partition(), p -> new ArrayList<>())
                        .add(each.sent);
            }
            Map<Integer, Long> ready = new HashMap<>();
            batches.forEach(
                    (partition, batch) ->
                            ready.put(
                                    partition,
                                    batch.get(0).retried()
                                            ? dispatch.dispatched()
                                            : earlier(
                                                    batchReady(partition, batch),
                                                    dispatch.dispatched())));
            return ready;
        }

        private long batchReady(int partition, List<Sent> batch) {
            long lingered = batch.get(0).sentAt + lingerNanos;
            var next = of(partition).higherEntry(batch.get(batch.size() - 1).probe.sequence());
            return next == null ? lingered : earlier(lingered, next.getValue().sentAt);
        }

        private Timeline stretch(Dispatch dispatch, long ready) {
            for (Decided each : decided) {
                if (each.failure == null) {
                    return estimator.request(
                            ready,
                            dispatch.dispatched(),
                            dispatch.dispatched(),
                            dispatch.node(),
                            dispatch.completed(),
                            each.metadata.timestamp());
                }
            }
            return Timeline.failedRequest(ready, dispatch.dispatched(), dispatch.completed());
        }
    }

    private static long offset(RecordMetadata metadata) {
        return metadata.hasOffset() ? metadata.offset() : Sending.NO_OFFSET;
    }

    private static long earlier(long a, long b) {
        return a - b < 0 ? a : b;
    }

    private static long later(long a, long b) {
        return a - b > 0 ? a : b;
    }
}
