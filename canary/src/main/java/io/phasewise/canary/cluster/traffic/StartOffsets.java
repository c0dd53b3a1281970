/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster.traffic;

import io.phasewise.canary.cluster.access.Reports;
import io.phasewise.canary.topic.TopicState;
import io.phasewise.canary.topic.TopicState.Partition;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.apache.kafka.common.KafkaException;

/**
 * The offset from which each partition is read: the end of its log when the partition began to
 * carry probes. Reading is left to the consumer. Used by one thread.
 */
public final class StartOffsets {
    private final Reports reports;
    private final Map<Integer, Long> offsets = new HashMap<>();

    /** Looks up where logs end. */
    @FunctionalInterface
    public interface LogEnds {
        /**
         * @param partitions to look up
         * @return by partition; those that are not known now are left out
         * @throws KafkaException when none is known
         */
        Map<Integer, Long> of(Collection<Integer> partitions) throws InterruptedException;
    }

    /**
     * @param reports takes failures
     */
    public StartOffsets(Reports reports) {
        this.reports = reports;
    }

    /**
     * Adds the partitions that have begun to carry probes, and drops those that carry none.
     *
     * @param probed the partitions that carry probes
     * @param stillRead says of a partition that carries no more probes whether earlier ones are
     *     still to be read
     * @param ends looks up where logs end
     * @return whether all that carry probes are read
     * @throws KafkaException when nothing can be read yet and the cluster does not answer
     */
    public boolean extend(Map<Integer, Partition> probed, IntPredicate stillRead, LogEnds ends)
            throws InterruptedException {
        offsets.keySet().removeIf(p -> !probed.containsKey(p) && !stillRead.test(p));
        List<Integer> fresh = probed.keySet().stream()
                .filter(p -> !offsets.containsKey(p))
                // Nobody could answer, and asking takes until the timeout.
                .filter(p -> probed.get(p).leader() != TopicState.NO_LEADER)
                .toList();
        if (!fresh.isEmpty()) {
            try {
                offsets.putAll(ends.of(fresh));
            } catch (KafkaException e) {
                if (offsets.isEmpty()) {
                    throw e;
                }
                reports.error("admin", e); // the others are read meanwhile
            }
        }
        return offsets.keySet().containsAll(probed.keySet());
    }

    /** The start offsets, by partition. */
    public Map<Integer, Long> offsets() {
        return offsets;
    }
}
