/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

/** What a broker hands over of one push: who sent it, and the bytes. */
final class Push {

    final Sender sender;

    /** How often the client was told to push, nanoseconds; 0 where the broker does not say. */
    final long interval;

    /** Whether it is the client's last. */
    final boolean terminating;

    /** Monotonic nanoseconds. */
    final long arrived;

    /** Without compression. */
    final byte[] bytes;

    Push(Sender sender, long interval, boolean terminating, long arrived, byte[] bytes) {
        this.sender = sender;
        this.interval = interval;
        this.terminating = terminating;
        this.arrived = arrived;
        this.bytes = bytes;
    }

    /** A client, as the broker knows it. */
    static final class Sender {
        /** What Kafka tells this client from all others by, as long as it lives. */
        final Object instance;

        /** As the application chose it; several clients may share it. */
        final String clientId;

        /** Of the client library; empty unknown. */
        final String softwareName;

        /** Of the client library; empty unknown. */
        final String softwareVersion;

        Sender(Object instance, String clientId, String softwareName, String softwareVersion) {
            this.instance = instance;
            this.clientId = clientId;
            this.softwareName = softwareName;
            this.softwareVersion = softwareVersion;
        }
    }
}
