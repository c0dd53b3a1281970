/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.phase;

import java.util.Locale;

/**
 * What a probe waits for on a broker, or on its way to one: the second split of its phases. In
 * every phase the parts by broker and role sum to the phase, to the nanosecond.
 */
public enum Role {
    /** The canary itself: its host, its quota, its consumer's fetch.min.bytes. */
    CLIENT,
    /** A request handler, or room in the request queue. */
    HANDLERS,
    /** An append to a log, the flush in it included. */
    DISK,
    /** The broker's JVM was paused, or the broker was gone and not fenced yet. */
    PROCESS,
    /** A network thread that was busy inside the broker. */
    NETWORK_THREADS,
    /** The path; the broker is its other end. */
    NETWORK,
    /** A follower's own time where its agent does not say which. */
    FOLLOWER,
    /** A leader to be elected, metadata, or a commit that no replica holds back. */
    CONTROLLER,
    /** No evidence says what. */
    UNKNOWN;

    private final String label = name().toLowerCase(Locale.ROOT);

    /** The value of the metrics' {@code role} label. */
    public String label() {
        return label;
    }
}
