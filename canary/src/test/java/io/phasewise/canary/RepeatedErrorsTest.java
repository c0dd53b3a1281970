/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary;

import static ch.qos.logback.core.spi.FilterReply.DENY;
import static ch.qos.logback.core.spi.FilterReply.NEUTRAL;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.spi.FilterReply;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RepeatedErrorsTest {
    private static final String SENDER = "org.apache.kafka.clients.producer.internals.Sender";

    private final AtomicLong now = new AtomicLong();
    private final RepeatedErrors filter = new RepeatedErrors(now::get);

    private FilterReply decide(String logger, Level level, String format) {
        return filter.decide(null, new LoggerContext().getLogger(logger), level, format, null, null);
    }

    @Test
    void theSameErrorOfTheSameClientPassesOnceAMinute() {
        assertThat(decide(SENDER, Level.ERROR, "[one] broken")).isEqualTo(NEUTRAL);
        now.set(Duration.ofSeconds(59).toNanos());
        assertThat(decide(SENDER, Level.ERROR, "[one] broken")).isEqualTo(DENY);
        assertThat(decide(SENDER, Level.ERROR, "[two] broken")).isEqualTo(NEUTRAL);
        now.set(Duration.ofSeconds(60).toNanos());
        assertThat(decide(SENDER, Level.ERROR, "[one] broken")).isEqualTo(NEUTRAL);
    }

    @Test
    void allElsePassesAlways() {
        for (int i = 0; i < 2; i++) {
            assertThat(decide("io.phasewise.canary.Main", Level.ERROR, "broken"))
                    .isEqualTo(NEUTRAL);
            assertThat(decide(SENDER, Level.WARN, "broken")).isEqualTo(NEUTRAL);
            assertThat(decide(SENDER, Level.ERROR, null)).isEqualTo(NEUTRAL);
        }
    }
}
