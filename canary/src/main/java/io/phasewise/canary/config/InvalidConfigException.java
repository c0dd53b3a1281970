/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Carries every fault of a configuration to the one place that reports them and ends the process.
 */
public final class InvalidConfigException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<ConfigFault> faults;

    /**
     * @param faults what is wrong, at least one
     */
    public InvalidConfigException(List<ConfigFault> faults) {
        super(faults.stream().map(ConfigFault::toString).collect(Collectors.joining("\n")));
        this.faults = List.copyOf(faults);
    }

    /** What is wrong, in the order of the keys; never empty. */
    public List<ConfigFault> faults() {
        return faults;
    }
}
