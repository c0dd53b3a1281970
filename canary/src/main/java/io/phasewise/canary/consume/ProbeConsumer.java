/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.consume;

import io.phasewise.canary.ledger.Delivery;
import io.phasewise.canary.ledger.Ledger;
import io.phasewise.canary.phase.PollLog;
import io.phasewise.canary.probe.ProbeCodec;
import io.phasewise.canary.supervise.LoopHealth;
import io.phasewise.canary.supervise.SupervisedLoop;
import io.phasewise.canary.topic.Failures;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.record.TimestampType;

/**
 * The thread that polls without a pause and hands every probe it sees to the ledger with the
 * instant at which poll() returned it; where to start reading is told by its caller, what a
 * delivery means by the ledger.
 *
 * <p>It assigns itself partitions and seeks to given offsets: no group, no rebalance, and a
 * position that is known before the first probe leaves. As a member of a group it reads what the
 * group gives it, from where it stood itself: a partition that went to another member and comes
 * back is read on without a gap, whatever was committed. While it holds no partition at all it
 * counts as away from poll(), so that a rebalance is catching up, not fetching.
 */
public final class ProbeConsumer {
    /** Learns what the ledger does not. */
    public interface Listener extends GroupMember.Listener {
        /**
         * A record was no probe of this canary.
         *
         * @param kind whose it is
         */
        void ignored(ProbeCodec.Kind kind);

        /**
         * A poll failed; the consumer goes on.
         *
         * @param reason why
         */
        void failed(KafkaException reason);

        /**
         * The thread met a fault that nobody expected; it goes on with a new Kafka consumer.
         *
         * @param fault what was thrown
         */
        void broken(Throwable fault);
    }

    /** How long the old Kafka consumer goes on before another new one is tried. */
    private static final Duration RENEW_AGAIN = Duration.ofSeconds(5);

    private static final Duration POLL = Duration.ofSeconds(1);
    private static final long RETRY_MS = 500;

    private final Supplier<Consumer<byte[], byte[]>> clients;
    private final String topic;
    private final ProbeCodec codec;
    private final Ledger ledger;
    private final Listener listener;
    private final PollLog polls;
    private final LongSupplier nanoClock;
    private final Thread thread;

    /** Partitions that the last poll brought records of; reused, as every poll fills it. */
    private int[] bringing = new int[8];

    /** Null where all is fetched from leaders. */
    private final ReadReplica readReplica;

    /** Null without a group. */
    private final GroupMember member;

    /** Whether the thread is in poll(). */
    private boolean polling;

    /** Whether the poll log was told so. */
    private boolean logged;

    private final CountDownLatch stop = new CountDownLatch(1);

    private volatile Consumer<byte[], byte[]> consumer;
    private volatile Map<Integer, Long> wanted = Map.of();
    private volatile Set<Integer> reading = Set.of();
    private volatile boolean renewal;

    /** No new Kafka consumer is made before this; the thread's own, as is the next. */
    private long renewNotBefore;

    private Map<Integer, Long> assigned = Map.of();

    /** The offset behind the last record of each assigned partition; the thread's own. */
    private final Map<Integer, Long> positions = new HashMap<>();

    /**
     * @param name of the thread
     * @param clients makes the Kafka consumer, and the one that replaces it; closed by this
     * @param topic what to read
     * @param codec recognises the records
     * @param ledger learns of deliveries
     * @param listener learns of everything else
     * @param polls learns when this was in poll() and what that brought
     * @param nanoClock monotonic nanoseconds
     * @param commitInterval as a member of a group: from one commit to the next; empty when the
     *     clients belong to none
     * @param followers whether the clients may fetch from followers, too
     */
    public ProbeConsumer(
            String name,
            Supplier<Consumer<byte[], byte[]>> clients,
            String topic,
            ProbeCodec codec,
            Ledger ledger,
            Listener listener,
            PollLog polls,
            LongSupplier nanoClock,
            Optional<Duration> commitInterval,
            boolean followers) {
        this.clients = clients;
        this.consumer = clients.get();
        this.topic = topic;
        this.codec = codec;
        this.ledger = ledger;
        this.listener = listener;
        this.polls = polls;
        this.nanoClock = nanoClock;
        this.renewNotBefore = nanoClock.getAsLong();
        this.member =
                commitInterval
                        .map(interval -> new GroupMember(interval, listener, nanoClock))
                        .orElse(null);
        this.readReplica = followers ? new ReadReplica(topic) : null;
        LoopHealth health = new LoopHealth(name, this::broken, nanoClock);
        SupervisedLoop loop = new SupervisedLoop(health, () -> stop.getCount() == 0, this::turn);
        this.thread = new Thread(() -> run(loop), name);
        this.thread.setDaemon(true);
    }

    /** Starts the thread; it idles until it is told what to read. */
    public void start() {
        thread.start();
    }

    /**
     * Sets the partitions to read from now on. Those read already keep their position.
     *
     * @param startOffsets where to start, by partition
     */
    public void read(Map<Integer, Long> startOffsets) {
        if (!startOffsets.keySet().equals(wanted.keySet())) {
            wanted = Map.copyOf(startOffsets);
            consumer.wakeup();
        }
    }

    /**
     * Has the Kafka consumer replaced by a new one that goes on where it stands: for one that no
     * longer gets what its partitions hold.
     */
    public void renew() {
        renewal = true;
        consumer.wakeup();
    }

    /** The partitions whose position is set: no probe sent to them from now on is missed. */
    public Set<Integer> reading() {
        return reading;
    }

    /** Partitions that are to be read and that another member of the group holds. */
    public Set<Integer> heldByOthers() {
        Set<Integer> others = new TreeSet<>();
        if (member != null && !member.held().isEmpty()) {
            others.addAll(reading);
            member.held().forEach(partition -> others.remove(partition.partition()));
        }
        return others;
    }

    /**
     * Ends the thread and closes the consumer.
     *
     * @param timeout how long to wait for that
     */
    public void stop(Duration timeout) throws InterruptedException {
        stop.countDown();
        consumer.wakeup();
        thread.join(timeout.toMillis());
    }

    private void run(SupervisedLoop loop) {
        try {
            tellUsers();
            loop.run();
        } finally {
            reading = Set.of();
            close(consumer);
        }
    }

    private void turn() throws InterruptedException {
        try {
            if (renewal && nanoClock.getAsLong() - renewNotBefore >= 0 && replaceClient()) {
                assigned = Map.of();
            }
            Map<Integer, Long> now = wanted;
            if (now != assigned) {
                assign(now, assigned.keySet());
                assigned = now;
            }
            if (assigned.isEmpty()) {
                stop.await(RETRY_MS, TimeUnit.MILLISECONDS);
            } else {
                poll();
            }
        } catch (WakeupException e) {
            // Something to do other than wait: the next turn sees what.
        } catch (InterruptException e) {
            throw interrupted(e);
        } catch (KafkaException e) {
            listener.failed(e);
            stop.await(RETRY_MS, TimeUnit.MILLISECONDS);
        }
    }

    private static InterruptedException interrupted(InterruptException e) {
        InterruptedException interrupted = new InterruptedException();
        interrupted.initCause(e);
        return interrupted;
    }

    /** Whatever state the Kafka consumer is in now, a new one is in a better one. */
    private void broken(Throwable fault) {
        renewal = true;
        listener.broken(fault);
    }

    /**
     * Returns false where no new one can be made now: the old one goes on, and it is tried again.
     */
    private boolean replaceClient() {
        renewal = false;
        Consumer<byte[], byte[]> fresh;
        try {
            fresh = clients.get();
        } catch (RuntimeException e) {
            renewal = true;
            renewNotBefore = nanoClock.getAsLong() + RENEW_AGAIN.toNanos();
            listener.failed(Failures.kafkaException(e));
            return false;
        }
        Consumer<byte[], byte[]> old = consumer;
        consumer = fresh;
        tellUsers();
        try {
            close(old);
        } catch (InterruptException e) {
            throw e;
        } catch (RuntimeException e) {
            listener.failed(Failures.kafkaException(e)); // it is out of use all the same
        }
        return true;
    }

    private void tellUsers() {
        if (member != null) {
            member.use(consumer);
        }
        if (readReplica != null) {
            readReplica.use(consumer);
        }
    }

    private static void close(Consumer<byte[], byte[]> consumer) {
        consumer.close(CloseOptions.timeout(Duration.ofSeconds(1)));
    }

    /**
     * @param startOffsets where to start reading a partition that was never read
     * @param kept partitions whose position the Kafka consumer holds
     */
    private void assign(Map<Integer, Long> startOffsets, Set<Integer> kept) {
        positions.keySet().retainAll(startOffsets.keySet());
        startOffsets.forEach(positions::putIfAbsent);
        if (member != null) {
            join();
            return;
        }
        consumer.assign(
                positions.keySet().stream()
                        .map(partition -> new TopicPartition(topic, partition))
                        .toList());
        positions.forEach(
                (partition, offset) -> {
                    if (!kept.contains(partition)) {
                        consumer.seek(new TopicPartition(topic, partition), offset);
                    }
                });
        reading = Set.copyOf(positions.keySet());
    }

    private void join() {
        if (consumer.subscription().isEmpty()) {
            consumer.subscribe(List.of(topic), new Assignments());
        }
        Set<Integer> known = new HashSet<>(reading);
        known.retainAll(positions.keySet());
        reading = Set.copyOf(known);
        // What the group gave before its start was known.
        List<TopicPartition> waiting =
                consumer.paused().stream()
                        .filter(partition -> positions.containsKey(partition.partition()))
                        .toList();
        waiting.forEach(this::place);
        consumer.resume(waiting);
    }

    private void place(TopicPartition partition) {
        consumer.seek(partition, positions.get(partition.partition()));
        Set<Integer> known = new HashSet<>(reading);
        known.add(partition.partition());
        reading = Set.copyOf(known);
    }

    /** Called by the Kafka consumer, on the polling thread. */
    private final class Assignments implements ConsumerRebalanceListener {
        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            for (TopicPartition partition : partitions) {
                if (positions.containsKey(partition.partition())) {
                    place(partition);
                } else {
                    consumer.pause(List.of(partition));
                }
            }
            member.assigned(partitions);
            if (polling && !logged && !member.held().isEmpty()) {
                polls.entered(nanoClock.getAsLong());
                logged = true;
            }
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            member.revoked(partitions);
            if (logged && member.held().isEmpty()) {
                polls.left(nanoClock.getAsLong(), bringing, 0);
                logged = false;
            }
        }
    }

    private void poll() {
        long before = nanoClock.getAsLong();
        polling = true;
        logged = member == null || !member.held().isEmpty();
        if (logged) {
            polls.entered(before);
        }
        long now;
        int brought = 0;
        ConsumerRecords<byte[], byte[]> records;
        try {
            records = consumer.poll(member == null ? POLL : member.patience());
            Set<TopicPartition> partitions = records.partitions();
            if (partitions.size() > bringing.length) {
                bringing = new int[partitions.size()];
            }
            for (TopicPartition partition : partitions) {
                bringing[brought++] = partition.partition();
            }
        } finally {
            now = nanoClock.getAsLong();
            polling = false;
            if (logged) {
                polls.left(now, bringing, brought);
                logged = false;
            }
        }
        if (records.isEmpty()) {
            tend();
            return;
        }
        for (TopicPartition partition : records.partitions()) {
            List<ConsumerRecord<byte[], byte[]>> ofPartition = records.records(partition);
            int follower =
                    readReplica == null
                            ? Delivery.BY_THE_LEADER
                            : readReplica.of(partition.partition());
            // Before they are taken: a record that cannot be is not read again.
            positions.put(
                    partition.partition(), ofPartition.get(ofPartition.size() - 1).offset() + 1);
            for (ConsumerRecord<byte[], byte[]> record : ofPartition) {
                take(partition.partition(), record, now, follower);
            }
        }
        tend();
    }

    private void tend() {
        if (member != null) {
            member.tend(positions);
        }
    }

    private void take(
            int partition, ConsumerRecord<byte[], byte[]> record, long now, int follower) {
        byte[] value = record.value();
        ProbeCodec.Kind kind = codec.recognise(value, partition);
        if (kind == ProbeCodec.Kind.OWN
                && ledger.delivered(
                        partition,
                        ProbeCodec.sequence(value),
                        new Delivery(
                                now,
                                appendMillis(record),
                                record.offset(),
                                follower,
                                record.leaderEpoch().orElse(Delivery.NO_EPOCH)))) {
            return;
        }
        listener.ignored(kind == ProbeCodec.Kind.OWN ? ProbeCodec.Kind.FOREIGN : kind);
    }

    private static long appendMillis(ConsumerRecord<byte[], byte[]> record) {
        return record.timestampType() == TimestampType.LOG_APPEND_TIME
                ? record.timestamp()
                : Delivery.NO_APPEND_TIME;
    }
}
