/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.send;

import io.phasewise.canary.probe.ProbeCodec;
import io.phasewise.canary.probe.ledger.Probe;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.producer.DispatchTimingProducer.KnownLeader;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
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
    /** A successor is used without the connections that took longer than this. */
    private static final Duration CONNECT_PATIENCE = Duration.ofSeconds(5);

    private final LaneClient.Factory factory;
    private final Settings settings;
    private final SendContext context;
    private final ClientOpener opener;

    private final Set<PipelinedClient> open = ConcurrentHashMap.newKeySet();

    /** Null while there is none. */
    private volatile PipelinedClient current;

    /** Whom the last tick asked, and where it is connected to; the ticking thread's. */
    private PipelinedClient ticked;

    private Set<Node> connected = Set.of();

    /** Used by the opening thread only, but for the first one. */
    private int serial;

    /**
     * How the Kafka producer sends.
     *
     * @param codec writes the records
     * @param window requests in flight to a broker at most
     * @param linger for how long the producer waits for more records
     */
    public record Settings(ProbeCodec codec, int window, Duration linger) {}

    /**
     * Makes the producer, which connects in the background.
     *
     * @param name of the thread that makes another one if need be
     * @param factory makes the producer
     * @param settings how it sends
     * @param context what it works with
     * @throws KafkaException when the producer cannot be made from its properties
     */
    public PipelinedProducer(
            String name, LaneClient.Factory factory, Settings settings, SendContext context) {
        this.factory = factory;
        this.settings = settings;
        this.context = context;
        this.current = make();
        this.opener = new ClientOpener(context, name);
    }

    private PipelinedClient make() {
        PipelinedClient made = new PipelinedClient(serial++, factory, settings, context, this);
        open.add(made);
        return made;
    }

    @Override
    public void send(Probe probe) {
        PipelinedClient client = current;
        LaneProbe sent = new LaneProbe(probe);
        long now = context.nanoClock().getAsLong();
        sent.handedOver(now);
        if (client == null) {
            Exception why = new TimeoutException("the producer is being replaced");
            sent.end(true, null, null, List.of(), now, context.estimator());
            context.ended(sent, why);
        } else {
            client.send(sent);
        }
    }

    /** Kafka put a producer out of service for good. */
    void broken(PipelinedClient broken) {
        if (current == broken) {
            current = null;
            broken.retire();
            open(() -> current == null, Duration.ZERO);
        }
    }

    /** Closes one on which nothing is under way. */
    void discard(PipelinedClient old) {
        opener.inBackground(
                () -> {
                    open.remove(old);
                    old.client().close(Duration.ZERO);
                });
    }

    /** Tries until there is one, however long that takes: the old one's credentials may expire. */
    @Override
    public void renew() {
        PipelinedClient old = current;
        if (old != null) {
            // A new one is being made anyway where that is none.
            open(() -> current == old, CONNECT_PATIENCE);
        }
    }

    private void open(BooleanSupplier wanted, Duration patience) {
        opener.open(
                new ClientOpener.Order<>(
                        this::make, wanted, patience, this::handOver, this::discard));
    }

    private void handOver(PipelinedClient fresh) {
        PipelinedClient old = current;
        current = fresh;
        if (old != null) {
            old.retire();
        }
    }

    @Override
    public Map<Integer, Integer> tick(Set<Integer> wanted) {
        PipelinedClient client = current;
        if (client == null) {
            KafkaException refused = opener.refusal();
            if (refused != null) {
                throw refused;
            }
            return Map.of();
        }
        Map<Integer, KnownLeader> leaders;
        try {
            leaders = client.client().leaders();
        } catch (TimeoutException e) {
            return Map.of(); // not known any more; the request is on its way
        }
        if (!leaders.keySet().containsAll(wanted)) {
            client.client().refreshLeaders();
        }
        Set<Node> nodes = ClientOpener.nodes(leaders);
        if (client != ticked || !nodes.equals(connected)) {
            ticked = client;
            connected = nodes; // so that hardly a probe pays for a connection
            client.client().connect(nodes);
        }
        Map<Integer, Integer> ids = new HashMap<>();
        leaders.forEach((partition, leader) -> ids.put(partition, leader.node().id()));
        return ids;
    }

    @Override
    public void close(Duration timeout) {
        opener.close();
        open.forEach(each -> each.client().close(timeout));
    }
}
