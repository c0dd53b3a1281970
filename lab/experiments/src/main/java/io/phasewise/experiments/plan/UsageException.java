/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.plan;

import java.util.List;

/** What was asked for cannot be run as asked; the message names every fault, one a line. */
public final class UsageException extends Exception {
    private static final long serialVersionUID = 1;

    public UsageException(String fault) {
        super(fault);
    }

    public UsageException(List<String> faults) {
        super(String.join("\n", faults));
    }
}
