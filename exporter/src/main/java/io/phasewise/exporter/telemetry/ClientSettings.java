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

    private final List<ClientLabel> labels;
    private final Pattern clientId;
    private final Pattern group;
    private final int top;
    private final Duration expiry;
    private final int maxPushBytes;
    private final int maxMemoryBytes;

    /**
     * @param labels of every series, in this order
     * @param clientId what of a client id becomes the label: its first group, or all of it
     * @param group likewise of a consumer group
     * @param top how many clients, told apart by the labels, have series of their own
     * @param expiry how long a client that has ceased to push keeps them
     * @param maxPushBytes larger pushes, once decompressed, are refused
     * @param maxMemoryBytes of the heap, for all that clients push
     */
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

    /** What holds where nothing is configured. */
    public static ClientSettings defaults() {
        Pattern all = Pattern.compile(".*", Pattern.DOTALL);
        return new ClientSettings(
                List.of(ClientLabel.values()),
                all,
                all,
                50,
                Duration.ofMinutes(10),
                1 << 20,
                64 << 20);
    }

    public List<ClientLabel> labels() {
        return labels;
    }

    public Pattern clientId() {
        return clientId;
    }

    public Pattern group() {
        return group;
    }

    public int top() {
        return top;
    }

    public Duration expiry() {
        return expiry;
    }

    public int maxPushBytes() {
        return maxPushBytes;
    }

    public int maxMemoryBytes() {
        return maxMemoryBytes;
    }
}
