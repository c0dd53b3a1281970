/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.cluster;

import java.io.IOException;

/** Something that is needed is not there; the message says what, and how to get it. */
public final class MissingException extends IOException {
    private static final long serialVersionUID = 1;

    public MissingException(String message) {
        super(message);
    }
}
