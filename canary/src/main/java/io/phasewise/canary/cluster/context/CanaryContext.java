/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster.context;

import io.phasewise.canary.phases.WallTime;
import io.phasewise.canary.show.metrics.CanaryMetrics;
import io.phasewise.canary.show.metrics.KafkaClients;
import io.phasewise.canary.show.trace.TraceExport;
import io.phasewise.canary.supervise.Stalls;
import io.phasewise.canary.supervise.Supervisor;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * What all clusters and profiles of a canary share.
 *
 * @param supervisor starts their threads
 * @param metrics hands each profile its series
 * @param kafkaClients exports the clients' own metrics
 * @param stalls knows when this process was stalled
 * @param traces takes the traces of probes; empty when no probe becomes a trace
 * @param pause whether to send nothing
 * @param inputs hears what splitter and suspects are given
 * @param wallTime dates probes
 * @param nanoClock monotonic nanoseconds
 */
public record CanaryContext(
        Supervisor supervisor,
        CanaryMetrics metrics,
        KafkaClients kafkaClients,
        Stalls stalls,
        Optional<TraceExport> traces,
        PauseFile pause,
        InputListener inputs,
        WallTime wallTime,
        LongSupplier nanoClock) {}
