/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.instrument;

/** A class of Kafka is not what a hook was written for. */
final class UnknownShapeException extends Exception {

    private static final long serialVersionUID = 1L;

    UnknownShapeException(String message) {
        super(message);
    }
}
