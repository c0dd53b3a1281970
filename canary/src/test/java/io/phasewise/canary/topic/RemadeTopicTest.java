/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.topic;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RemadeTopicTest {
    private static final long SETTLED = RemadeTopic.SETTLED.toNanos();

    private final RemadeTopic topic = new RemadeTopic();

    @Test
    void theFirstTopicThatIsSeenIsNotInQuestion() {
        assertThat(topic.isInQuestion("a", "", 0)).isFalse();
        assertThat(topic.isInQuestion("a", "", 1)).isFalse();
    }

    @Test
    void anotherOneOfTheNameIsUntilAllLooksHaveNamedItForAWhile() {
        topic.isInQuestion("a", "", 0);

        assertThat(topic.isInQuestion("b", "", 10)).isTrue();
        assertThat(topic.isInQuestion("b", "", 10 + SETTLED - 1)).isTrue();
        assertThat(topic.isInQuestion("b", "", 10 + SETTLED)).isFalse();
    }

    @Test
    void aBrokerThatStillNamesTheOldOneBeginsTheWaitAnew() {
        topic.isInQuestion("a", "", 0);
        topic.isInQuestion("b", "", 1);

        assertThat(topic.isInQuestion("a", "", 2)).isTrue();
        assertThat(topic.isInQuestion("b", "", SETTLED)).isTrue();
        assertThat(topic.isInQuestion("b", "", 2 * SETTLED - 1)).isTrue();
        assertThat(topic.isInQuestion("b", "", 2 * SETTLED)).isFalse();
    }

    @Test
    void oneThatThisProcessHasCreatedIsNot() {
        topic.isInQuestion("a", "", 0);

        assertThat(topic.isInQuestion("b", "b", 1)).isFalse();
    }
}
