/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Collects what is wrong with the options of a benchmark, so that one run tells all of it. */
final class OptionCheck {
    private final CommandSpec spec;
    private final List<String> faults = new ArrayList<>();

    OptionCheck(CommandSpec spec) {
        this.spec = spec;
    }

    OptionCheck atLeast(String option, int value, int least) {
        if (value < least) {
            faults.add(option + ": " + value + "; allowed: " + least + " or more");
        }
        return this;
    }

    OptionCheck within(String option, double value, double least, double most) {
        if (!(value >= least && value <= most)) {
            faults.add(
                    String.format(
                            Locale.ROOT,
                            "%s: %s; allowed: %.0f to %.0f",
                            option,
                            value,
                            least,
                            most));
        }
        return this;
    }

    OptionCheck oneOf(String option, String value, List<String> allowed) {
        if (!allowed.contains(value)) {
            faults.add(option + ": " + value + "; allowed: " + String.join(", ", allowed));
        }
        return this;
    }

    /** Adds a fault of another kind. */
    OptionCheck fault(String text) {
        faults.add(text);
        return this;
    }

    /**
     * Ends the check.
     *
     * @throws ParameterException when there was a fault; names all of them
     */
    void done() {
        if (!faults.isEmpty()) {
            throw new ParameterException(spec.commandLine(), String.join("\n", faults));
        }
    }
}
