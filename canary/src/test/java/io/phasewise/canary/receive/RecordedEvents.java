/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.receive;

import io.phasewise.canary.probe.ProbeCodec;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.KafkaException;

/** Keeps what a consumer tells beside deliveries, in order. */
final class RecordedEvents implements ProbeConsumer.Listener {
    final List<String> events = new CopyOnWriteArrayList<>();

    /** Done once, between two polls, at the next record that is ignored. */
    final AtomicReference<Runnable> whenIgnored = new AtomicReference<>(() -> {});

    @Override
    public void ignored(ProbeCodec.Kind kind) {
        events.add(kind.name());
        whenIgnored.getAndSet(() -> {}).run();
    }

    @Override
    public void failed(KafkaException reason) {
        events.add(reason.getClass().getSimpleName());
    }

    @Override
    public void broken(Throwable fault) {
        events.add("broken: " + fault.getMessage());
    }

    @Override
    public void committed(long nanos) {
        events.add("committed " + nanos);
    }

    @Override
    public void commitFailed(KafkaException reason) {
        events.add("failed " + reason.getClass().getSimpleName());
    }

    @Override
    public void rebalanced(long nanos) {
        events.add("rebalanced " + nanos);
    }
}
