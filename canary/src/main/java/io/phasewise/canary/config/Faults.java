/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What is found wrong, and what deserves a word of warning, while a configuration is read. */
final class Faults {
    private final List<ConfigFault> faults = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    void add(String key, String message) {
        faults.add(new ConfigFault(key, message));
    }

    void warn(String warning) {
        warnings.add(warning);
    }

    /** How many faults there are by now. */
    int count() {
        return faults.size();
    }

    /** Whether there is one of this key. */
    boolean has(String key) {
        return faults.stream().anyMatch(fault -> fault.key().equals(key));
    }

    List<String> warnings() {
        return List.copyOf(warnings);
    }

    /** All faults in the order of their keys, if there are any. */
    void throwIfAny() throws InvalidConfigException {
        if (!faults.isEmpty()) {
            faults.sort(Comparator.comparing(ConfigFault::key));
            throw new InvalidConfigException(faults);
        }
    }

    static String quote(String text) {
        return '"' + text + '"';
    }
}
