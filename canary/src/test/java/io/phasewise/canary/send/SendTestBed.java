/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.send;

import static org.awaitility.Awaitility.await;

import io.phasewise.canary.phases.Acks;
import io.phasewise.canary.phases.Attribution;
import io.phasewise.canary.phases.BrokerClocks;
import io.phasewise.canary.phases.PollLog;
import io.phasewise.canary.probe.ProbeCodec;
import io.phasewise.canary.probe.ProbeContent;
import io.phasewise.canary.probe.ledger.LeaderCounts;
import io.phasewise.canary.probe.ledger.Ledger;
import io.phasewise.canary.probe.ledger.Ledgers;
import io.phasewise.canary.probe.ledger.Probe;
import io.phasewise.canary.probe.ledger.RecordedLatencies;
import io.phasewise.canary.split.PhaseEstimator;
import io.phasewise.canary.supervise.Supervisor;
import io.phasewise.canary.trip.Delivery;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** What stands around a producer of probes: clock, ledger, estimator, and a listener. */
final class SendTestBed implements ProbeProducer.Listener {
    static final long MS = 1_000_000;

    final AtomicLong clock = new AtomicLong(1_000 * MS);
    final RecordedLatencies latencies = new RecordedLatencies();
    final PollLog polls = new PollLog(Long.MAX_VALUE, 10_000);
    final BrokerClocks clocks = new BrokerClocks();
    final PhaseEstimator estimator;
    final Ledger ledger;
    final List<String> failures = new CopyOnWriteArrayList<>();
    final List<Long> waits = new CopyOnWriteArrayList<>();
    final List<Throwable> faults = new CopyOnWriteArrayList<>();

    /** What the listener throws at the first failure; null for nothing. */
    RuntimeException listenerFault;

    /** The leaders of partition 0, 1 and so on. */
    SendTestBed(Attribution attribution, int... leaders) {
        estimator = new PhaseEstimator(Acks.ALL, attribution, polls, clocks);
        ledger = Ledgers.of(latencies, estimator);
        for (int partition = 0; partition < leaders.length; partition++) {
            ledger.lead(partition, leaders[partition]);
        }
    }

    SendContext context() {
        return new SendContext(new Supervisor(System::nanoTime), ledger, estimator, this, clock::get);
    }

    static ProbeCodec codec() {
        return new ProbeCodec(5, ProbeContent.plain(100));
    }

    void pass(long nanos) {
        clock.addAndGet(nanos);
    }

    static void awaitThat(Callable<Boolean> condition) {
        await().atMost(Duration.ofSeconds(10)).until(condition);
    }

    /** A probe that is due now. */
    Probe due(int partition) {
        return ledger.scheduled(partition, clock.get());
    }

    /** A poll returns the probe now. */
    void deliver(Probe probe, long appendMillis) {
        deliver(probe.partition(), probe.sequence(), appendMillis);
    }

    void deliver(int partition, long sequence, long appendMillis) {
        long now = clock.get();
        polls.entered(now);
        polls.left(now, new int[] {partition}, 1);
        ledger.delivered(partition, sequence, new Delivery(now, appendMillis, sequence));
    }

    /** A record comes back with the time of its append, or without. */
    void showsAppendTime(boolean isThere) {
        long now = clock.get();
        Probe probe = new Ledgers().leading(0, 1).scheduled(0, now);
        long appendMillis = isThere ? now / MS : Delivery.NO_APPEND_TIME;
        estimator.estimate(Ledgers.trip(probe, null, new Delivery(now, appendMillis, 0)));
    }

    /** Of broker 1. */
    LeaderCounts counts() {
        return ledger.counts().get(0);
    }

    @Override
    public void failed(Probe probe, Exception reason) {
        failures.add(probe.leader() + " " + reason.getClass().getSimpleName());
        if (listenerFault != null && failures.size() == 1) {
            throw listenerFault;
        }
    }

    @Override
    public void granted(long nanos) {
        waits.add(nanos);
    }

    @Override
    public void faulted(Throwable fault) {
        faults.add(fault);
    }
}
