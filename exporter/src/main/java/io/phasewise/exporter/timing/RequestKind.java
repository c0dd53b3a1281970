/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.timing;

/** What requests are told apart by, as Kafka's request metrics name them. */
enum RequestKind {
    PRODUCE("Produce"),
    FETCH_CONSUMER("FetchConsumer"),
    OTHER("Other"),
    /** Last, because the canary, being no broker, never sends one. */
    FETCH_FOLLOWER("FetchFollower");

    private final String label;

    RequestKind(String label) {
        this.label = label;
    }

    /** Value of the label {@code request}. */
    String label() {
        return label;
    }
}
