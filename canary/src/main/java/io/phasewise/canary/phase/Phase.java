/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.phase;

import java.util.List;

/**
 * The parts of a probe's end-to-end latency, in the order in which it passes them: five, and one
 * more where it is read in another cluster than the one that it was sent to.
 */
public enum Phase {
    /** From due to handed to the network client for the first time. */
    PRODUCE("produce"),
    /**
     * From the network client to the leader's LogAppendTime stamp: network, queues, failed
     * attempts, and the wait for the lock of the log. The leader's own write comes after the stamp.
     */
    PUBLISH("publish"),
    /** From the leader's stamp to every in-sync replica: the leader's write, too. */
    COMMIT("commit"),
    /**
     * From every in-sync replica of the source to the target cluster's log; mirrored probes only.
     */
    MIRROR("mirror"),
    /** The consumer was not yet there: away from poll(), or still reading earlier records. */
    CATCH_UP("catch_up"),
    /** The consumer was waiting for it, and the way back. */
    FETCH("fetch");

    private static final Phase[] ALL = values();
    private static final List<Phase> MIRRORED = List.of(ALL);
    private static final List<Phase> PLAIN =
            MIRRORED.stream().filter(phase -> phase != MIRROR).toList();

    private final String label;

    Phase(String label) {
        this.label = label;
    }

    /** The value of the metrics' {@code phase} label. */
    public String label() {
        return label;
    }

    /**
     * The phases that probes pass, in order.
     *
     * @param mirrored whether they are read in another cluster than the one they are sent to
     */
    public static List<Phase> path(boolean mirrored) {
        return mirrored ? MIRRORED : PLAIN;
    }

    static Phase of(int ordinal) {
        return ALL[ordinal];
    }
}
