/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.phase;

/** The five parts of a probe's end-to-end latency, in the order in which it passes them. */
public enum Phase {
    /** From due to handed to the network client. */
    PRODUCE("produce"),
    /** From the network client to the leader's log. */
    PUBLISH("publish"),
    /** From the leader's log to every in-sync replica. */
    COMMIT("commit"),
    /** The consumer was not yet there: away from poll(), or still reading earlier records. */
    CATCH_UP("catch_up"),
    /** The consumer was waiting for it, and the way back. */
    FETCH("fetch");

    private static final Phase[] ALL = values();

    private final String label;

    Phase(String label) {
        this.label = label;
    }

    /** The value of the metrics' {@code phase} label. */
    public String label() {
        return label;
    }

    static Phase of(int ordinal) {
        return ALL[ordinal];
    }
}
