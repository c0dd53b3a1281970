/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.phases;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Half the least round trip of the window. */
class OneWayDelayTest {
    /**
     * Round trips are {@code took} so long {@code at} an instant; {@code rise} is five of 180 from
     * 16 to 20. {@code delay} is asked for with the growth of the way out, where one is known.
     */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
                    unknown at first        | 100  | 100 | delay 0 - is 0; known 0 is false
                    the least of the window | 100  | 100 | took 80 at 0; took 60 at 50; took 90 at 60; delay 60 - is 30; delay 155 - is 45
                    a broker gone silent    | 100  | 100 | took 80 at 0; delay 1000 - is 40; known 1000 is false
                    and back again          | 100  | 100 | took 80 at 0; took 300 at 1000; delay 1000 - is 150; known 1000 is true
                    a rise, all of it back  | 1000 | 10  | took 100 at 0; rise; delay 20 0 is 130
                    some of it out          | 1000 | 10  | took 100 at 0; rise; delay 20 30 is 100
                    all of it out           | 1000 | 10  | took 100 at 0; rise; delay 20 80 is 50
                    queues too              | 1000 | 10  | took 100 at 0; rise; delay 20 500 is 50
                    it is not known which   | 1000 | 10  | took 100 at 0; rise; delay 20 - is 90
                    the clock has forgotten | 1000 | 10  | took 100 at 0; rise; forget 20; delay 20 0 is 90
                    four are no rise        | 1000 | 10  | took 100 at 0; took 180 at 20; took 180 at 40; took 180 at 60; took 180 at 80; delay 80 0 is 50
                    five are                | 1000 | 10  | took 100 at 0; took 180 at 20; took 180 at 40; took 180 at 60; took 180 at 80; took 180 at 100; delay 100 0 is 130
                    recently, none          | 1000 | 10  | recent 0 is none
                    recently, one is none   | 1000 | 10  | took 100 at 0; took 180 at 5; recent 5 is 100
                    recently, a rise        | 1000 | 10  | took 100 at 0; rise; recent 20 is 180; recent 3000 is none
                    """)
    void isToldByRoundTrips(String what, long window, long recently, String story) {
        OneWayDelay delay = new OneWayDelay(window, recently);
        for (String step : story.split("; ")) {
            String[] words = step.split(" ");
            long number = words.length > 1 ? Long.parseLong(words[1]) : 0;
            switch (words[0]) {
                case "took" -> delay.observe(Long.parseLong(words[3]), number);
                case "forget" -> delay.forgetBefore(number);
                case "rise" -> {
                    for (int at = 16; at <= 20; at++) {
                        delay.observe(at, 180);
                    }
                }
                case "delay" -> {
                    OptionalLong grown =
                            words[2].equals("-") ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(words[2]));
                    assertSays(step, delay.nanos(number, grown));
                }
                case "known" -> assertSays(step, delay.known(number));
                default -> {
                    OptionalLong recent = delay.recentRoundTripNanos(number);
                    assertSays(step, recent.isPresent() ? recent.getAsLong() : "none");
                }
            }
        }
    }

    private static void assertSays(String step, Object said) {
        assertThat(step).as("%s", said).endsWith(" is " + said);
    }
}
