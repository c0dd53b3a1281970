/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.ops.prediction;

import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

/**
 * What monitoring says of a window of time.
 *
 * @param batches end-to-end latency of probes by their leader: one map for each batch, which are of
 *     equal length and follow each other
 * @param waits by leader, for how long a record of the canary waited for a follower, in seconds, by
 *     follower as {@code kafka_commit_gated_seconds_total} names it; empty without exporters
 * @param queue by leader, for how long the canary's produce requests waited for a request handler,
 *     in seconds; empty without exporters
 */
public record Window(
        List<Map<Integer, ProbeTime>> batches, Map<Integer, Map<String, Double>> waits, Map<Integer, Double> queue) {

    public Window {
        batches = List.copyOf(batches);
        waits = Map.copyOf(waits);
        queue = Map.copyOf(queue);
    }

    /** Probes of some leaders, over the whole window. */
    ProbeTime probes(IntPredicate leaders) {
        return batches.stream().map(batch -> sum(batch, leaders)).reduce(ProbeTime.NONE, ProbeTime::plus);
    }

    /** Seconds of a probe of some leaders, batch by batch; without batches that have none. */
    double[] means(IntPredicate leaders) {
        return batches.stream()
                .map(batch -> sum(batch, leaders))
                .filter(total -> total.count() > 0)
                .mapToDouble(ProbeTime::mean)
                .toArray();
    }

    private static ProbeTime sum(Map<Integer, ProbeTime> batch, IntPredicate leaders) {
        return batch.entrySet().stream()
                .filter(each -> leaders.test(each.getKey()))
                .map(Map.Entry::getValue)
                .reduce(ProbeTime.NONE, ProbeTime::plus);
    }
}
