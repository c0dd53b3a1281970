/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.cli;

import java.util.ArrayList;
import java.util.List;

/** Collects what is wrong with the options of a command, so that one run reports all faults. */
public final class OptionCheck {
    private final List<String> faults = new ArrayList<>();

    /** A number from one bound to another, both included. */
    public OptionCheck within(String option, int value, int least, int most) {
        return holds(value >= least && value <= most, option + ": " + value + "; allowed: " + least + " to " + most);
    }

    /**
     * Checks any other condition.
     *
     * @param fault names the option, the value and what is allowed
     */
    public OptionCheck holds(boolean right, String fault) {
        if (!right) {
            faults.add(fault);
        }
        return this;
    }

    /**
     * Ends the check.
     *
     * @throws UsageException when there was a fault; names all of them
     */
    public void done() {
        if (!faults.isEmpty()) {
            throw new UsageException(String.join("\n", faults));
        }
    }
}
