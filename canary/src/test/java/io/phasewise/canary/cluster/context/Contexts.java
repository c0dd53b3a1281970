/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster.context;

import io.phasewise.canary.phases.WallTime;
import io.phasewise.canary.show.metrics.CanaryMetrics;
import io.phasewise.canary.show.metrics.KafkaClients;
import io.phasewise.canary.show.series.SeriesRegistry;
import io.phasewise.canary.supervise.Stalls;
import io.phasewise.canary.supervise.Supervisor;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Labels;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/** What clusters share, for tests. */
public final class Contexts {
    private Contexts() {}

    /** Without traces, and never paused; the metrics of Kafka's clients are in no registry. */
    public static CanaryContext context(PrometheusRegistry registry, InstantSource wallClock, LongSupplier nanoClock) {
        return context(registry, wallClock, nanoClock, InputListener.NONE);
    }

    /** The same, overheard. */
    public static CanaryContext context(
            PrometheusRegistry registry, InstantSource wallClock, LongSupplier nanoClock, InputListener inputs) {
        Supervisor supervisor = new Supervisor(nanoClock);
        Duration stall = Duration.ofMillis(20);
        return new CanaryContext(
                supervisor,
                new CanaryMetrics(new SeriesRegistry(registry, Labels.EMPTY, List.of(0.05)), stall, List::of),
                new KafkaClients(new PrometheusRegistry(), Labels.EMPTY, supervisor.tasks("metrics", fault -> {})),
                new Stalls(stall.toNanos(), nanoClock),
                Optional.empty(),
                new PauseFile(Optional.empty(), nanoClock),
                inputs,
                new WallTime(wallClock, nanoClock),
                nanoClock);
    }
}
