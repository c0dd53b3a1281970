/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.probe.ledger.LeaderCounts;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReaderWatchTest {
    private static final long SECOND = 1_000_000_000L;

    private final ReaderWatch watch = new ReaderWatch(Duration.ofSeconds(60), 0);

    @Test
    void losingProbesOfABrokerThatLeadsMeansReadingFromTheWrongPlace() {
        watch.update(List.of(1), Set.of(), lost(0), 60 * SECOND);

        assertThat(watch.update(List.of(1), Set.of(), lost(5), 65 * SECOND)).isTrue();
    }

    @Test
    void aBrokerThatDoesNotLeadLosesProbesForAnotherReason() {
        watch.update(List.of(), Set.of(), lost(0), 60 * SECOND);

        assertThat(watch.update(List.of(), Set.of(), lost(5), 65 * SECOND)).isFalse();
    }

    @Test
    void aBrokerWhoseProbesComeRoundAgainIsLeftAlone() {
        watch.update(List.of(1), Set.of(), lost(0), 60 * SECOND);

        assertThat(watch.update(List.of(1), Set.of(1), lost(5), 65 * SECOND)).isFalse();
    }

    @Test
    void lossesOfTheFirstLookOrOfOldDoNotCount() {
        assertThat(watch.update(List.of(1), Set.of(), lost(5), 60 * SECOND)).isFalse();
        assertThat(watch.update(List.of(1), Set.of(), lost(5), 65 * SECOND)).isFalse();
    }

    @Test
    void aNewConsumerGetsTheLossHorizonToProveItself() {
        watch.update(List.of(1), Set.of(), lost(0), 60 * SECOND);
        watch.update(List.of(1), Set.of(), lost(5), 65 * SECOND);

        assertThat(watch.update(List.of(1), Set.of(), lost(9), 124 * SECOND)).isFalse();
        assertThat(watch.update(List.of(1), Set.of(), lost(12), 126 * SECOND)).isTrue();
    }

    @Test
    void replacingLastsFromTheFirstReplacementUntilNothingGotLostForAWhile() {
        watch.update(List.of(1), Set.of(), lost(0), 60 * SECOND);
        assertThat(watch.problem(false)).isEmpty();
        watch.update(List.of(1), Set.of(), lost(5), 65 * SECOND);
        assertThat(watch.problem(false)).isPresent();

        watch.update(List.of(1), Set.of(), lost(5), 70 * SECOND);
        watch.update(List.of(1), Set.of(), lost(6), 100 * SECOND);
        watch.update(List.of(1), Set.of(1), lost(6), 159 * SECOND);
        assertThat(watch.problem(false)).isPresent();

        watch.update(List.of(1), Set.of(1), lost(6), 160 * SECOND);
        assertThat(watch.problem(false)).isEmpty();
    }

    private static List<LeaderCounts> lost(long lost) {
        LeaderCounts.Outcomes outcomes = new LeaderCounts.Outcomes(0, 0, lost, 0);
        LeaderCounts.Verdicts verdicts = new LeaderCounts.Verdicts(0, lost, 0);
        return List.of(
                new LeaderCounts(1, lost, outcomes, 0, 0, 0, 0, 0, verdicts, OptionalLong.empty()));
    }
}
