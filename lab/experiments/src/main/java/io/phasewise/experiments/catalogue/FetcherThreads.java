/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.catalogue;

import io.phasewise.experiments.fault.BrokerSetting;
import io.phasewise.experiments.plan.Experiment;
import io.phasewise.experiments.plan.Load;
import io.phasewise.experiments.plan.Parameter;
import io.phasewise.experiments.plan.Parameters;
import io.phasewise.experiments.plan.Plan;
import io.phasewise.experiments.plan.Variant;
import java.util.List;
import java.util.Map;

/** One and two fetcher threads to each leader, beside a load that followers must fetch. */
final class FetcherThreads {
    static final Experiment EXPERIMENT =
            new Experiment(
                    "fetcher-threads",
                    "What do two replica fetchers for each leader do, compared with one?",
                    "\"How we optimised Kafka latency for a Tier-1 bank\" (Confluent, 2024): a"
                            + " follower with more fetchers asks for its partitions in parallel,"
                            + " so the commit phase shrinks where one fetcher has much to carry;"
                            + " where there is little, it only adds requests.",
                    List.of(
                            Parameter.number("records", "a second", 2_000, 10, 200_000),
                            Parameter.whole("producers", "that share the rate", 4, 1, 100),
                            Parameter.whole("partitions", "of the load's topic", 24, 1, 1_000)),
                    true,
                    FetcherThreads::plan);

    private FetcherThreads() {}

    private static Plan plan(Parameters given) {
        Load load =
                new Load(
                        given.whole("producers"),
                        given.number("records"),
                        1_024,
                        given.whole("partitions"),
                        3,
                        Map.of("linger.ms", "1"));
        return Plan.of(
                Variant.of("1 fetcher", Map.of()).with(load),
                Variant.of("2 fetchers", Map.of())
                        .with(load)
                        // Kafka doubles the number at most while a broker runs.
                        .with(
                                new BrokerSetting(
                                        "followers have two fetchers for each leader",
                                        "num.replica.fetchers",
                                        "2")));
    }
}
