/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

/** What a client pushed is not what it should be. Says nothing of the content. */
final class MalformedPushException extends Exception {

    private static final long serialVersionUID = 1L;

    MalformedPushException(String message) {
        super(message);
    }
}
