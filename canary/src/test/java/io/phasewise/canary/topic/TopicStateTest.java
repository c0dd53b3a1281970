/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.topic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TopicStateTest {
    private static final String ID = "uTVxyGm9Q0WOWK1Pq8Yl0w";
    private static final String NONE = "AAAAAAAAAAAAAAAAAAAAAA";

    private static TopicState of(String id) {
        return new TopicState(List.of(), List.of(), Map.of(), true, id);
    }

    @Test
    void onlyTheSameIdMakesItTheSameTopic() {
        assertThat(of(ID).hasId(ID)).isTrue();
        assertThat(of(ID).hasId("")).isFalse();
        assertThat(of("").hasId("")).isFalse();
        assertThat(of(NONE).hasId(NONE))
                .as("brokers before 2.8 say this of every topic")
                .isFalse();
    }
}
