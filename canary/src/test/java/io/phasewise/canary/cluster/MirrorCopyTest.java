/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.topic.OwnershipMark;
import io.phasewise.canary.topic.OwnershipMark.Origin;
import io.phasewise.canary.topic.TopicState;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MirrorCopyTest {
    private static final String ID = "uTVxyGm9Q0WOWK1Pq8Yl0w";
    private static final String OTHER = "zTVxyGm9Q0WOWK1Pq8Yl0w";
    private static final String NONE = "AAAAAAAAAAAAAAAAAAAAAA";
    private static final Map<String, String> MARK =
            Map.of(OwnershipMark.SETTING, OwnershipMark.value("source", "probes", Origin.CREATED));

    private static TopicState topic(String id, Map<String, String> settings) {
        return new TopicState(
                List.of(), List.of(new TopicState.Partition(0, 1, List.of(1), List.of(1))), settings, true, id);
    }

    @Test
    void theTopicThatHadTheMarkStaysTheCopyAndNoOtherDoes() {
        MirrorCopy copy = new MirrorCopy("probes", false);
        assertThat(copy.is("source", topic(ID, Map.of()))).isFalse();
        assertThat(copy.is("source", topic(ID, MARK))).isTrue();
        assertThat(copy.is("source", topic(ID, Map.of()))).isTrue();
        assertThat(copy.is("source", topic(OTHER, Map.of()))).isFalse();
    }

    /** Brokers before Kafka 2.8 give every topic the same id. */
    @Test
    void withoutIdsOneThatWasMadeAnewIsNotTakenForTheCopy() {
        MirrorCopy copy = new MirrorCopy("probes", false);
        assertThat(copy.is("source", topic(NONE, MARK))).isTrue();
        assertThat(copy.is("source", topic(NONE, Map.of()))).isFalse();
    }

    @Test
    void aCopyWithARecordOfSomebodyElseIsSharedUntilItIsMadeAnew() {
        MirrorCopy copy = new MirrorCopy("probes", true);
        assertThat(copy.isShared(topic(ID, Map.of()))).isFalse();
        copy.sawOtherRecord();
        assertThat(copy.isShared()).as("at once").isTrue();
        assertThat(copy.isShared(topic(ID, Map.of()))).isTrue();
        assertThat(copy.isShared(topic(ID, Map.of()))).isTrue();
        assertThat(copy.isShared(topic(OTHER, Map.of()))).isFalse();
        assertThat(copy.isShared()).isFalse();
    }
}
