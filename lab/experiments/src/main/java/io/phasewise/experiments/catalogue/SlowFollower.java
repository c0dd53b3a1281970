/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.catalogue;

import io.phasewise.experiments.fault.StallingBroker;
import io.phasewise.experiments.plan.Experiment;
import io.phasewise.experiments.plan.Parameter;
import io.phasewise.experiments.plan.Parameters;
import io.phasewise.experiments.plan.Plan;
import io.phasewise.experiments.plan.UsageException;
import io.phasewise.experiments.plan.Variant;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a slow follower looks like: the newcomer's experiment. */
final class SlowFollower {
    private static final int FOLLOWER = 3;

    static final Experiment EXPERIMENT =
            new Experiment(
                    "slow-follower",
                    "What does a follower that stands still now and then do to the probes of"
                            + " the other brokers?",
                    "A record is committed once every in-sync replica has it, so probes led by the"
                            + " healthy brokers wait for the slow one: the commit phase grows, by"
                            + " S*S/2P in the mean for S of every P milliseconds, and no other"
                            + " does.",
                    List.of(
                            Parameter.whole("stall", "ms it stands still", 400, 50, 5_000),
                            Parameter.whole(
                                    "period", "ms from one to the next", 1_000, 100, 20_000)),
                    true,
                    SlowFollower::plan);

    private SlowFollower() {}

    private static Plan plan(Parameters given) throws UsageException {
        given.requireLess("stall", "period");
        StallingBroker fault =
                new StallingBroker(
                        FOLLOWER,
                        Duration.ofMillis(given.whole("stall")),
                        Duration.ofMillis(given.whole("period")));
        return new Plan(
                Map.of(),
                Plan.Layout.PLAIN,
                // The stalled broker's own probes wait for it as their leader, another story.
                Set.of(1, 2),
                List.of(
                        Variant.of("healthy", Map.of()),
                        Variant.of("slow follower", Map.of()).with(fault)));
    }
}
