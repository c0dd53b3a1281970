/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.ops.prediction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WindowLengthTest {

    private static List<Instant> at(long... millis) {
        return LongStream.of(millis).mapToObj(Instant::ofEpochMilli).toList();
    }

    private static Optional<Duration> every(double seconds) {
        return Optional.of(Duration.ofMillis(Math.round(1e3 * seconds)));
    }

    @Test
    void theIntervalIsTheUsualTimeBetweenScrapesOfTheSeriesThatHasFewest() {
        List<Instant> fast = at(0, 5_000, 10_003, 14_998, 60_000, 65_000);
        List<Instant> slow = at(0, 30_000, 60_000, 90_001);

        assertThat(WindowLength.interval(List.of(fast))).hasValue(Duration.ofMillis(5_000));
        assertThat(WindowLength.interval(List.of(fast, slow))).hasValue(Duration.ofMillis(30_000));
        assertThat(WindowLength.interval(List.of(at(0, 5_000)))).isEmpty();
        assertThat(WindowLength.interval(List.of())).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"2, 300", "5, 300", "15, 300", "15.001, 300", "30, 600", "60, 1200", "180, 3600", "300, 3600"})
    void theUsualWindowHasTwentyScrapes(double interval, int window) {
        assertThat(WindowLength.usual(every(interval))).isEqualTo(Duration.ofSeconds(window));
    }

    @Test
    void theUsualWindowIsFiveMinutesWhereTheIntervalIsNotKnown() {
        assertThat(WindowLength.usual(Optional.empty())).isEqualTo(Duration.ofMinutes(5));
        assertThatCode(() -> WindowLength.check(Duration.ofMinutes(1), Optional.empty()))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({"60, 5, 12, 120", "99, 5, 19, 120", "300, 30, 10, 600", "60, 15, 4, 300"})
    void aWindowWithFewerIsRefusedWithOneThatHasThem(int window, double interval, int scrapes, int better) {
        assertThatThrownBy(() -> WindowLength.check(Duration.ofSeconds(window), every(interval)))
                .isInstanceOf(InsufficientDataException.class)
                .hasMessage("window too short: %d scrapes, 20 needed. Try --window %d".formatted(scrapes, better));
        assertThatCode(() -> WindowLength.check(Duration.ofSeconds(better), every(interval)))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({"60, 2", "60, 3", "60, 3.001", "100, 5", "300, 15.002"})
    void aWindowWithTwentyScrapesIsTaken(int window, double interval) {
        assertThatCode(() -> WindowLength.check(Duration.ofSeconds(window), every(interval)))
                .doesNotThrowAnyException();
    }

    @Test
    void whereScrapesAreTooSeldomNoWindowIsAdvised() {
        assertThatThrownBy(() -> WindowLength.check(Duration.ofHours(1), every(300)))
                .hasMessage("window too short: 12 scrapes, 20 needed. The canary is scraped every 300 s, too seldom to"
                        + " predict anything: every 180 s is needed");
    }
}
