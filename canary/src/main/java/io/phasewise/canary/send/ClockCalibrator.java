/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.send;

import io.phasewise.canary.probe.ProbeCodec;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntPredicate;
import org.apache.kafka.clients.producer.DispatchTimingProducer.AttemptListener;
import org.apache.kafka.clients.producer.DispatchTimingProducer.Dispatch;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.RetriableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the clocks of brokers that do not report marks learn from records with acks=1, of the probes'
 * size: their answers wait for no follower. They are no probes: neither ledger nor objective sees
 * them, and the consumer skips them. On average a leader gets a twentieth of its probes' rate, but
 * one a second at most and one in ten seconds at least. Where the cluster refuses them there are
 * none, until the clients are renewed.
 */
public final class ClockCalibrator {
    private static final Logger LOG = LoggerFactory.getLogger(ClockCalibrator.class);
    private static final double SHARE = 0.05;
    private static final double LEAST_SECONDS = 1;
    private static final double MOST_SECONDS = 10;
    private static final AttemptListener NOBODY = (partition, value, dispatch) -> {};
    private static final Duration CONNECT_PATIENCE = Duration.ofSeconds(2);

    private final String name;
    private final LaneClient.Factory factory;
    private final ProbeCodec codec;
    private final IntPredicate reportsMarks;
    private final SendContext context;
    private final ClientOpener opener;
    private final double everyNanos;
    private final SplittableRandom random = new SplittableRandom();

    /**
     * When each leader gets its next record. Used by the ticking thread only; so is the next field.
     */
    private final Map<Integer, Long> due = new HashMap<>();

    private boolean opening;
    private int serial;

    /** Leaders that have not answered their last record. */
    private final Set<Integer> waitedFor = ConcurrentHashMap.newKeySet();

    private volatile boolean refused;
    private volatile boolean renewed;
    private volatile boolean closed;

    /** The producer in use; null while there is none. */
    private volatile Producer producer;

    private record Producer(LaneClient client) implements ClientOpener.Opened {}

    /**
     * @param name of the opening thread
     * @param factory makes a producer with acks=1
     * @param codec writes the records
     * @param rate of the probes to one leader, a second
     * @param reportsMarks whether a broker reports marks of records
     * @param context what it works with
     */
    public ClockCalibrator(
            String name,
            LaneClient.Factory factory,
            ProbeCodec codec,
            double rate,
            IntPredicate reportsMarks,
            SendContext context) {
        this.name = name;
        this.factory = factory;
        this.codec = codec;
        this.reportsMarks = reportsMarks;
        this.context = context;
        this.opener = new ClientOpener(context, name);
        this.everyNanos = 1e9 * Math.min(MOST_SECONDS, Math.max(LEAST_SECONDS, 1 / (SHARE * rate)));
    }

    /**
     * Sends what is due; call it several times a second, from one thread. Never blocks.
     *
     * @param leaders broker ids of the partitions that carry probes
     */
    public void tick(Map<Integer, Integer> leaders) {
        if (renewed) {
            renewed = false;
            refused = false;
            drop();
        }
        if (refused || !context.estimator().hasAppendTime()) {
            return;
        }
        Map<Integer, Integer> partitions = new HashMap<>();
        leaders.forEach((partition, leader) -> partitions.putIfAbsent(leader, partition));
        partitions.keySet().removeIf(reportsMarks::test);
        if (partitions.isEmpty()) {
            return;
        }
        Producer ready = producer;
        if (ready != null) {
            opening = false;
            partitions.forEach((leader, partition) -> sendIfDue(ready.client(), leader, partition));
        } else if (!opening) {
            opening = true;
            opener.open(order());
        }
    }

    private ClientOpener.Order<Producer> order() {
        return new ClientOpener.Order<>(
                () -> new Producer(factory.open(0, serial++, NOBODY)),
                () -> !closed,
                CONNECT_PATIENCE,
                made -> producer = made,
                unwanted -> unwanted.client().close(Duration.ZERO));
    }

    private void sendIfDue(LaneClient client, int leader, int partition) {
        long now = context.nanoClock().getAsLong();
        Long at = due.get(leader);
        if (at != null && now - at < 0 || !waitedFor.add(leader)) {
            return;
        }
        // At random: records at an even pace may fall into step with pauses of a broker, and with milliseconds.
        due.put(leader, now + (long) (everyNanos * (0.5 + random.nextDouble())));
        try {
            client.send(
                    partition,
                    codec.key(0),
                    codec.encode(partition, ProbeCodec.NO_PROBE, now),
                    (metadata, failure, dispatch) -> {
                        waitedFor.remove(leader);
                        answered(metadata, failure, dispatch);
                    });
        } catch (RuntimeException e) {
            waitedFor.remove(leader);
            if (!(e instanceof ApiException)) {
                drop(); // every later send would fail
            }
        }
    }

    private void answered(RecordMetadata metadata, Exception failure, Dispatch dispatch) {
        if (failure == null && dispatch != null) {
            context.estimator()
                    .exchange(dispatch.node(), dispatch.dispatched(), dispatch.completed(), metadata.timestamp());
        } else if (failure instanceof ApiException && !(failure instanceof RetriableException)) {
            if (!refused) {
                LOG.info(
                        "{}: the cluster refuses records with acks=1, so estimates of publish and"
                                + " commit are less certain: {}",
                        name,
                        failure.toString());
            }
            refused = true;
        }
    }

    private void drop() {
        Producer old = producer;
        producer = null;
        opening = false;
        waitedFor.clear();
        if (old != null) {
            opener.inBackground(() -> old.client().close(Duration.ZERO));
        }
    }

    /** Replaces the Kafka client by one that is made again. Thread-safe. */
    public void renew() {
        renewed = true;
    }

    /** Closes the client. */
    public void close() {
        closed = true;
        opener.close();
        Producer last = producer;
        if (last != null) {
            last.client().close(Duration.ZERO);
        }
    }
}
