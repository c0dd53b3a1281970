/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.topic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ChangeTest {
    @Test
    void eachChangeNamesTheRightThatKafkaAsksFor() {
        assertThat(new Change.Create(List.of(), Map.of(), List.of()).right("probes"))
                .isEqualTo("Create on topic probes");
        assertThat(new Change.Expand(2, List.of()).right("probes")).isEqualTo("Alter on topic probes");
        assertThat(new Change.Configure(Map.of()).right("probes")).isEqualTo("AlterConfigs on topic probes");
        assertThat(new Change.Mark(List.of()).right("probes")).isEqualTo("AlterConfigs on topic probes");
        assertThat(new Change.Reassign(0, List.of()).right("probes")).isEqualTo("Alter on the cluster");
        assertThat(new Change.Elect(0).right("probes")).isEqualTo("Alter on the cluster");
    }
}
