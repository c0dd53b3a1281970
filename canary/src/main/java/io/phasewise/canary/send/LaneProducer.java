/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.send;

import io.phasewise.canary.probe.ProbeCodec;
import io.phasewise.canary.probe.ledger.Probe;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
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
 * lane a probe takes and how many there are is left to {@link LanePool}.
 *
 * <p>A dead broker holds the lanes for itself only: each lane stays free for the others. Its probes
 * wait for a lane and are given up when they have waited for the loss horizon. A lane whose probe
 * hangs on a former leader after the partition moved is replaced, for a later probe of that
 * partition would wait behind it.
 *
 * <p>Threads: probes come from the scheduler's, acknowledgements from the lanes' network threads;
 * lanes are opened, connected and closed by one thread of this, which is there while it is needed.
 * Nobody waits for the network; the lock on the pool is held for microseconds.
 */
public final class LaneProducer implements ProbeProducer, Lane.Owner {
    /** A lane is used without the connections that took longer than this. */
    private static final Duration CONNECT_PATIENCE = Duration.ofSeconds(2);

    private final LaneClient.Factory factory;
    private final Supplier<ProbeCodec> codecs;
    private final SendContext context;
    private final LongSupplier nanoClock;
    private final long lossHorizonNanos;
    private final ClientOpener opener;

    /** Guarded by itself. */
    private final LanePool<LaneProbe> pool;

    private final AtomicReferenceArray<Lane> lanes;
    private final Set<Lane> open = ConcurrentHashMap.newKeySet();

    /** Those of the open ones that are to be made again. */
    private final Set<Lane> outdated = ConcurrentHashMap.newKeySet();

    /** Used by the ticking thread only. */
    private final LeaderView leaders;

    /** Used by the opening thread only, but for the first one. */
    private int serial;

    /**
     * Opens the first lane at once and the others in the background.
     *
     * @param name of the opening thread
     * @param factory makes the lanes' clients
     * @param settings how many lanes
     * @param codecs makes a writer of records for each lane
     * @param lossHorizon a probe that has waited for this long is given up
     * @param context what it works with
     * @throws KafkaException when no client can be made from its properties
     */
    public LaneProducer(
            String name,
            LaneClient.Factory factory,
            LaneSettings settings,
            Supplier<ProbeCodec> codecs,
            Duration lossHorizon,
            SendContext context) {
        this.factory = factory;
        this.codecs = codecs;
        this.context = context;
        this.nanoClock = context.nanoClock();
        this.lossHorizonNanos = lossHorizon.toNanos();
        this.leaders = new LeaderView(lossHorizonNanos);
        this.pool = new LanePool<>(settings);
        this.lanes = new AtomicReferenceArray<>(settings.limit());
        List<Integer> first = new ArrayList<>();
        synchronized (pool) {
            first.addAll(pool.missing());
        }
        int number = first.remove(0);
        Lane lane = make(number);
        this.opener = new ClientOpener(context, name);
        opener.connect(order(number), lane);
        openLanes(first);
    }

    private ClientOpener.Order<Lane> order(int number) {
        return new ClientOpener.Order<>(
                () -> make(number), () -> true, CONNECT_PATIENCE, this::opened, this::finished);
    }

    private Lane make(int number) {
        Lane lane = new Lane(number, serial++, factory, codecs.get(), this, context);
        open.add(lane);
        return lane;
    }

    private void opened(Lane lane) {
        lane.open();
        lanes.set(lane.number, lane);
        List<LaneGrant<LaneProbe>> grants;
        synchronized (pool) {
            grants = pool.opened(lane.number, nanoClock.getAsLong());
        }
        grants.forEach(this::dispatch);
    }

    @Override
    public void send(Probe probe) {
        request(new LaneProbe(probe), null);
    }

    /**
     * @param lost the lane that it was granted before, which broke; null the first time
     */
    private void request(LaneProbe probe, LaneGrant<LaneProbe> lost) {
        long now = nanoClock.getAsLong();
        Optional<LaneGrant<LaneProbe>> grant;
        List<Integer> missing;
        synchronized (pool) {
            grant =
                    lost == null
                            ? pool.request(probe, probe.probe().leader(), now)
                            : pool.requestAgain(lost, now);
            missing = pool.missing();
        }
        grant.ifPresent(this::dispatch);
        openLanes(missing);
    }

    private void openLanes(List<Integer> numbers) {
        numbers.forEach(number -> opener.open(order(number)));
    }

    private void dispatch(LaneGrant<LaneProbe> grant) {
        LaneProbe next = grant.probe();
        Lane lane = lanes.get(grant.lane());
        next.granted(grant);
        if (lane == null || !lane.accept(next)) {
            request(next, grant);
            return;
        }
        context.listener().granted(grant.waitedNanos());
        lane.sendAccepted();
    }

    /** Its lane goes to the next one, the ledger is told; the lane is null where it had none. */
    @Override
    public void ended(
            Lane lane,
            LaneProbe probe,
            RecordMetadata metadata,
            Exception failure,
            Dispatch dispatch) {
        long now = nanoClock.getAsLong();
        if (!probe.end(failure != null, dispatch, metadata, List.of(), now, context.estimator())) {
            return;
        }
        if (lane != null) {
            lane.remove(probe.probe());
            List<LaneGrant<LaneProbe>> next;
            synchronized (pool) {
                next = pool.release(probe, probe.probe().leader(), lane.number, now);
            }
            // On the producer's own thread, which cannot send any of them before it has all.
            next.forEach(this::dispatch);
            lane.finishIfDone();
        }
        context.ended(probe, failure);
    }

    @Override
    public void broken(Lane lane) {
        synchronized (pool) {
            if (!lanes.compareAndSet(lane.number, lane, null)) {
                return;
            }
            pool.broken(lane.number);
        }
        lane.retire();
    }

    @Override
    public void finished(Lane lane) {
        opener.inBackground(
                () -> {
                    open.remove(lane);
                    lane.client().close(Duration.ZERO);
                });
    }

    /**
     * Gives up what has waited too long, adapts the number of lanes, replaces those that hang.
     *
     * <p>{@inheritDoc}
     */
    @Override
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
            ended(null, probe, null, why, null);
        }
        openLanes(missing);
        replaceOutdated();
        List<Lane> inUse = open.stream().filter(Lane::inUse).toList();
        Set<Node> connect = leaders.update(inUse, wanted, opener.refusal(), now);
        if (!connect.isEmpty()) {
            open.forEach(lane -> lane.client().connect(connect));
        }
        open.stream()
                .filter(lane -> !lane.isRetired() && leaders.hangs(lane, now))
                .forEach(this::broken);
        return leaders.ids();
    }

    @Override
    public void renew() {
        outdated.addAll(open);
    }

    /** One at a time, each after its successor is connected: the others carry the probes. */
    private void replaceOutdated() {
        outdated.removeIf(lane -> lane.isRetired() || !open.contains(lane));
        if (outdated.isEmpty() || counts().warming() > 0) {
            return;
        }
        outdated.stream().filter(Lane::isOpen).findFirst().ifPresent(this::broken);
    }

    @Override
    public void retainBrokers(Set<Integer> members) {
        synchronized (pool) {
            pool.retainLeaders(members);
        }
    }

    @Override
    public Optional<LaneCounts> lanes() {
        return Optional.of(counts());
    }

    private LaneCounts counts() {
        synchronized (pool) {
            return pool.counts();
        }
    }

    @Override
    public void close(Duration timeout) {
        opener.close();
        long end = nanoClock.getAsLong() + timeout.toNanos();
        for (Lane lane : open) {
            lane.client().close(Duration.ofNanos(Math.max(0, end - nanoClock.getAsLong())));
        }
        open.clear();
    }
}
