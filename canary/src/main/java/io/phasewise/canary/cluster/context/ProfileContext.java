/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster.context;

import io.phasewise.canary.cluster.access.Reports;
import io.phasewise.canary.cluster.reach.BrokerReach;
import io.phasewise.canary.config.ClusterConfig;
import io.phasewise.canary.config.ProbeConfig;
import io.phasewise.canary.marks.MarkStore;
import io.phasewise.canary.phases.BrokerClocks;
import io.phasewise.canary.show.metrics.ClusterMetrics;
import io.phasewise.canary.supervise.ProblemBoard;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * What all parts of one profile's measuring work with.
 *
 * @param config the profile
 * @param canary what all clusters share
 * @param metrics its series
 * @param board holds its problems
 * @param reports takes its failures and problems
 * @param clocks of the cluster's brokers
 * @param reach which of the brokers answer
 * @param marks what the brokers report of probes; empty where they are not asked
 * @param instance random number, drawn for each profile at each start of the process
 */
public record ProfileContext(
        ClusterConfig config,
        CanaryContext canary,
        ClusterMetrics metrics,
        ProblemBoard board,
        Reports reports,
        BrokerClocks clocks,
        BrokerReach reach,
        Optional<MarkStore> marks,
        long instance) {

    /** For the parameters see {@link ProfileContext}. */
    public static ProfileContext of(
            ClusterConfig config,
            CanaryContext canary,
            BrokerClocks clocks,
            BrokerReach reach,
            Optional<MarkStore> marks,
            long instance) {
        ClusterMetrics metrics = canary.metrics().cluster(config.name(), config.profile());
        ProblemBoard board = new ProblemBoard(config.title(), canary.nanoClock());
        return new ProfileContext(
                config, canary, metrics, board, Reports.of(metrics, board), clocks, reach, marks, instance);
    }

    /** Monotonic nanoseconds. */
    public long now() {
        return canary.nanoClock().getAsLong();
    }

    /** The seed of the Poisson schedule, configured or drawn; the same at each call. */
    public long seed() {
        return config.probe().seed().orElse(new SplittableRandom(instance).nextLong(ProbeConfig.GREATEST_SEED));
    }
}
