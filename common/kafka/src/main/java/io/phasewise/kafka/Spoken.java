/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.kafka;

/**
 * What a port was heard to speak.
 *
 * @param protocol the protocol
 * @param words for the reader where it is no Kafka: what it answered, printable and short, or why
 *     there was no answer; otherwise empty
 */
record Spoken(Protocol protocol, String words) {
    enum Protocol {
        /** Kafka, without TLS. */
        KAFKA,
        TLS,
        /** Something else, which the words name. */
        OTHER,
        /** It closed the connection, or said nothing in time, or could not be connected to. */
        NOTHING
    }

    boolean isKafkaOrTls() {
        return protocol == Protocol.KAFKA || protocol == Protocol.TLS;
    }

    static Spoken of(Protocol protocol) {
        return new Spoken(protocol, "");
    }
}
