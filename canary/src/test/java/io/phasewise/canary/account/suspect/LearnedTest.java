/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.account.suspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.phasewise.canary.account.Account;
import io.phasewise.common.phase.Phase;
import io.phasewise.common.phase.Role;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is usual of network and canary comes from the last twenty minutes. */
class LearnedTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    private final Learned learned = new Learned();
    private Instant now = NOW;
    private boolean hasExcess;

    private static Account waits(double publish, double fetch) {
        return new Account.Builder()
                .add(Phase.PUBLISH, 1, Role.NETWORK, Math.round(publish * 1e9))
                .add(Phase.FETCH, 1, Role.NETWORK, Math.round(fetch * 1e9))
                .add(Phase.PUBLISH, 1, Role.HANDLERS, 5_000_000_000L)
                .build();
    }

    private void minute(int probes, double publish, double fetch) {
        Tally tally = new Tally();
        IntStream.range(0, probes).forEach(i -> tally.add(waits(publish, fetch), 0));
        learned.add(1, tally, hasExcess);
        now = now.plusSeconds(60);
        learned.minute(now);
    }

    @Test
    void nothingIsUsualBeforeTwentyMinutes() {
        for (int i = 0; i < 19; i++) {
            minute(10, 0.02, 0.03);
        }
        assertThat(learned.usual(1, 1, Role.NETWORK, true)).isEmpty();
        minute(10, 0.02, 0.03);
        Learned.Wait usual = learned.usual(1, 1, Role.NETWORK, true).orElseThrow();
        assertThat(usual.seconds()).isCloseTo(0.05 * 1.5 + 0.01, within(1e-9));
        assertThat(usual.phases()[Phase.PUBLISH.ordinal()]).isCloseTo(0.02, within(1e-9));
        assertThat(usual.phases()[Phase.FETCH.ordinal()]).isCloseTo(0.03, within(1e-9));
        assertThat(learned.usual(2, 1, Role.NETWORK, true)).as("another leader").isEmpty();
    }

    @Test
    void ofAPairThatFewerThanSixteenMinutesKnewNothingIsUsual() {
        for (int i = 0; i < 20; i++) {
            minute(10, 0.02, 0.03);
        }
        assertThat(learned.usual(1, 7, Role.NETWORK, true)).isEmpty();
        for (int i = 0; i < 15; i++) {
            minuteBehind(7, 0.5);
        }
        assertThat(learned.usual(1, 7, Role.NETWORK, true)).isEmpty();
        minuteBehind(7, 0.5);
        assertThat(learned.usual(1, 7, Role.NETWORK, true).orElseThrow().seconds())
                .isCloseTo(0.76, within(1e-9));
    }

    private void minuteBehind(int broker, double seconds) {
        Account account = new Account.Builder()
                .add(Phase.COMMIT, broker, Role.NETWORK, Math.round(seconds * 1e9))
                .add(Phase.PUBLISH, 1, Role.HANDLERS, 1)
                .build();
        minuteOf(account);
    }

    private void minuteOf(Account account) {
        Tally tally = new Tally();
        IntStream.range(0, 10).forEach(i -> tally.add(account, 0));
        learned.add(1, tally, hasExcess);
        now = now.plusSeconds(60);
        learned.minute(now);
    }

    /** Without marks only a part of the network's time is known: less than what marks tell. */
    @Test
    void minutesWithoutMarksDoNotSayWhatIsUsualWithMarks() {
        for (int i = 0; i < 20; i++) {
            minuteOf(new Account.Builder()
                    .add(Phase.PUBLISH, 1, Role.NETWORK, 1_000_000)
                    .build());
        }
        assertThat(learned.usual(1, 1, Role.NETWORK, false)).isPresent();
        assertThat(learned.usual(1, 1, Role.NETWORK, true)).isEmpty();
        assertThat(learned.isMarked(1)).isFalse();
        for (int i = 0; i < 16; i++) {
            minute(10, 0.02, 0.03);
        }
        assertThat(learned.usual(1, 1, Role.NETWORK, true)).isPresent();
        assertThat(learned.usual(1, 1, Role.NETWORK, false)).isEmpty();
        assertThat(learned.isMarked(1)).isTrue();
    }

    @Test
    void aFaultOfFourteenMinutesIsNotLearnedAndALastingChangeIs() {
        for (int i = 0; i < 20; i++) {
            minute(10, 0.02, 0);
        }
        for (int i = 0; i < 14; i++) {
            minute(10, 3, 0);
        }
        assertThat(learned.usual(1, 1, Role.NETWORK, true).orElseThrow().seconds())
                .isCloseTo(0.04, within(1e-9));
        minute(10, 3, 0);
        minute(10, 3, 0);
        assertThat(learned.usual(1, 1, Role.NETWORK, true).orElseThrow().seconds())
                .isCloseTo(4.51, within(1e-9));
    }

    @Test
    void aMinuteGoesOnUntilItHasTenProbes() {
        for (int i = 0; i < 20; i++) {
            minute(5, 0.02, 0);
        }
        assertThat(learned.minutes(1)).isEqualTo(10);
    }

    @Test
    void minutesOfAnEarlierProcessCountForADay() {
        List<Learned.Minute> earlier = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            double[] seconds = {0, 0.02, 0, 0, 0};
            earlier.add(new Learned.Minute(
                    true, 1, NOW.minusSeconds(60L * i), List.of(new Learned.Mean(1, Role.NETWORK, seconds))));
        }
        learned.restore(earlier, NOW.plus(Duration.ofDays(1)).minusSeconds(60 * 19));
        assertThat(learned.minutes(1)).isEqualTo(20);

        Learned other = new Learned();
        other.restore(earlier, NOW.plus(Duration.ofDays(1)).minusSeconds(60 * 18));
        assertThat(other.minutes(1)).as("the oldest one is more than a day old").isEqualTo(19);

        Learned early = new Learned();
        early.restore(earlier, NOW.minusSeconds(60 * 10));
        assertThat(early.minutes(1)).as("the later ones lie in the future").isEqualTo(10);
    }

    @Test
    void ownMinutesAreLaterThanThoseOfAnEarlierProcess() {
        for (int i = 0; i < 5; i++) {
            minute(10, 0.5, 0);
        }
        List<Learned.Minute> earlier = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            earlier.add(new Learned.Minute(true, 1, NOW.minusSeconds(i), List.of()));
        }
        learned.restore(earlier, now);

        List<Learned.Minute> all = learned.minutes();
        assertThat(all).hasSize(20);
        assertThat(all.subList(15, 20)).allMatch(minute -> minute.at().isAfter(NOW));
        assertThat(all.subList(0, 15)).allMatch(minute -> !minute.at().isAfter(NOW));
    }

    @Test
    void aLeaderIsForgottenADayAfterItsLastProbe() {
        minute(10, 0.02, 0);
        learned.minute(now.plus(Learned.OLDEST));
        assertThat(learned.minutes()).hasSize(1);
        learned.minute(now.plus(Learned.OLDEST).plusSeconds(1));
        assertThat(learned.minutes()).isEmpty();
    }

    private double usualSeconds() {
        return learned.usual(1, 1, Role.NETWORK, true).orElseThrow().seconds();
    }

    @Test
    void minutesWithExcessAreNotLearnedUntilWhatIsUsualIsTwentyThreeHoursOld() {
        for (int i = 0; i < 20; i++) {
            minute(10, 0.02, 0);
        }
        hasExcess = true;
        for (int i = 0; i < 23 * 60 - 19 + 15; i++) {
            minute(10, 3, 0);
        }
        assertThat(usualSeconds()).isCloseTo(0.04, within(1e-9));
        minute(10, 3, 0);
        assertThat(usualSeconds()).as("a lasting change").isCloseTo(4.51, within(1e-9));
        assertThat(learned.minutes(1)).isEqualTo(Learned.MINUTES);
    }

    @Test
    void whatComesAfterAnExcessIsLearned() {
        for (int i = 0; i < 20; i++) {
            minute(10, 0.02, 0);
        }
        hasExcess = true;
        minute(4, 3, 0);
        hasExcess = false;
        minute(6, 3, 0);
        for (int i = 0; i < 15; i++) {
            minute(10, 0.04, 0);
        }
        assertThat(usualSeconds()).as("a minute of two parts is one").isCloseTo(0.04, within(1e-9));
        minute(10, 0.04, 0);
        assertThat(usualSeconds()).isCloseTo(0.07, within(1e-9));
    }
}
