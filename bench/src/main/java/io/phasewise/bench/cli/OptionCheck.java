/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Collects what is wrong with the options of a benchmark, so that one run tells all of it. */
final class OptionCheck {
    private final List<String> faults = new ArrayList<>();

    OptionCheck within(String option, int value, int least, int most) {
        return holds(
                value >= least && value <= most,
                option + ": " + value + "; allowed: " + least + " to " + most);
    }

    OptionCheck holds(boolean right, String fault) {
        if (!right) {
            faults.add(fault);
        }
        return this;
    }

    /**
     * Ends the check.
     *
     * @throws ParameterException when there was a fault; names all of them
     */
    void done(CommandSpec spec) {
        if (!faults.isEmpty()) {
            throw new ParameterException(spec.commandLine(), String.join("\n", faults));
        }
    }
}
