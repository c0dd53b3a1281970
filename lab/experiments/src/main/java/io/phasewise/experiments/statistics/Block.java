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

/**
 * The probes of a short stretch of one turn, which stay together when they are dealt anew:
 * latencies that follow one another are alike (a queue, a collection, a stall hold for many), and
 * probes dealt one by one would look like far more evidence than they are.
 *
 * @param endToEnd milliseconds; infinite for those that did not come back
 */
record Block(double[] endToEnd) {

    /**
     * Cuts a turn.
     *
     * @param start of the turn
     * @param probes of the turn, in any order
     * @param length of a block; the last one may be shorter
     */
    static List<Block> cut(Instant start, List<ProbeRecord> probes, Duration length) {
        Map<Long, List<ProbeRecord>> byBlock = new TreeMap<>();
        for (ProbeRecord probe : probes) {
            long number = Duration.between(start, probe.due()).toNanos() / length.toNanos();
            byBlock.computeIfAbsent(number, unused -> new ArrayList<>()).add(probe);
        }
        return byBlock.values().stream()
                .map(each -> new Block(each.stream().mapToDouble(ProbeRecord::endToEnd).toArray()))
                .toList();
    }

    /** All latencies of some blocks. */
    static double[] pooled(List<Block> blocks) {
        double[] all = new double[blocks.stream().mapToInt(b -> b.endToEnd.length).sum()];
        int next = 0;
        for (Block block : blocks) {
            System.arraycopy(block.endToEnd, 0, all, next, block.endToEnd.length);
            next += block.endToEnd.length;
        }
        return all;
    }
}
