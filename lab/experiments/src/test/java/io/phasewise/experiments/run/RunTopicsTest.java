/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.experiments.load.Load;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RunTopicsTest {
    private static final Load LOAD = new Load(1, 10, 100, 12, Map.of());

    @Test
    void twoRunsShareNoTopic() {
        assertThat(RunTopics.random().ofLoad(LOAD)).isNotEqualTo(RunTopics.random().ofLoad(LOAD));
    }

    @Test
    void onlyWhatTheRunMakesIsListed() {
        RunTopics topics = new RunTopics("a1");

        String load = topics.ofLoad(LOAD);
        assertThat(topics.names()).isEmpty();

        assertThat(topics.add(load)).isTrue();
        assertThat(topics.add(load)).as("made once").isFalse();
        assertThat(topics.ofCanary("5 ms, acks=all")).isEqualTo("phasewise-lab-a1-5-ms-acks-all");
        assertThat(topics.names())
                .containsExactly("phasewise-lab-a1-5-ms-acks-all", "phasewise-lab-a1-load-12");
    }
}
