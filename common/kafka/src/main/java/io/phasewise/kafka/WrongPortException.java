/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.kafka;

import org.apache.kafka.common.KafkaException;

/** No bootstrap server speaks the protocol that the clients are configured for. */
public final class WrongPortException extends KafkaException {
    private final PortLook.Cause cause;

    WrongPortException(PortLook.Mismatch mismatch) {
        super(mismatch.text());
        this.cause = mismatch.cause();
    }

    /** Which setting does not fit. */
    public PortLook.Cause setting() {
        return cause;
    }
}
