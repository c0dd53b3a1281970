/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.statistics;

import io.phasewise.experiments.measure.ProbeRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * The probes of a short stretch of one turn, which stay together when they are dealt anew:
 * latencies that follow one another are alike (a queue, a collection, a stall hold for many), and
 * probes dealt one by one would look like far more evidence than they are.
 *
 * @param latencies milliseconds; infinite for those that have none
 */
record Block(double[] latencies) {

    /**
     * Cuts a turn.
     *
     * @param start of the turn
     * @param probes of the turn, in any order
     * @param length of a block; the last one may be shorter
     * @param of a probe's latency
     */
    static List<Block> cut(
            Instant start,
            List<ProbeRecord> probes,
            Duration length,
            ToDoubleFunction<ProbeRecord> of) {
        Map<Long, List<ProbeRecord>> byBlock = new TreeMap<>();
        for (ProbeRecord probe : probes) {
            long number = Duration.between(start, probe.due()).toNanos() / length.toNanos();
            byBlock.computeIfAbsent(number, unused -> new ArrayList<>()).add(probe);
        }
        return byBlock.values().stream()
                .map(each -> new Block(each.stream().mapToDouble(of).toArray()))
                .toList();
    }

    /** All latencies of some blocks. */
    static double[] pooled(List<Block> blocks) {
        double[] all = new double[blocks.stream().mapToInt(b -> b.latencies.length).sum()];
        int next = 0;
        for (Block block : blocks) {
            System.arraycopy(block.latencies, 0, all, next, block.latencies.length);
            next += block.latencies.length;
        }
        return all;
    }
}
