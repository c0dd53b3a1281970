/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.fuzz;

import io.phasewise.canary.config.ConfigLoader;
import io.phasewise.canary.config.InvalidConfigException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** No text of a configuration file ends in anything but a configuration or a list of faults. */
public final class ConfigurationFuzz {
    private ConfigurationFuzz() {}

    /** Called by Jazzer. */
    public static void fuzzerTestOneInput(byte[] data) {
        try {
            new ConfigLoader(Map.of()).load(new String(data, StandardCharsets.UTF_8), "fuzzed.yml");
        } catch (InvalidConfigException expected) {
            if (expected.faults().isEmpty()) {
                throw new AssertionError("refused without a fault");
            }
        }
    }
}
