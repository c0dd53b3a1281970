/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

/** Points in time as people write them. */
class TimeParserTest {

    private final TimeParser times =
            new TimeParser(Instant.parse("2026-11-21T12:00:00Z"), ZoneId.of("Europe/Berlin"));

    @Test
    void datesAndTimesAreOfTheZone() {
        assertThat(times.parse("2026-11-01")).isEqualTo("2026-10-31T23:00:00Z");
        assertThat(times.parse("2026-07-01T08:00")).isEqualTo("2026-07-01T06:00:00Z");
        assertThat(times.parse("2026-07-01T08:00:00Z")).isEqualTo("2026-07-01T08:00:00Z");
        assertThat(times.parse("2026-07-01T08:00+05:00")).isEqualTo("2026-07-01T03:00:00Z");
    }

    @Test
    void relativeTimesCountFromNow() {
        assertThat(times.parse("now")).isEqualTo("2026-11-21T12:00:00Z");
        assertThat(times.parse("now-90m")).isEqualTo("2026-11-21T10:30:00Z");
        assertThat(times.parse("now-2w")).isEqualTo("2026-11-07T12:00:00Z");
    }

    @Test
    void anythingElseIsRefused() {
        for (String text : new String[] {"", "yesterday", "now+1d", "now-1y", "2026-13-01", "T"}) {
            assertThatThrownBy(() -> times.parse(text))
                    .as(text)
                    .isInstanceOf(DateTimeException.class);
        }
    }
}
