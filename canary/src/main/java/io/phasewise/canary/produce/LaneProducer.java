/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.produce;

import io.phasewise.canary.breakdown.PhaseEstimator;
import io.phasewise.canary.lane.LaneChanges;
import io.phasewise.canary.lane.LaneCounters;
import io.phasewise.canary.lane.LaneGrant;
import io.phasewise.canary.lane.LanePool;
import io.phasewise.canary.lane.LaneSettings;
import io.phasewise.canary.ledger.Ledger;
import io.phasewise.canary.ledger.Probe;
import io.phasewise.canary.ledger.Sending;
import io.phasewise.canary.probe.ProbeCodec;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.DispatchTimingProducer.Dispatch;
import org.apache.kafka.clients.producer.DispatchTimingProducer.KnownLeader;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.record.internal.RecordBatch;

/**
 * Sends the probes of a cluster through a pool of Kafka producers, the lanes, each with at most one
 * probe under way to each broker, so that no probe waits behind another on a connection. Which lane
 * a probe takes and how many there are is left to {@link LanePool}.
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
public final class LaneProducer implements ProbeProducer {
    /** How long a probe may hang on a former leader before its lane is replaced. */
    private static final Duration MOVE_GRACE = Duration.ofSeconds(1);

    private static final Duration OPENER_IDLE = Duration.ofSeconds(1);
    private static final Duration CONNECT_SOON = Duration.ofMillis(10);
    private static final Duration CONNECT_LATER = Duration.ofMillis(500);
    private static final int CONNECT_SOON_TRIES = 300;

    /** A lane is used without the connections that took longer than this. */
    private static final Duration CONNECT_PATIENCE = Duration.ofSeconds(2);

    /** Learns of waits, too. */
    public interface Listener extends ProbeProducer.Listener {
        /**
         * A probe was given a lane.
         *
         * @param nanos how long it had waited for it, 0 for most
         */
        void granted(long nanos);
    }

    private final LaneClient.Factory factory;
    private final Supplier<ProbeCodec> codecs;
    private final Ledger ledger;
    private final PhaseEstimator estimator;
    private final Listener listener;
    private final LongSupplier nanoClock;
    private final long lossHorizonNanos;
    private final ScheduledExecutorService opener;

    /** Guarded by itself, as is {@link #waiting}. */
    private final LanePool<Flight> pool;

    /** All that wait for a lane, and some that do no more, oldest first. */
    private final Deque<Flight> waiting = new ArrayDeque<>();

    private final AtomicReferenceArray<Lane> lanes;
    private final Set<Lane> open = ConcurrentHashMap.newKeySet();

    /** Those of the open ones that are to be made anew. */
    private final Set<Lane> outdated = ConcurrentHashMap.newKeySet();

    private volatile KafkaException refusal;
    private volatile boolean closing;

    /** Used by the ticking thread only. */
    private Map<Integer, KnownLeader> leaders = Map.of();

    /** The partitions that every lane has heard of. */
    private final Set<Integer> introduced = new HashSet<>();

    private final Map<Integer, Long> movedAt = new HashMap<>();

    /** Used by the opening thread only. */
    private int serial;

    /**
     * Opens the first lane at once and the others in the background.
     *
     * @param name of the opening thread
     * @param factory makes the lanes' clients
     * @param settings how many lanes
     * @param codecs makes a writer of records for each lane
     * @param ledger learns what became of each probe
     * @param estimator labels the time that probes wait behind others
     * @param listener learns the rest
     * @param nanoClock monotonic nanoseconds
     * @param lossHorizon a probe that has waited for this long is given up
     * @throws KafkaException when no client can be made from its properties
     */
    public LaneProducer(
            String name,
            LaneClient.Factory factory,
            LaneSettings settings,
            Supplier<ProbeCodec> codecs,
            Ledger ledger,
            PhaseEstimator estimator,
            Listener listener,
            LongSupplier nanoClock,
            Duration lossHorizon) {
        this.factory = factory;
        this.codecs = codecs;
        this.ledger = ledger;
        this.estimator = estimator;
        this.listener = listener;
        this.nanoClock = nanoClock;
        this.lossHorizonNanos = lossHorizon.toNanos();
        this.pool = new LanePool<>(settings);
        this.lanes = new AtomicReferenceArray<>(settings.limit());
        List<Integer> first = new ArrayList<>();
        synchronized (pool) {
            first.addAll(pool.changes(nanoClock.getAsLong()).changes().open());
        }
        Lane lane = make(first.remove(0));
        this.opener = opener(name);
        inBackground(() -> connect(lane, 0), Duration.ZERO);
        first.forEach(this::openLater);
    }

    /** Its one thread ends when there is nothing to open or close, as there rarely is. */
    private static ScheduledExecutorService opener(String name) {
        ScheduledThreadPoolExecutor opener =
                new ScheduledThreadPoolExecutor(
                        1,
                        task -> {
                            Thread thread = new Thread(task, name);
                            thread.setDaemon(true);
                            return thread;
                        });
        opener.setKeepAliveTime(OPENER_IDLE.toNanos(), TimeUnit.NANOSECONDS);
        opener.allowCoreThreadTimeOut(true);
        return opener;
    }

    @Override
    public void send(Probe probe) {
        request(new Flight(probe));
    }

    private void request(Flight flight) {
        long now = nanoClock.getAsLong();
        Optional<LaneGrant<Flight>> grant;
        LanePool.Step<Flight> step;
        synchronized (pool) {
            grant = pool.request(flight, flight.probe().leader(), now);
            if (grant.isEmpty()) {
                waiting.add(flight);
            }
            step = pool.changes(now);
        }
        grant.ifPresent(this::dispatch);
        carryOut(step);
    }

    private void carryOut(LanePool.Step<Flight> step) {
        step.grants().forEach(this::dispatch);
        LaneChanges changes = step.changes();
        changes.open().forEach(this::openLater);
        for (int number : changes.close()) {
            Lane lane = lanes.getAndSet(number, null);
            if (lane != null) {
                lane.retire();
            }
        }
    }

    private void dispatch(LaneGrant<Flight> grant) {
        Flight flight = grant.probe();
        Lane lane = lanes.get(grant.lane());
        if (lane == null) {
            request(flight); // lost since it was granted, and the pool knows it by now
            return;
        }
        flight.granted(grant);
        listener.granted(grant.waitedNanos());
        lane.submit(flight);
    }

    /** A flight is over: its lane goes to the next one, the ledger is told. */
    private void end(
            Lane lane,
            Flight flight,
            RecordMetadata metadata,
            Exception failure,
            Dispatch dispatch) {
        long now = nanoClock.getAsLong();
        long timestamp = metadata == null ? RecordBatch.NO_TIMESTAMP : metadata.timestamp();
        long offset =
                metadata != null && metadata.hasOffset() ? metadata.offset() : Sending.NO_OFFSET;
        if (!flight.end(failure != null, dispatch, timestamp, offset, now, estimator)) {
            return;
        }
        Probe probe = flight.probe();
        if (lane != null) {
            lane.flights.remove(key(probe.partition(), probe.sequence()));
            Optional<LaneGrant<Flight>> next;
            synchronized (pool) {
                next = pool.release(flight, probe.leader(), lane.number, now);
            }
            next.ifPresent(this::dispatch);
            lane.closeIfDone();
        }
        if (failure == null) {
            ledger.acknowledged(probe, dispatch == null ? now : dispatch.completed());
            ledger.settled(probe, flight.sending());
        } else {
            ledger.settled(probe, flight.sending());
            ledger.sendFailed(probe);
            listener.failed(probe, failure);
        }
    }

    /**
     * Gives up what has waited too long, adapts the number of lanes, replaces those that hang.
     *
     * <p>{@inheritDoc}
     */
    @Override
    public Map<Integer, Integer> tick(Set<Integer> wanted) {
        long now = nanoClock.getAsLong();
        List<Flight> expired = new ArrayList<>();
        LanePool.Step<Flight> step;
        synchronized (pool) {
            while (!waiting.isEmpty()
                    && now - waiting.peek().probe().dueNanos() > lossHorizonNanos) {
                Flight flight = waiting.remove();
                if (pool.abandon(flight, flight.probe().leader())) {
                    expired.add(flight);
                }
            }
            step = pool.changes(now);
        }
        for (Flight flight : expired) {
            end(null, flight, null, new TimeoutException("no lane was free in time"), null);
        }
        carryOut(step);
        replaceOutdated();
        return learnLeaders(wanted, now);
    }

    private Map<Integer, Integer> learnLeaders(Set<Integer> wanted, long now) {
        Map<Integer, KnownLeader> latest = new HashMap<>();
        boolean told = false;
        KafkaException refused = refusal;
        for (Lane lane : open) {
            if (!lane.inUse()) {
                continue;
            }
            try {
                lane.known = lane.client.leaders();
                told = true;
                lane.known.forEach((p, leader) -> latest.merge(p, leader, LaneProducer::newer));
            } catch (TimeoutException e) {
                // Not known any more; the request is on its way.
            } catch (KafkaException e) {
                refused = e;
            }
        }
        if (!told && refused != null) {
            throw refused;
        }
        for (Lane lane : open) {
            if (lane.inUse() && isBehind(lane.known, latest, wanted)) {
                lane.client.refreshLeaders();
            }
        }
        // A lane refuses what is for a partition it has not heard of: a new one waits for them all.
        latest.keySet().removeIf(p -> !introduced.contains(p) && !isKnownToAll(p));
        introduced.addAll(latest.keySet());
        boolean connect = false;
        for (var entry : latest.entrySet()) {
            KnownLeader before = leaders.get(entry.getKey());
            if (before == null) {
                connect = true;
            } else if (!before.node().equals(entry.getValue().node())) {
                movedAt.put(entry.getKey(), now);
                connect = true;
            }
        }
        if (told) {
            leaders = latest;
        }
        if (connect) {
            Collection<Node> nodes = nodes(latest);
            open.forEach(lane -> lane.client.connect(nodes));
        }
        replaceHanging(now);
        Map<Integer, Integer> ids = new HashMap<>();
        latest.forEach((partition, leader) -> ids.put(partition, leader.node().id()));
        return ids;
    }

    private static KnownLeader newer(KnownLeader a, KnownLeader b) {
        return b.epoch() > a.epoch() ? b : a;
    }

    private static boolean isBehind(
            Map<Integer, KnownLeader> known,
            Map<Integer, KnownLeader> latest,
            Set<Integer> wanted) {
        return !known.keySet().containsAll(wanted)
                || latest.entrySet().stream()
                        .anyMatch(
                                e ->
                                        known.containsKey(e.getKey())
                                                && known.get(e.getKey()).epoch()
                                                        < e.getValue().epoch());
    }

    private boolean isKnownToAll(int partition) {
        return open.stream()
                .filter(Lane::inUse)
                .allMatch(lane -> lane.known.containsKey(partition));
    }

    private static Set<Node> nodes(Map<Integer, KnownLeader> leaders) {
        Set<Node> nodes = new HashSet<>();
        leaders.values().forEach(leader -> nodes.add(leader.node()));
        return nodes;
    }

    private void replaceHanging(long now) {
        movedAt.values().removeIf(at -> now - at > 2 * lossHorizonNanos);
        if (movedAt.isEmpty()) {
            return;
        }
        for (Lane lane : open) {
            boolean hangs =
                    lane.flights.values().stream()
                            .anyMatch(
                                    flight -> {
                                        Long at = movedAt.get(flight.probe().partition());
                                        return at != null
                                                && flight.sentAt() - at < 0
                                                && now - at > MOVE_GRACE.toNanos();
                                    });
            if (hangs && !lane.retired) {
                lose(lane);
            }
        }
    }

    /** Takes a lane out of the pool; what is under way on it may still arrive. */
    private void lose(Lane lane) {
        synchronized (pool) {
            if (!lanes.compareAndSet(lane.number, lane, null)) {
                return;
            }
            pool.broken(lane.number);
        }
        lane.retire();
    }

    @Override
    public void renew() {
        outdated.addAll(open);
    }

    /** One at a time, each after its successor is connected: the others carry the probes. */
    private void replaceOutdated() {
        outdated.removeIf(lane -> lane.retired || !open.contains(lane));
        if (outdated.isEmpty() || counters().warming() > 0) {
            return;
        }
        outdated.stream().filter(lane -> lane.ready).findFirst().ifPresent(this::lose);
    }

    @Override
    public Optional<LaneCounters> lanes() {
        return Optional.of(counters());
    }

    /** How many lanes there are and how they fared. */
    LaneCounters counters() {
        synchronized (pool) {
            return pool.counters();
        }
    }

    private void openLater(int number) {
        inBackground(() -> openLane(number, 0), Duration.ZERO);
    }

    private void openLane(int number, int failures) {
        if (closing) {
            return;
        }
        Lane lane;
        try {
            lane = make(number);
        } catch (KafkaException e) {
            refusal = e;
            Duration pause = Duration.ofMillis(Math.min(10_000, 500L << Math.min(failures, 5)));
            inBackground(() -> openLane(number, failures + 1), pause);
            return;
        }
        connect(lane, 0);
    }

    private Lane make(int number) {
        Lane lane = new Lane(number);
        lane.client = factory.open(number, serial++, lane::attemptFailed);
        open.add(lane);
        return lane;
    }

    /** One look at a lane that is being connected; comes back until it is. */
    private void connect(Lane lane, int tries) {
        if (closing) {
            return;
        }
        boolean done = false;
        try {
            if (lane.connectingSince == null) {
                Map<Integer, KnownLeader> known = lane.client.leaders();
                if (!known.isEmpty()) {
                    lane.client.connect(nodes(known));
                    lane.connectingSince = nanoClock.getAsLong();
                }
                refusal = null;
            } else {
                done =
                        !lane.client.connecting()
                                || nanoClock.getAsLong() - lane.connectingSince
                                        > CONNECT_PATIENCE.toNanos();
            }
        } catch (TimeoutException e) {
            // Nothing known yet; the request is on its way.
        } catch (KafkaException e) {
            refusal = e;
        }
        if (!done) {
            inBackground(
                    () -> connect(lane, tries + 1),
                    tries < CONNECT_SOON_TRIES ? CONNECT_SOON : CONNECT_LATER);
            return;
        }
        lane.ready = true;
        lanes.set(lane.number, lane);
        List<LaneGrant<Flight>> grants;
        synchronized (pool) {
            grants = pool.opened(lane.number, nanoClock.getAsLong());
        }
        grants.forEach(this::dispatch);
    }

    private void inBackground(Runnable task, Duration delay) {
        try {
            opener.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            // Closing: nothing is opened or replaced any more.
        }
    }

    @Override
    public void close(Duration timeout) {
        closing = true;
        opener.shutdown();
        long end = nanoClock.getAsLong() + timeout.toNanos();
        for (Lane lane : open) {
            lane.client.close(Duration.ofNanos(Math.max(0, end - nanoClock.getAsLong())));
        }
        open.clear();
    }

    private static long key(int partition, long sequence) {
        return ((long) partition << 44) ^ sequence;
    }

    /** One producer with what is under way on it. */
    private final class Lane {
        final int number;
        final Map<Long, Flight> flights = new ConcurrentHashMap<>();

        /** Used by the one thread that is sending. */
        private final ProbeCodec codec = codecs.get();

        private final Deque<Flight> toSend = new ArrayDeque<>();
        private boolean sending;
        private boolean closed;

        /** Set once, before anybody else sees the lane. */
        private LaneClient client;

        /** Used by the opening thread only. */
        private Long connectingSince;

        /** Used by the ticking thread only. */
        private Map<Integer, KnownLeader> known = Map.of();

        private volatile boolean ready;
        private volatile boolean retired;

        Lane(int number) {
            this.number = number;
        }

        /**
         * Sends, or leaves it to the thread that is sending. A flight that fails at once sets off
         * the next one from within, hence the queue instead of a recursion as deep as the queue of
         * those who wait. No lock is held while sending.
         */
        void submit(Flight flight) {
            boolean late;
            synchronized (this) {
                late = closed;
                if (!late) {
                    toSend.add(flight);
                    if (sending) {
                        return;
                    }
                    sending = true;
                }
            }
            if (late) {
                request(flight); // closed since it was granted, and the pool knows it by now
                return;
            }
            for (Flight next = nextToSend(); next != null; next = nextToSend()) {
                sendNow(next);
            }
            closeIfDone();
        }

        private synchronized Flight nextToSend() {
            Flight next = toSend.poll();
            sending = next != null;
            return next;
        }

        private void sendNow(Flight flight) {
            Probe probe = flight.probe();
            flights.put(key(probe.partition(), probe.sequence()), flight);
            byte[] value = codec.encode(probe.partition(), probe.sequence(), probe.dueNanos());
            flight.sent(nanoClock.getAsLong());
            try {
                client.send(
                        probe.partition(),
                        codec.key(probe.sequence()),
                        value,
                        (metadata, failure, dispatch) ->
                                end(this, flight, metadata, failure, dispatch));
            } catch (KafkaException | IllegalStateException e) {
                if (!(e instanceof ApiException)) {
                    lose(this); // out of service for good: every later send would fail
                }
                end(this, flight, null, e, null);
            }
        }

        void attemptFailed(
                String topic, int partition, ByteBuffer key, ByteBuffer value, Dispatch dispatch) {
            Flight flight = flights.get(LaneProducer.key(partition, ProbeCodec.sequence(value)));
            if (flight != null) {
                flight.attemptFailed(dispatch);
            }
        }

        boolean inUse() {
            return ready && !retired;
        }

        void retire() {
            retired = true;
            closeIfDone();
        }

        void closeIfDone() {
            synchronized (this) {
                if (!retired || closed || sending || !flights.isEmpty()) {
                    return;
                }
                closed = true;
            }
            inBackground(
                    () -> {
                        open.remove(this);
                        client.close(Duration.ZERO);
                    },
                    Duration.ZERO);
        }
    }
}
