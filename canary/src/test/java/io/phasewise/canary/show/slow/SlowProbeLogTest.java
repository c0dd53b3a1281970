/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.slow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlowProbeLogTest {
    private static final long SECOND = 1_000_000_000L;

    private final List<String> out = new ArrayList<>();

    /** Lines are added, or flushed, at a second. */
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "not before they are flushed,           3, a@0, ''",
        "and then once,                         3, a@0 flush@0 flush@0, a",
        "the minute begins with its first line, 1, a@50 b@70 flush@109 c@110 flush@110, a 1 more c",
        "none means none,                       0, a@0 flush@100, ''"
    })
    void linesAreWritten(String what, int perMinute, String story, String lines) {
        SlowProbeLog log = log(perMinute);
        for (String step : story.split(" ")) {
            String[] at = step.split("@");
            long now = Long.parseLong(at[1]) * SECOND;
            if (at[0].equals("flush")) {
                log.flush(now);
            } else {
                log.add(() -> at[0], now);
            }
        }
        assertThat(String.join(" ", out)).isEqualTo(lines);
    }

    @Test
    void whatGoesBeyondTheMinutesShareIsCountedAndTheNumberToldOnce() {
        SlowProbeLog log = log(2);
        for (int i = 0; i < 100_000; i++) {
            String line = "line " + i;
            log.add(() -> line, i * 100_000L);
        }
        log.flush(59 * SECOND);
        assertThat(out).containsExactly("line 0", "line 1");

        log.flush(60 * SECOND);
        log.flush(200 * SECOND);

        assertThat(out).containsExactly("line 0", "line 1", "99998 more");
    }

    @Test
    void inALongOutageEachMinuteHasItsShareAndOneLineMore() {
        SlowProbeLog log = log(2);
        for (int second = 0; second < 180; second++) {
            log.add(() -> "line", second * SECOND);
            log.flush(second * SECOND);
        }

        assertThat(out).containsExactly("line", "line", "58 more", "line", "line", "58 more", "line", "line");
    }

    private SlowProbeLog log(int perMinute) {
        return new SlowProbeLog(perMinute, count -> count + " more", out::add);
    }
}
