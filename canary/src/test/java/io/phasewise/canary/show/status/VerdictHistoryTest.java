/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class VerdictHistoryTest {
    private static final long SECOND = 1_000_000_000;
    private static final long START = -7 * SECOND;
    private static final Duration FIVE_MINUTES = Duration.ofMinutes(5);
    private static final Duration HOUR = Duration.ofHours(1);

    private final VerdictHistory history = new VerdictHistory(START);

    @Test
    void aWindowLongerThanTheProcessIsAsLongAsIt() {
        run(20, 10, 1);

        assertThat(history.over(FIVE_MINUTES)).isEqualTo(new VerdictHistory.Verdicts(20, 200, 20, 10));
    }

    @Test
    void whatWasBeforeTheWindowDoesNotCount() {
        run(1_000, 0, 7);
        run(300, 10, 0);

        assertThat(history.over(FIVE_MINUTES)).isEqualTo(new VerdictHistory.Verdicts(300, 3_000, 0, 0));
        assertThat(history.over(HOUR)).isEqualTo(new VerdictHistory.Verdicts(1_300, 3_000, 7_000, 3_500));
    }

    @Test
    void afterManyHoursTheLastOneIsStillExact() {
        run(5 * 3_600, 3, 1);
        run(3_600, 2, 0);

        assertThat(history.over(HOUR)).isEqualTo(new VerdictHistory.Verdicts(3_600, 7_200, 0, 0));
    }

    @Test
    void betweenTwoStepsTheLatestCountsAreKnown() {
        assertThat(history.over(HOUR)).isEqualTo(new VerdictHistory.Verdicts(0, 0, 0, 0));
        run(10, 1, 0);
        history.record(now() + SECOND / 10, good + 5, bad, bad / 2);
        assertThat(history.over(HOUR).good()).isEqualTo(15);
    }

    private long seconds;
    private long good;
    private long bad;

    private long now() {
        return START + seconds * SECOND;
    }

    /** So many of each in every second. */
    private void run(int seconds, int good, int bad) {
        for (int i = 0; i < seconds; i++) {
            this.seconds++;
            this.good += good;
            this.bad += bad;
            history.record(now(), this.good, this.bad, this.bad / 2);
        }
    }
}
