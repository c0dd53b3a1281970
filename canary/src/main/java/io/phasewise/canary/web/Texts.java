/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.web;

import io.phasewise.canary.status.VerdictHistory;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/**
 * Writes numbers as the page shows them; page.js has the same formats, and a test compares the two.
 */
final class Texts {
    /** Where there is no number. */
    static final String NONE = "–";

    private Texts() {}

    /** Three digits that matter, in milliseconds, without the unit; {@link #NONE} of NaN. */
    static String ms(double seconds) {
        if (Double.isNaN(seconds)) {
            return NONE;
        }
        double ms = seconds * 1000;
        return fixed(ms, ms >= 100 ? 0 : ms >= 10 ? 1 : 2);
    }

    static String count(long n) {
        return String.format(Locale.ROOT, "%,d", n);
    }

    /** The good ones' share, rounded down: nothing but all is 100 %. */
    static String share(VerdictHistory.Verdicts verdicts) {
        if (verdicts.judged() == 0) {
            return NONE;
        }
        return verdicts.bad() == 0
                ? "100 %"
                : fixed(Math.floor(verdicts.good() * 1e5 / verdicts.judged()) / 1e3, 3) + " %";
    }

    static String burnRate(double rate) {
        return Double.isNaN(rate) ? NONE : fixed(rate, rate >= 10 ? 0 : 2);
    }

    /** Six digits at most, without zeroes that say nothing. */
    static String plain(double value) {
        return new BigDecimal(value)
                .round(new MathContext(6, RoundingMode.HALF_UP))
                .stripTrailingZeros()
                .toPlainString();
    }

    static String span(double seconds) {
        long whole = (long) Math.floor(seconds);
        if (seconds < 120) {
            return whole + " s";
        }
        return seconds < 7200 ? whole / 60 + " min" : whole / 3600 + " h";
    }

    static String ago(Instant then, Instant now) {
        return span(Duration.between(then, now).toMillis() / 1e3) + " ago";
    }

    /** Hours, minutes, seconds, UTC. */
    static String clock(Instant instant) {
        return instant.toString().substring(11, 19);
    }

    /** Rounds as JavaScript's toFixed does: by the binary value, halves up. */
    private static String fixed(double value, int digits) {
        return new BigDecimal(value).setScale(digits, RoundingMode.HALF_UP).toPlainString();
    }

    /** Text for HTML, in elements and in quoted attributes. */
    static String escape(String text) {
        StringBuilder safe = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '&' -> safe.append("&amp;");
                case '<' -> safe.append("&lt;");
                case '>' -> safe.append("&gt;");
                case '"' -> safe.append("&quot;");
                case '\'' -> safe.append("&#39;");
                default -> safe.append(c);
            }
        }
        return safe.toString();
    }
}
