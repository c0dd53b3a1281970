/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.receiver;

/**
 * Says which part of a webhook call is missing or wrong; answering the caller is left to the
 * server.
 */
final class MalformedNotificationException extends Exception {

    private static final long serialVersionUID = 1L;

    MalformedNotificationException(String message) {
        super(message);
    }
}
