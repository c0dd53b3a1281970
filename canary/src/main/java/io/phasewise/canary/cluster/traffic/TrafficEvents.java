/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster.traffic;

import io.phasewise.canary.cluster.access.Reports;
import io.phasewise.canary.probe.ProbeCodec;
import io.phasewise.canary.probe.ledger.Probe;
import io.phasewise.canary.receive.ProbeConsumer;
import io.phasewise.canary.send.ProbeProducer;
import io.phasewise.canary.show.metrics.ClusterMetrics;
import io.phasewise.canary.topic.Failures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Counts what a profile's producer and consumer report, and remembers what failed recently. What
 * became of each probe is left to the ledger. Thread-safe.
 */
final class TrafficEvents implements ProbeProducer.Listener, ProbeConsumer.Listener {
    private static final Duration LEAST_MEMORY = Duration.ofSeconds(10);

    private final ClusterMetrics metrics;
    private final Names names;
    private final Memory memory;
    private final Runnable otherRecord;
    private final LongSupplier nanoClock;
    private final Map<Integer, Failure> byBroker = new ConcurrentHashMap<>();

    /** Brokers whose failures were posted; guarded by this. */
    private final Set<Integer> posted = new HashSet<>();

    /** The latest failure to read or to commit; null before the first. */
    private volatile Failure reading;

    /**
     * The latest failure of one client, remembered so that failures that come and go show as one
     * problem.
     */
    private record Failure(String message, long at) {}

    /** The longest recent throttle of produce requests; null before the first. */
    private volatile Throttle longestThrottle;

    /** The last one, which is shown when the longest is no longer recent; null before the first. */
    private volatile Throttle lastThrottle;

    private record Throttle(int millis, long at) {}

    /**
     * What the clients need rights on.
     *
     * @param topic that probes are sent to and read from
     * @param groupId the consumer's group, if it is in one
     */
    record Names(String topic, String groupId) {}

    /**
     * How long a failure counts as a problem that lasts.
     *
     * @param sending of a probe
     * @param reading of a poll or a commit
     */
    record Memory(Duration sending, Duration reading) {
        /**
         * Each at least ten seconds.
         *
         * @param probes how long probes may stay away
         * @param commits a time in which several commits are due
         */
        static Memory of(Duration probes, Duration commits) {
            return new Memory(longer(probes, LEAST_MEMORY), longer(commits, LEAST_MEMORY));
        }

        private static Duration longer(Duration one, Duration other) {
            return one.compareTo(other) > 0 ? one : other;
        }
    }

    /**
     * @param metrics counts
     * @param names what the clients need rights on, for the reader
     * @param memory how long a failure counts
     * @param otherRecord called when a record is no probe; must be quick
     * @param nanoClock monotonic nanoseconds
     */
    TrafficEvents(ClusterMetrics metrics, Names names, Memory memory, Runnable otherRecord, LongSupplier nanoClock) {
        this.metrics = metrics;
        this.names = names;
        this.memory = memory;
        this.otherRecord = otherRecord;
        this.nanoClock = nanoClock;
    }

    /** Posts what failed recently, and takes down what no longer does. */
    synchronized void post(Reports reports) {
        posted.removeAll(byBroker.keySet());
        posted.forEach(gone -> reports.post("producer " + gone, List.of()));
        posted.clear();
        byBroker.forEach((broker, failure) -> {
            posted.add(broker);
            reports.post("producer " + broker, "producer", recent(failure, memory.sending()));
        });
        reports.post("consumer", "consumer", recent(reading, memory.reading()));
    }

    /**
     * Posts that quotas hold back the clients, and takes that down when they no longer do.
     *
     * @param fetchMillis for how long the consumer's fetches were held back recently; 0 when they
     *     were not
     */
    void postThrottle(Reports reports, int fetchMillis) {
        int produceMillis = Math.max(recentMillis(longestThrottle), recentMillis(lastThrottle));
        List<String> held = new ArrayList<>();
        if (produceMillis > 0) {
            held.add("produce requests by up to " + produceMillis + " ms");
        }
        if (fetchMillis > 0) {
            held.add("fetches by up to " + fetchMillis + " ms");
        }
        reports.post(
                "quota",
                "quota",
                held.isEmpty()
                        ? Optional.empty()
                        : Optional.of("the brokers throttle the canary by a quota of its user or client id: "
                                + String.join(", ", held)
                                + "; latencies include that"));
    }

    private boolean isOver(long at) {
        return nanoClock.getAsLong() - at > LEAST_MEMORY.toNanos();
    }

    /** Takes down everything that was posted. */
    synchronized void forget(Reports reports) {
        byBroker.clear();
        reading = null;
        longestThrottle = null;
        lastThrottle = null;
        post(reports);
        postThrottle(reports, 0);
        reports.post("producer", "producer", Optional.empty());
    }

    private Optional<String> recent(Failure failure, Duration memory) {
        return Optional.ofNullable(failure)
                .filter(each -> nanoClock.getAsLong() - each.at <= memory.toNanos())
                .map(Failure::message);
    }

    private Failure now(String message) {
        return new Failure(message, nanoClock.getAsLong());
    }

    /** See {@link Traffic#retainBrokers}. */
    void retainBrokers(Set<Integer> members) {
        byBroker.keySet().retainAll(members);
    }

    @Override
    public void failed(Probe probe, Exception reason) {
        metrics.error("producer", reason);
        // Also where Kafka names a right on the cluster: it does so for a producer's id, for which
        // Write is enough (KIP-679).
        String why = reason instanceof AuthorizationException
                ? needs("Write on topic " + names.topic(), reason)
                : isWithoutLeader(reason)
                        ? "the client knows no leader of the partition, as no broker that it knew answers ("
                                + Failures.describe(reason)
                                + ")"
                        : Failures.describe(reason);
        String message = "probes to broker " + probe.leader() + " fail: " + why;
        byBroker.put(probe.leader(), now(message));
    }

    @Override
    public void throttled(int millis) {
        Throttle now = new Throttle(millis, nanoClock.getAsLong());
        if (millis >= recentMillis(longestThrottle)) {
            longestThrottle = now;
        }
        lastThrottle = now;
    }

    private int recentMillis(Throttle throttle) {
        return throttle == null || isOver(throttle.at) ? 0 : throttle.millis;
    }

    @Override
    public void granted(long nanos) {
        metrics.laneWait(nanos);
    }

    @Override
    public void faulted(Throwable fault) {
        metrics.error("producer", fault);
    }

    @Override
    public void ignored(ProbeCodec.Kind kind) {
        metrics.ignored(kind);
        if (kind == ProbeCodec.Kind.FOREIGN) {
            otherRecord.run();
        }
    }

    @Override
    public void failed(KafkaException reason) {
        metrics.error("consumer", reason);
        reading = now("reading fails: " + readingFailure(reason));
    }

    private String readingFailure(KafkaException reason) {
        if (reason instanceof GroupAuthorizationException) {
            return needs("Read on consumer group " + names.groupId(), reason);
        }
        return reason instanceof AuthorizationException
                ? needs("Read on topic " + names.topic(), reason)
                : Failures.describe(reason);
    }

    /**
     * Whether the client only knows no leader. Kafka's words sound as if the topic were gone; where
     * it is gone, a broker has said so, and the exception has a cause.
     */
    private static boolean isWithoutLeader(Exception reason) {
        return reason instanceof TimeoutException
                && reason.getCause() == null
                && String.valueOf(reason.getMessage()).contains("not present in metadata");
    }

    private static String needs(String right, Exception reason) {
        return "the canary's user needs " + right + " (" + Failures.describe(reason) + ")";
    }

    @Override
    public void broken(Throwable fault) {
        metrics.error("reader", fault);
    }

    @Override
    public void committed(long nanos) {
        metrics.committed(nanos);
    }

    @Override
    public void commitFailed(KafkaException reason) {
        metrics.error("consumer", reason);
        boolean rebalancing = reason instanceof RebalanceInProgressException || reason instanceof CommitFailedException;
        if (!rebalancing) {
            reading = now("committing offsets fails: " + readingFailure(reason));
        }
    }

    @Override
    public void rebalanced(long nanos) {
        metrics.rebalanced(nanos);
    }
}
