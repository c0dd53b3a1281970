/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.slow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SlowProbeLogTest {
    private static final long SECOND = 1_000_000_000L;

    private final List<String> out = new ArrayList<>();

    @Test
    void linesAreWrittenWhenFlushedAndNotBefore() {
        SlowProbeLog log = log(3);

        log.add(() -> "a", 0);
        assertThat(out).isEmpty();
        log.flush(0);
        log.flush(0);

        assertThat(out).containsExactly("a");
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

        assertThat(out)
                .containsExactly(
                        "line", "line", "58 more", "line", "line", "58 more", "line", "line");
    }

    @Test
    void theMinuteBeginsWithItsFirstLine() {
        SlowProbeLog log = log(1);
        log.add(() -> "a", 50 * SECOND);
        log.add(() -> "b", 70 * SECOND);
        log.flush(109 * SECOND);
        log.add(() -> "c", 110 * SECOND);
        log.flush(110 * SECOND);

        assertThat(out).containsExactly("a", "1 more", "c");
    }

    @Test
    void noneMeansNone() {
        SlowProbeLog log = log(0);
        log.add(() -> "a", 0);
        log.flush(100 * SECOND);

        assertThat(out).isEmpty();
    }

    private SlowProbeLog log(int perMinute) {
        return new SlowProbeLog(perMinute, count -> count + " more", out::add);
    }
}
