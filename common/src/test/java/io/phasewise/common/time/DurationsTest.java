/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Durations as texts, there and back. */
class DurationsTest {

    @ParameterizedTest
    @CsvSource({
        "250us, PT0.00025S, 250us",
        "0.5us, PT0.0000005S, 0.5us",
        "50ms, PT0.05S, 50ms",
        "50 ms, PT0.05S, 50ms",
        "1000ms, PT1S, 1s",
        "90s, PT1M30S, 90s",
        "1.5m, PT1M30S, 90s",
        "3600s, PT1H, 1h",
        "24h, PT24H, 24h"
    })
    void aTextIsReadAndWrittenInTheLargestUnitThatKeepsItWhole(String text, Duration duration, String shown) {
        assertThat(Durations.isDuration(text)).isTrue();
        assertThat(Durations.parse(text)).isEqualTo(duration);
        assertThat(Durations.show(duration)).isEqualTo(shown);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "s", "-1s", "1,5s", "1.s", ".5s", "1d", "1S", "PT1S", " 1s", "1s "})
    void whatIsNoDurationIsRefused(String text) {
        assertThat(Durations.isDuration(text)).isFalse();
        assertThatIllegalArgumentException().isThrownBy(() -> Durations.parse(text));
    }

    @Test
    void whatIsTooLongIsTheLongest() {
        assertThat(Durations.parse("99999999999999h")).isEqualTo(Duration.ofNanos(Long.MAX_VALUE));
    }
}
