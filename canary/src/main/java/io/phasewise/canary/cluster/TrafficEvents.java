/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster;

import io.phasewise.canary.probe.ProbeCodec;
import io.phasewise.canary.probe.ledger.Probe;
import io.phasewise.canary.receive.ProbeConsumer;
import io.phasewise.canary.send.ProbeProducer;
import io.phasewise.canary.show.metrics.ClusterMetrics;
import io.phasewise.canary.topic.Failures;
import java.time.Duration;
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

/**
 * Counts what a profile's producer and consumer report, and remembers what failed recently. What
 * became of each probe is left to the ledger. Thread-safe.
 */
final class TrafficEvents implements ProbeProducer.Listener, ProbeConsumer.Listener {
    private static final Duration FAILURE_MEMORY = Duration.ofSeconds(10);

    private final ClusterMetrics metrics;
    private final Names names;
    private final LongSupplier nanoClock;
    private final Map<Integer, Failure> byBroker = new ConcurrentHashMap<>();

    /** Null before the first. */
    private volatile Failure reading;

    /** The latest of one client, remembered so that failures now and then read as one problem. */
    private record Failure(String message, long at) {}

    /**
     * What the clients need rights on.
     *
     * @param topic that probes are sent to
     * @param readTopic that they are read from: another one in a mirrored profile
     * @param groupId the consumer's group, if it is in one
     */
    record Names(String topic, String readTopic, String groupId) {}

    /**
     * @param metrics counts
     * @param names of what they need rights on, for the reader
     * @param nanoClock monotonic nanoseconds
     */
    TrafficEvents(ClusterMetrics metrics, Names names, LongSupplier nanoClock) {
        this.metrics = metrics;
        this.names = names;
        this.nanoClock = nanoClock;
    }

    /** Posts what failed recently, and takes down what no longer does. */
    void post(Reports reports) {
        byBroker.forEach((broker, failure) -> reports.post("producer " + broker, "producer", recent(failure)));
        reports.post("producer", "producer", Optional.empty());
        reports.post("consumer", "consumer", recent(reading));
    }

    /** Takes down what failed, however recently. */
    void withdraw(Reports reports) {
        byBroker.keySet().forEach(broker -> reports.post("producer " + broker, "producer", Optional.empty()));
        reports.post("producer", "producer", Optional.empty());
        reports.post("consumer", "consumer", Optional.empty());
    }

    private Optional<String> recent(Failure failure) {
        return Optional.ofNullable(failure)
                .filter(each -> nanoClock.getAsLong() - each.at <= FAILURE_MEMORY.toNanos())
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
        // Also where Kafka speaks of the cluster: it does so for a producer's id (KIP-679).
        String why = reason instanceof AuthorizationException
                ? needs("Write on topic " + names.topic(), reason)
                : Failures.describe(reason);
        String message = "probes to broker " + probe.leader() + " fail: " + why;
        byBroker.put(probe.leader(), now(message));
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
                ? needs("Read on topic " + names.readTopic(), reason)
                : Failures.describe(reason);
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
