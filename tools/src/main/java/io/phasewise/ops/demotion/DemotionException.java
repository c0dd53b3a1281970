/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.ops.demotion;

/** The cluster did not do what it was asked to; the message says what and why. */
public final class DemotionException extends Exception {

    private static final long serialVersionUID = 1L;

    DemotionException(String message, Throwable cause) {
        super(message, cause);
    }

    /** The same, with the servers that were asked. */
    public DemotionException at(String servers) {
        return new DemotionException(servers + ": " + getMessage(), getCause());
    }
}
