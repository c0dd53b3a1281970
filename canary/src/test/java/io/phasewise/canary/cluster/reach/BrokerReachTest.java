/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster.reach;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Set;
import org.apache.kafka.common.Node;
import org.junit.jupiter.api.Test;

class BrokerReachTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final Node SEVEN = new Node(7, "kafka-7.example", 24211);

    private final BrokerReach reach = new BrokerReach();

    @Test
    void nothingIsKnownOfABrokerThatWasNotAsked() {
        assertThat(reach.isReachable(7, 0)).isEmpty();
        assertThat(reach.failure(7, 0)).isEmpty();
    }

    @Test
    void aBrokerThatNeverAnswersIsUnreachableAfterFifteenSeconds() {
        reach.failed(SEVEN, SECOND, "unknown host");
        reach.failed(SEVEN, 15 * SECOND, "unknown host");

        assertThat(reach.isReachable(7, 16 * SECOND - 1)).isEmpty();
        assertThat(reach.failure(7, 16 * SECOND - 1)).isEmpty();
        assertThat(reach.isReachable(7, 16 * SECOND)).contains(false);
        assertThat(reach.failure(7, 16 * SECOND)).contains("kafka-7.example:24211: unknown host");
    }

    @Test
    void theReasonIsTheLatest() {
        reach.failed(SEVEN, 0, "unknown host");
        reach.failed(SEVEN, SECOND, "no answer");

        assertThat(reach.failure(7, 15 * SECOND)).contains("kafka-7.example:24211: no answer");
    }

    @Test
    void aBrokerThatAnsweredCountsAsReachableUntilItHasFailedForLong() {
        reach.answered(7, 0);
        reach.failed(SEVEN, SECOND, "no answer");

        assertThat(reach.isReachable(7, 15 * SECOND - 1)).contains(true);
        assertThat(reach.isReachable(7, 15 * SECOND)).contains(false);

        reach.answered(7, 16 * SECOND);
        assertThat(reach.isReachable(7, 100 * SECOND))
                .as("nothing failed since")
                .contains(true);
        assertThat(reach.failure(7, 100 * SECOND)).isEmpty();
    }

    @Test
    void aBrokerThatIsNotAskedAnyMoreIsForgotten() {
        reach.failed(SEVEN, 0, "unknown host");
        reach.retain(Set.of(1, 2));

        assertThat(reach.isReachable(7, 100 * SECOND)).isEmpty();
    }
}
