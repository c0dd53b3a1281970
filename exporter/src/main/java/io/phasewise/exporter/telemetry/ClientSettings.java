/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/** How much is kept of clients that push, and by which labels. */
public final class ClientSettings {

    /** Of every series, in this order. */
    public final List<ClientLabel> labels;

    /** What of a client id becomes the label: its first group, or all of it. */
    public final Pattern clientId;

    /** What of a consumer group becomes the label, likewise. */
    public final Pattern group;

    /** How many clients, distinguished by the labels, have series of their own. */
    public final int top;

    /** How long a client that has ceased to push keeps them. */
    public final Duration expiry;

    /** Larger pushes, once decompressed, are refused. */
    public final int maxPushBytes;

    /** Bytes of the heap for all that clients push. */
    public final int maxMemoryBytes;

    /** Takes values that were checked. */
    public ClientSettings(
            List<ClientLabel> labels,
            Pattern clientId,
            Pattern group,
            int top,
            Duration expiry,
            int maxPushBytes,
            int maxMemoryBytes) {
        this.labels = List.copyOf(labels);
        this.clientId = clientId;
        this.group = group;
        this.top = top;
        this.expiry = expiry;
        this.maxPushBytes = maxPushBytes;
        this.maxMemoryBytes = maxMemoryBytes;
    }
}
