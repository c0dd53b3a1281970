/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

/** What a broker hands over of one push: who sent it, and the bytes. */
final class Push {

    private final Sender sender;
    private final long intervalNanos;
    private final boolean terminating;
    private final long arrived;
    private final byte[] bytes;

    /**
     * @param sender the client
     * @param intervalNanos how often the client was told to push; 0 where the broker does not say
     * @param terminating whether it is the client's last
     * @param arrived monotonic nanoseconds
     * @param bytes without compression
     */
    Push(Sender sender, long intervalNanos, boolean terminating, long arrived, byte[] bytes) {
        this.sender = sender;
        this.intervalNanos = intervalNanos;
        this.terminating = terminating;
        this.arrived = arrived;
        this.bytes = bytes;
    }

    Sender sender() {
        return sender;
    }

    long intervalNanos() {
        return intervalNanos;
    }

    boolean isTerminating() {
        return terminating;
    }

    long arrived() {
        return arrived;
    }

    byte[] bytes() {
        return bytes;
    }

    /** A client, as the broker knows it. */
    static final class Sender {
        private final Object instance;
        private final String clientId;
        private final String softwareName;
        private final String softwareVersion;

        /**
         * @param instance what Kafka tells this client from all others by, as long as it lives
         * @param clientId as the application chose it, may be shared
         * @param softwareName of the client library; empty unknown
         * @param softwareVersion of the client library; empty unknown
         */
        Sender(Object instance, String clientId, String softwareName, String softwareVersion) {
            this.instance = instance;
            this.clientId = clientId;
            this.softwareName = softwareName;
            this.softwareVersion = softwareVersion;
        }

        Object instance() {
            return instance;
        }

        String clientId() {
            return clientId;
        }

        String softwareName() {
            return softwareName;
        }

        String softwareVersion() {
            return softwareVersion;
        }
    }
}
