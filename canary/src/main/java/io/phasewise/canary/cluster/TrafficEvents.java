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
import io.phasewise.canary.supervise.RecentFailures;
import io.phasewise.canary.topic.Failures;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.RebalanceInProgressException;

/**
 * Counts what a profile's producer and consumer tell, and remembers what failed recently. What
 * became of each probe is left to the ledger. Thread-safe.
 */
final class TrafficEvents implements ProbeProducer.Listener, ProbeConsumer.Listener {
    private static final Duration FAILURE_MEMORY = Duration.ofSeconds(10);

    private final ClusterMetrics metrics;
    private final String groupId;
    private final LongSupplier nanoClock;
    private final Map<Integer, RecentFailures> byBroker = new ConcurrentHashMap<>();
    private final RecentFailures reading;

    /**
     * @param metrics counts
     * @param groupId the consumer's group, for the reader
     * @param nanoClock monotonic nanoseconds
     */
    TrafficEvents(ClusterMetrics metrics, String groupId, LongSupplier nanoClock) {
        this.metrics = metrics;
        this.groupId = groupId;
        this.nanoClock = nanoClock;
        this.reading = new RecentFailures(FAILURE_MEMORY, nanoClock);
    }

    /** Posts what failed recently, and takes down what no longer does. */
    void post(Reports reports) {
        byBroker.forEach(
                (broker, failures) ->
                        reports.post("producer " + broker, "producer", failures.latest()));
        reports.post("producer", "producer", Optional.empty());
        reports.post("consumer", "consumer", reading.latest());
    }

    /** See {@link Traffic#retainBrokers}. */
    void retainBrokers(Set<Integer> members) {
        byBroker.keySet().retainAll(members);
    }

    @Override
    public void failed(Probe probe, Exception reason) {
        metrics.error("producer", reason);
        byBroker.computeIfAbsent(
                        probe.leader(), id -> new RecentFailures(FAILURE_MEMORY, nanoClock))
                .add("probes to broker " + probe.leader() + " fail: " + Failures.describe(reason));
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
        reading.add(
                reason instanceof GroupAuthorizationException
                        ? "no permission on the consumer group "
                                + groupId
                                + "; the canary's user needs Read on it: "
                                + Failures.describe(reason)
                        : "reading fails: " + Failures.describe(reason));
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
        boolean rebalancing =
                reason instanceof RebalanceInProgressException
                        || reason instanceof CommitFailedException;
        if (!rebalancing) {
            reading.add("committing offsets fails: " + Failures.describe(reason));
        }
    }

    @Override
    public void rebalanced(long nanos) {
        metrics.rebalanced(nanos);
    }
}
