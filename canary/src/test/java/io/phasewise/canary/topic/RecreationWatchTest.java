/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.topic;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RecreationWatchTest {
    private static final long LONGEST_LAG = RecreationWatch.LONGEST_LAG.toNanos();

    private final RecreationWatch topic = new RecreationWatch();

    @Test
    void theFirstTopicThatIsSeenIsNotInQuestion() {
        assertThat(topic.isInQuestion("a", "", 0)).isFalse();
        assertThat(topic.isInQuestion("a", "", 1)).isFalse();
    }

    @Test
    void anotherOneOfTheNameIsUntilAllLooksHaveNamedItForAWhile() {
        topic.isInQuestion("a", "", 0);

        assertThat(topic.isInQuestion("b", "", 10)).isTrue();
        assertThat(topic.isInQuestion("b", "", 10 + LONGEST_LAG - 1)).isTrue();
        assertThat(topic.isInQuestion("b", "", 10 + LONGEST_LAG)).isFalse();
    }

    @Test
    void aBrokerThatStillNamesTheOldOneBeginsTheWaitAnew() {
        topic.isInQuestion("a", "", 0);
        topic.isInQuestion("b", "", 1);

        assertThat(topic.isInQuestion("a", "", 2)).isTrue();
        assertThat(topic.isInQuestion("b", "", LONGEST_LAG)).isTrue();
        assertThat(topic.isInQuestion("b", "", 2 * LONGEST_LAG - 1)).isTrue();
        assertThat(topic.isInQuestion("b", "", 2 * LONGEST_LAG)).isFalse();
    }

    @Test
    void oneThatThisProcessHasCreatedIsNot() {
        topic.isInQuestion("a", "", 0);

        assertThat(topic.isInQuestion("b", "b", 1)).isFalse();
    }
}
