/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.receive;

import static java.util.stream.Collectors.toUnmodifiableSet;

import io.phasewise.canary.phases.PollLog;
import io.phasewise.canary.probe.ProbeCodec;
import io.phasewise.canary.probe.ledger.Ledger;
import io.phasewise.canary.supervise.SupervisedThread;
import io.phasewise.canary.supervise.Supervisor;
import io.phasewise.canary.trip.Delivery;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
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
 * instant at which poll() returned it; where to start reading is given by its caller, what a
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

    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration RETRY = Duration.ofMillis(500);

    private final String topic;
    private final ProbeCodec codec;
    private final Ledger ledger;
    private final Listener listener;
    private final PollRecorder polls;
    private final ReplaceableConsumer consumer;
    private final SupervisedThread thread;

    /** Null where all is fetched from leaders. */
    private final ReadReplica readReplica;

    /** Null without a group. */
    private final GroupMember member;

    private volatile Map<Integer, Long> wanted = Map.of();
    private volatile Set<Integer> reading = Set.of();

    /** Used by the thread only; so is the next field. */
    private Map<Integer, Long> assigned = Map.of();

    /** The offset behind the last record of each assigned partition. */
    private final Map<Integer, Long> positions = new HashMap<>();

    /**
     * What to read, and how.
     *
     * @param name of the thread
     * @param topic the probes'
     * @param commitInterval as a member of a group: from one commit to the next; empty when the
     *     clients belong to none
     * @param followers whether the clients may fetch from followers, too
     */
    public record Settings(String name, String topic, Optional<Duration> commitInterval, boolean followers) {}

    /**
     * @param supervisor starts the thread
     * @param settings what to read
     * @param clients makes the Kafka consumer, and what replaces it; closed by this
     * @param codec recognises the records
     * @param ledger learns of deliveries
     * @param listener learns of everything else
     * @param polls learns when this was in poll() and what that brought
     * @param nanoClock monotonic nanoseconds
     */
    public ProbeConsumer(
            Supervisor supervisor,
            Settings settings,
            Supplier<Consumer<byte[], byte[]>> clients,
            ProbeCodec codec,
            Ledger ledger,
            Listener listener,
            PollLog polls,
            LongSupplier nanoClock) {
        this.consumer = new ReplaceableConsumer(clients, listener::failed, nanoClock);
        this.topic = settings.topic();
        this.codec = codec;
        this.ledger = ledger;
        this.listener = listener;
        this.polls = new PollRecorder(polls, nanoClock);
        this.member = settings.commitInterval()
                .map(interval -> new GroupMember(interval, listener, nanoClock))
                .orElse(null);
        this.readReplica = settings.followers() ? new ReadReplica(topic) : null;
        tellUsers();
        this.thread = supervisor.loop(settings.name(), this::broken, this::turn, this::end);
    }

    /** Starts the thread; it idles until it is given partitions. */
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
     * Has the Kafka consumer replaced by a new one that goes on where the old one stood: for a
     * consumer that no longer gets what its partitions hold.
     */
    public void renew() {
        consumer.renew();
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
        thread.stop();
        consumer.wakeup();
        thread.join(timeout);
    }

    private void end() {
        reading = Set.of();
        consumer.close();
    }

    private void turn() throws InterruptedException {
        try {
            if (consumer.replaceIfDue()) {
                tellUsers();
                assigned = Map.of();
            }
            Map<Integer, Long> now = wanted;
            if (now != assigned) {
                assign(now, assigned.keySet());
                assigned = now;
            }
            if (assigned.isEmpty()) {
                thread.pause(RETRY);
            } else {
                poll();
            }
        } catch (WakeupException e) {
            // There is something else to do than to wait: the next turn sees what.
        } catch (InterruptException e) {
            throw (InterruptedException) new InterruptedException().initCause(e);
        } catch (KafkaException e) {
            listener.failed(e);
            thread.pause(RETRY);
        }
    }

    /** Nobody knows what state the Kafka consumer is in now, so a new one replaces it. */
    private void broken(Throwable fault) {
        consumer.renew();
        listener.broken(fault);
    }

    private void tellUsers() {
        if (member != null) {
            member.use(consumer.get());
        }
        if (readReplica != null) {
            readReplica.use(consumer.get());
        }
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
        consumer.get()
                .assign(positions.keySet().stream()
                        .map(partition -> new TopicPartition(topic, partition))
                        .toList());
        positions.forEach((partition, offset) -> {
            if (!kept.contains(partition)) {
                consumer.get().seek(new TopicPartition(topic, partition), offset);
            }
        });
        reading = Set.copyOf(positions.keySet());
    }

    private void join() {
        if (consumer.get().subscription().isEmpty()) {
            consumer.get().subscribe(List.of(topic), new Assignments());
        }
        reading = reading.stream().filter(positions::containsKey).collect(toUnmodifiableSet());
        // Partitions that the group gave before it was known where to start.
        List<TopicPartition> waiting = consumer.get().paused().stream()
                .filter(partition -> positions.containsKey(partition.partition()))
                .toList();
        waiting.forEach(this::place);
        consumer.get().resume(waiting);
    }

    private void place(TopicPartition partition) {
        consumer.get().seek(partition, positions.get(partition.partition()));
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
                    consumer.get().pause(List.of(partition));
                }
            }
            member.assigned(partitions);
            polls.rebalanced(isHolding());
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            member.revoked(partitions);
            polls.rebalanced(isHolding());
        }
    }

    private boolean isHolding() {
        return member == null || !member.held().isEmpty();
    }

    private void poll() {
        polls.enter(isHolding());
        ConsumerRecords<byte[], byte[]> records = ConsumerRecords.empty();
        long now;
        try {
            records = consumer.get().poll(member == null ? POLL : member.patience());
        } finally {
            now = polls.leave(records.partitions(), this::leftMore);
        }
        for (TopicPartition partition : records.partitions()) {
            List<ConsumerRecord<byte[], byte[]>> ofPartition = records.records(partition);
            int follower = readReplica == null ? Delivery.BY_THE_LEADER : readReplica.of(partition.partition());
            // Before the records are taken: one that cannot be taken is not read again.
            positions.put(
                    partition.partition(),
                    ofPartition.get(ofPartition.size() - 1).offset() + 1);
            for (ConsumerRecord<byte[], byte[]> record : ofPartition) {
                take(partition.partition(), record, now, follower);
            }
        }
        if (member != null) {
            member.commitIfDue(positions);
        }
    }

    /**
     * Whether a poll left records behind that the broker had when it answered. While the lag is not
     * known yet, it counts as having left some.
     */
    private boolean leftMore(TopicPartition partition) {
        return consumer.get().currentLag(partition).orElse(1) > 0;
    }

    private void take(int partition, ConsumerRecord<byte[], byte[]> record, long now, int follower) {
        byte[] value = record.value();
        ProbeCodec.Kind kind = codec.recognise(value, partition);
        if (kind == ProbeCodec.Kind.CALIBRATION) {
            return;
        }
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
        return record.timestampType() == TimestampType.LOG_APPEND_TIME ? record.timestamp() : Delivery.NO_APPEND_TIME;
    }
}
