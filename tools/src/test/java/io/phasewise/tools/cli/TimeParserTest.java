/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Points in time as people write them. */
class TimeParserTest {

    private final TimeParser times = new TimeParser(Instant.parse("2026-11-21T12:00:00Z"), ZoneId.of("Europe/Berlin"));

    @ParameterizedTest
    @CsvSource({
        "2026-11-01,             2026-10-31T23:00:00Z",
        "2026-07-01T08:00,       2026-07-01T06:00:00Z",
        "2026-07-01T08:00:00Z,   2026-07-01T08:00:00Z",
        "2026-07-01T08:00+05:00, 2026-07-01T03:00:00Z",
        "now,                    2026-11-21T12:00:00Z",
        "now-90m,                2026-11-21T10:30:00Z",
        "now-2w,                 2026-11-07T12:00:00Z"
    })
    void timesAreOfTheZoneUnlessTheySayAnotherAndCountFromNow(String text, Instant time) {
        assertThat(times.parse(text)).isEqualTo(time);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "yesterday", "now+1d", "now-1y", "2026-13-01", "T"})
    void anythingElseIsRefused(String text) {
        assertThatThrownBy(() -> times.parse(text)).isInstanceOf(DateTimeException.class);
    }
}
