/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.tools.cli;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a point in time as people write it. */
final class TimeParser {

    static final String ALLOWED = "2026-11-01, 2026-11-01T08:00, 2026-11-01T08:00:00Z, now, now-7d (m, h, d, w)";

    private static final Pattern RELATIVE = Pattern.compile("now(?:-(\\d{1,6})([mhdw]))?");
    private static final Map<String, Duration> UNITS = Map.of(
            "m", Duration.ofMinutes(1),
            "h", Duration.ofHours(1),
            "d", Duration.ofDays(1),
            "w", Duration.ofDays(7));

    private final Instant now;
    private final ZoneId zone;

    /**
     * @param zone of times that name none
     */
    TimeParser(Instant now, ZoneId zone) {
        this.now = now;
        this.zone = zone;
    }

    /** Reads the value of an option; empty where it is refused, which is then among the faults. */
    Optional<Instant> parse(String option, String text, List<String> faults) {
        try {
            return Optional.of(parse(text));
        } catch (DateTimeException e) {
            faults.add(option + ": '" + text + "'; allowed: " + ALLOWED);
            return Optional.empty();
        }
    }

    /**
     * Reads.
     *
     * @throws DateTimeException when it is none of {@link #ALLOWED}
     */
    Instant parse(String text) {
        Matcher relative = RELATIVE.matcher(text);
        if (relative.matches()) {
            return relative.group(1) == null
                    ? now
                    : now.minus(UNITS.get(relative.group(2)).multipliedBy(Long.parseLong(relative.group(1))));
        }
        if (text.indexOf('T') < 0) {
            return LocalDate.parse(text).atStartOfDay(zone).toInstant();
        }
        try {
            return LocalDateTime.parse(text).atZone(zone).toInstant();
        } catch (DateTimeException withOffset) {
            return OffsetDateTime.parse(text).toInstant();
        }
    }
}
