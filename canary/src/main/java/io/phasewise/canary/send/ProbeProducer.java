/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.send;

import io.phasewise.canary.phases.Wait;
import io.phasewise.canary.probe.ProbeCodec;
import io.phasewise.canary.probe.ledger.Probe;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.DispatchTimingProducer.Dispatch;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Sends the probes of a profile through a pool of Kafka producers, the lanes, each with at most one
 * request under way to each broker, so that no probe waits behind another on a connection. Which
 * lane a probe takes and how many there are is left to {@link LanePool}, what became of it to the
 * ledger.
 *
 * <p>A pipelined profile has one lane, which all probes share, as an application's records share a
 * producer: batches, requests, the buffer, and the window of requests in flight to each broker.
 * What a probe waits behind is left to {@link RequestBatches}.
 *
 * <p>A dead broker blocks the lanes for its own probes only: each lane stays free for the other
 * brokers. Its probes wait for a lane and are given up when they have waited for the loss horizon.
 * A lane whose probe hangs on a former leader after the partition moved is replaced, for a later
 * probe of that partition would wait behind it; in a pipelined profile it does.
 *
 * <p>Threads: probes come from the scheduler's, acknowledgements from the lanes' network threads;
 * lanes are opened, connected and closed by one thread of this, which is there while it is needed.
 * Nobody waits for the network; the lock on the pool is held for microseconds.
 */
public final class ProbeProducer {
    /** Learns what the ledger does not. */
    public interface Listener {
        /**
         * A probe failed.
         *
         * @param probe which one
         * @param reason why
         */
        void failed(Probe probe, Exception reason);

        /**
         * A probe was given a lane.
         *
         * @param nanos how long it had waited for it, 0 for most
         */
        default void granted(long nanos) {}

        /**
         * A broker held back a produce request, or will hold back the next one, because of a quota.
         *
         * @param millis for how long
         */
        default void throttled(int millis) {}

        /**
         * A thread met a fault that nobody expected; it goes on.
         *
         * @param fault what was thrown
         */
        default void faulted(Throwable fault) {}
    }

    /** A lane is used without the connections that took longer than this. */
    private static final Duration CONNECT_PATIENCE = Duration.ofSeconds(2);

    private final LaneClient.Factory factory;
    private final LaneSettings settings;
    private final Supplier<ProbeCodec> codecs;
    private final SendContext context;
    private final LongSupplier nanoClock;
    private final long lossHorizonNanos;
    private final ClientOpener opener;

    /** Guarded by itself. */
    private final LanePool<LaneProbe> pool;

    private final AtomicReferenceArray<Lane> lanes;
    private final Set<Lane> open = ConcurrentHashMap.newKeySet();

    /** The open lanes that are to be replaced. */
    private final Set<Lane> outdated = ConcurrentHashMap.newKeySet();

    /** Probes whose lane knew no leader; they ask for a lane again when one is known. */
    private final Queue<LaneProbe> withoutLeader = new ConcurrentLinkedQueue<>();

    /** Used by the ticking thread only; so is the next field. */
    private final LeaderView leaders;

    /** The lane whose successor was ordered last; null before the first. */
    private Lane replaced;

    /** Used by the opening thread only. */
    private int serial;

    /**
     * Opens the first lanes in the background.
     *
     * @param name of the opening thread
     * @param factory makes the lanes' clients
     * @param settings how many lanes, or that it is one which probes share
     * @param codecs makes a writer of records for each lane
     * @param lossHorizon a probe that has waited for this long is given up
     * @param context what it works with
     */
    public ProbeProducer(
            String name,
            LaneClient.Factory factory,
            LaneSettings settings,
            Supplier<ProbeCodec> codecs,
            Duration lossHorizon,
            SendContext context) {
        this.factory = factory;
        this.settings = settings;
        this.codecs = codecs;
        this.context = context;
        this.nanoClock = context.nanoClock();
        this.lossHorizonNanos = lossHorizon.toNanos();
        this.leaders = new LeaderView(lossHorizonNanos);
        this.pool = new LanePool<>(settings);
        this.lanes = new AtomicReferenceArray<>(settings.limit());
        this.opener = new ClientOpener(context, name);
        openLanes(pool.missing());
    }

    private ClientOpener.Order<Lane> order(int number, BooleanSupplier wanted) {
        return new ClientOpener.Order<>(() -> make(number), wanted, CONNECT_PATIENCE, this::opened, this::finished);
    }

    private Lane make(int number) {
        Lane lane = new Lane(number, serial++, factory, codecs.get(), settings.pipeline(), this, context);
        open.add(lane);
        return lane;
    }

    private void opened(Lane lane) {
        Lane before = lanes.getAndSet(lane.number, lane);
        if (before != null) {
            before.retire();
        }
        List<LaneGrant<LaneProbe>> grants;
        synchronized (pool) {
            grants = pool.opened(lane.number, nanoClock.getAsLong());
        }
        // What the lane says of leaders counts once it takes probes.
        lane.open();
        grants.forEach(this::sendOn);
    }

    /**
     * Sends a probe, and sees to it that the ledger learns of its acknowledgement or failure. Never
     * blocks: the thread that calls serves all brokers.
     *
     * @param probe a probe just scheduled
     */
    public void send(Probe probe) {
        request(new LaneProbe(probe), null);
    }

    /**
     * @param lost the grant of a lane that broke; null the first time
     */
    private void request(LaneProbe probe, LaneGrant<LaneProbe> lost) {
        long now = nanoClock.getAsLong();
        Optional<LaneGrant<LaneProbe>> grant;
        List<Integer> missing;
        synchronized (pool) {
            grant = lost == null ? pool.request(probe, probe.probe().leader(), now) : pool.requestAgain(lost, now);
            missing = pool.missing();
        }
        grant.ifPresent(this::sendOn);
        openLanes(missing);
    }

    private void openLanes(List<Integer> numbers) {
        numbers.forEach(number -> opener.open(order(number, () -> true)));
    }

    private void sendOn(LaneGrant<LaneProbe> grant) {
        LaneProbe next = grant.probe();
        next.granted(grant);
        Lane lane = lanes.get(grant.lane());
        while (lane != null && !lane.accept(next)) {
            lane = lanes.get(grant.lane()); // it has got a successor
        }
        if (lane == null) {
            request(next, grant);
            return;
        }
        if (settings.pipeline().isEmpty() && !next.wasHandedBack()) {
            context.listener().granted(grant.waitedNanos());
        }
        lane.sendAccepted();
    }

    /**
     * A probe's way out is over, acknowledged or failed: its lane goes to the next one, the ledger
     * is told.
     *
     * @param lane its own; null when it never had one
     * @param metadata null when nothing acknowledged it
     * @param failure null when it was acknowledged
     * @param dispatch the request that decided it; null when none did
     * @param waits what it waited behind on its lane
     */
    void decided(
            Lane lane,
            LaneProbe probe,
            RecordMetadata metadata,
            Exception failure,
            Dispatch dispatch,
            List<Wait> waits) {
        long now = nanoClock.getAsLong();
        if (!probe.decide(failure != null, dispatch, metadata, waits, now, context.estimator())) {
            return;
        }
        if (lane != null) {
            lane.remove(probe.probe());
            List<LaneGrant<LaneProbe>> next;
            synchronized (pool) {
                next = pool.release(probe, probe.probe().leader(), lane.number, now);
            }
            // On the producer's own thread, which cannot send any of them before it has all.
            next.forEach(this::sendOn);
            lane.finishIfDone();
        }
        context.report(probe, failure);
    }

    /**
     * The lane could not take a probe, as its client knows no leader: the probe waits for one, which
     * is part of its produce phase, and the lane goes to the next one.
     */
    void withoutLeader(Lane lane, LaneProbe probe) {
        lane.remove(probe.probe());
        List<LaneGrant<LaneProbe>> next;
        synchronized (pool) {
            next = pool.release(probe, probe.probe().leader(), lane.number, nanoClock.getAsLong());
        }
        probe.handedBack();
        withoutLeader.add(probe);
        next.forEach(this::sendOn);
        lane.finishIfDone();
    }

    /** Gives up those that have waited too long for a leader. */
    private void giveUpWithoutLeader(long now) {
        withoutLeader.removeIf(probe -> {
            boolean isOver = now - probe.probe().dueNanos() > lossHorizonNanos;
            if (isOver) {
                Exception why = new TimeoutException("the clients knew no leader of the partition in time");
                decided(null, probe, null, why, null, List.of());
            }
            return isOver;
        });
    }

    /** Asks for a lane again where some client knows a leader now: a try costs as much as a send. */
    private void retryWithoutLeader() {
        if (withoutLeader.isEmpty()) {
            return;
        }
        Set<Integer> led = leaders.ids().keySet();
        List<LaneProbe> retried = withoutLeader.stream()
                .filter(probe -> led.contains(probe.probe().partition()))
                .toList();
        withoutLeader.removeAll(Set.copyOf(retried));
        retried.forEach(probe -> request(probe, null));
    }

    /** Kafka put the lane's producer out of service; what is under way on it may still arrive. */
    void broken(Lane lane) {
        synchronized (pool) {
            if (!lanes.compareAndSet(lane.number, lane, null)) {
                return;
            }
            pool.broken(lane.number);
        }
        lane.retire();
    }

    /** The lane was retired, and nothing is under way on it any more. */
    void finished(Lane lane) {
        opener.inBackground(() -> {
            open.remove(lane);
            lane.client().close(Duration.ZERO);
        });
    }

    /**
     * Gives up what has waited too long, adapts the number of lanes, replaces those that hang; call
     * it several times a second, from one thread.
     *
     * @param wanted the partitions that carry probes or shall do so; while one is not known, for
     *     example just after it was added to the topic, the cluster is asked again
     * @return who leads each partition as far as the clients know, which is where a probe sent now
     *     would go: leader's broker id by partition; partitions without a leader are left out;
     *     empty until the topic is known
     * @throws KafkaException when the cluster refuses to answer
     */
    public Map<Integer, Integer> tick(Set<Integer> wanted) {
        long now = nanoClock.getAsLong();
        List<LaneProbe> expired;
        List<Integer> missing;
        synchronized (pool) {
            expired = pool.giveUp(probe -> now - probe.probe().dueNanos() > lossHorizonNanos);
            missing = pool.missing();
        }
        for (LaneProbe probe : expired) {
            Exception why = new TimeoutException("no lane was free in time");
            decided(null, probe, null, why, null, List.of());
        }
        openLanes(missing);
        giveUpWithoutLeader(now);
        replaceOutdated();
        List<Lane> inUse = open.stream().filter(Lane::inUse).toList();
        Set<Node> connect = leaders.update(inUse, wanted, opener.refusal(), now);
        if (!connect.isEmpty()) {
            open.forEach(lane -> lane.client().connect(connect));
        }
        if (settings.pipeline().isEmpty()) {
            open.stream()
                    .filter(lane -> !lane.isRetired() && leaders.isStuck(lane, now))
                    .forEach(this::broken);
        }
        retryWithoutLeader();
        return leaders.ids();
    }

    /**
     * Replaces every Kafka client by one that is made again, in the background and without a pause
     * in sending; each old one stays until what is under way on it has ended. Thread-safe.
     */
    public void renew() {
        outdated.addAll(open);
    }

    /** Replaces outdated lanes one at a time, each when its successor is connected. */
    private void replaceOutdated() {
        if (outdated.isEmpty()) {
            return;
        }
        outdated.removeIf(lane -> lane.isRetired() || !open.contains(lane));
        if (replaced == null || replaced.isRetired()) {
            Lane old = outdated.stream().filter(Lane::isOpen).findFirst().orElse(null);
            replaced = old;
            if (old != null) {
                opener.open(order(old.number, () -> !old.isRetired()));
            }
        }
    }

    /**
     * Forgets brokers that have left the cluster. Thread-safe.
     *
     * @param members the brokers that are still in it
     */
    public void retainBrokers(Set<Integer> members) {
        synchronized (pool) {
            pool.retainLeaders(members);
        }
    }

    /** How many lanes there are; empty where one carries all. */
    public Optional<LaneCounts> lanes() {
        if (settings.pipeline().isPresent()) {
            return Optional.empty();
        }
        synchronized (pool) {
            return Optional.of(pool.counts());
        }
    }

    /**
     * Closes the clients; what is unsent then fails.
     *
     * @param timeout how long to wait for what is on its way
     */
    public void close(Duration timeout) {
        opener.close();
        long end = nanoClock.getAsLong() + timeout.toNanos();
        for (Lane lane : open) {
            lane.client().close(Duration.ofNanos(Math.max(0, end - nanoClock.getAsLong())));
        }
        open.clear();
        for (LaneProbe probe = withoutLeader.poll(); probe != null; probe = withoutLeader.poll()) {
            decided(null, probe, null, new TimeoutException("the canary stops"), null, List.of());
        }
    }
}
