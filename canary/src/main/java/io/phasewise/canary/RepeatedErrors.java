/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.slf4j.Marker;

/**
 * Lets the same error of the same Kafka client into the log at most once a minute: a client that
 * gets garbage for an answer logs a stack trace at each attempt, for as long as that lasts. {@code
 * logback.xml} names this class. All other lines pass.
 */
public final class RepeatedErrors extends TurboFilter {
    private static final long AGAIN_NANOS = Duration.ofMinutes(1).toNanos();

    /**
     * Lines remembered at most, more than there are clients. Then all are forgotten, and some lines
     * are logged again too early.
     */
    private static final int MOST = 1_000;

    private final LongSupplier nanoClock;
    private final Map<String, Long> last = new ConcurrentHashMap<>();

    /** For logback, which makes it by its name. */
    public RepeatedErrors() {
        this(System::nanoTime);
    }

    RepeatedErrors(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    @Override
    public FilterReply decide(
            Marker marker, Logger logger, Level level, String format, Object[] values, Throwable thrown) {
        if (format == null || level != Level.ERROR || !logger.getName().startsWith("org.apache.kafka.")) {
            return FilterReply.NEUTRAL;
        }
        long now = nanoClock.getAsLong();
        String line = logger.getName() + " " + format; // the format names the client
        Long before = last.get(line);
        if (before != null && now - before < AGAIN_NANOS) {
            return FilterReply.DENY;
        }
        if (last.size() >= MOST) {
            last.clear();
        }
        last.put(line, now);
        return FilterReply.NEUTRAL;
    }
}
