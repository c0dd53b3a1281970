/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StuckMirrorDetectorTest {
    /** How far the source and the target are, and when; {@code !} where nothing is mirrored. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
                    what grows on one side only | 100 90 0; 120 90 5; 140 90 10; 160 90 11 !; 180 90 12 !
                    one record ends it          | 100 90 0; 120 90 5; 160 90 20 !; 200 91 25; 220 91 30; 240 91 36 !
                    no growth, nothing to do    | 100 90 0; 100 90 1000
                    a topic made anew moves     | 100 90 0; 160 90 5; 200 3 20
                    """)
    void tellsThatNothingIsMirroredAnyMore(String what, String looks) {
        StuckMirrorDetector detector = new StuckMirrorDetector(Duration.ofSeconds(6));
        for (String look : looks.split("; ")) {
            String[] of = look.split(" ");
            long now = TimeUnit.SECONDS.toNanos(Long.parseLong(of[2]));
            assertThat(detector.update(Long.parseLong(of[0]), Long.parseLong(of[1]), now))
                    .as(look)
                    .isEqualTo(look.endsWith("!"));
        }
    }
}
