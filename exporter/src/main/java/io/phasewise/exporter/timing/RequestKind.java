/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.timing;

/** Kinds of requests, as Kafka's request metrics name them. */
enum RequestKind {
    PRODUCE("Produce"),
    FETCH_CONSUMER("FetchConsumer"),
    OTHER("Other"),
    /** Last, because the canary, being no broker, never sends one. */
    FETCH_FOLLOWER("FetchFollower");

    /** Value of the label {@code request}. */
    final String label;

    RequestKind(String label) {
        this.label = label;
    }
}
