/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ConfigEntry.ConfigSource;
import org.apache.kafka.clients.admin.ConfigEntry.ConfigType;
import org.junit.jupiter.api.Test;

class ClusterFactsTest {
    @Test
    void onlyWhatIsNoDefaultIsToldAndNothingSecret() {
        Config config =
                new Config(
                        List.of(
                                entry(
                                        "num.io.threads",
                                        "4",
                                        ConfigSource.STATIC_BROKER_CONFIG,
                                        false),
                                entry("num.partitions", "1", ConfigSource.DEFAULT_CONFIG, false),
                                entry(
                                        "ssl.key.password",
                                        "kept out",
                                        ConfigSource.STATIC_BROKER_CONFIG,
                                        true)));

        assertThat(ClusterFacts.changed(config))
                .isEqualTo(Map.of("num.io.threads", "4", "ssl.key.password", "not told"));
    }

    private static ConfigEntry entry(
            String name, String value, ConfigSource source, boolean sensitive) {
        return new ConfigEntry(
                name, value, source, sensitive, false, List.of(), ConfigType.STRING, null);
    }
}
