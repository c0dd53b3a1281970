/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.page;

import io.phasewise.report.stats.Estimate;
import io.phasewise.report.stats.Share;
import io.phasewise.report.stats.Trend;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/** Numbers as people read them. */
final class Words {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT);

    private static final int MONTH = 30;

    /** Growth whose interval reaches beyond this factor, or its inverse, tells nothing. */
    private static final double WILD = 20;

    private final ZoneId zone;

    Words(ZoneId zone) {
        this.zone = zone;
    }

    String time(Instant at) {
        return TIME.format(at.atZone(zone));
    }

    /** A latency with three digits that count, or that it is less than a microsecond. */
    static String latency(double seconds) {
        if (Double.isNaN(seconds)) {
            return "unknown";
        }
        if (Double.isInfinite(seconds)) {
            return "never (lost)";
        }
        if (seconds > 0 && seconds < Estimate.LEAST_SECONDS) {
            return "<0.001 ms";
        }
        return seconds >= 10 ? digits(seconds) + " s" : digits(1000 * seconds) + " ms";
    }

    /**
     * A number that somebody chose, in place of one that was measured: no zeros that tell nothing.
     */
    static String chosen(String number) {
        return number.replaceFirst("(\\.\\d*?)0+(?!\\d)", "$1").replaceFirst("\\.(?!\\d)", "");
    }

    /** What stands in place of an interval that is not known. */
    static final String UNKNOWN_INTERVAL = "[unknown]";

    /** The same with its interval, or that the interval is unknown. */
    static String latency(Estimate estimate) {
        if (Double.isNaN(estimate.value())) {
            return "no probes";
        }
        if (Double.isInfinite(estimate.value())) {
            return "never (lost)";
        }
        if (!estimate.enough()) {
            return latency(estimate.value()) + " " + UNKNOWN_INTERVAL;
        }
        String high = Double.isInfinite(estimate.high()) ? "lost" : latency(estimate.high());
        return interval(latency(estimate.value()), latency(estimate.low()), high);
    }

    /** A value and its interval; the unit stands once where all three have the same. */
    private static String interval(String value, String low, String high) {
        String unit = value.substring(value.indexOf(' '));
        String text = value + " [" + low + ", " + high + "]";
        return low.endsWith(unit) && (high.endsWith(unit) || high.equals("lost"))
                ? value + text.substring(value.length()).replace(unit, "")
                : text;
    }

    static String level(double p) {
        String text = String.format(Locale.ROOT, "%.4f", 100 * p);
        text = text.replaceAll("0+$", "").replaceAll("\\.$", "");
        return "p" + text;
    }

    static String percent(double share) {
        if (!Double.isFinite(share)) {
            return "unknown";
        }
        double percent = 100 * share;
        // 99.96 must not become 100, nor 0.04 nothing.
        double rest = Math.min(Math.abs(percent), Math.abs(100 - percent));
        int places = rest == 0 ? 0 : rest < 0.01 ? 4 : rest < 0.1 ? 3 : rest < 10 ? 2 : 1;
        return String.format(Locale.ROOT, "%." + places + "f %%", percent);
    }

    static String percent(Share share) {
        return percent(share.value())
                + " ["
                + percent(share.low()).replace(" %", "")
                + ", "
                + percent(share.high())
                + "]";
    }

    /** Bytes with three digits that count, in powers of 1000. */
    static String bytes(double bytes) {
        String[] units = {"B", "kB", "MB", "GB", "TB"};
        int unit = 0;
        double value = bytes;
        while (value >= 1000 && unit + 1 < units.length) {
            value /= 1000;
            unit++;
        }
        return digits(value) + " " + units[unit];
    }

    static String count(double count) {
        return String.format(Locale.ROOT, "%,.0f", count);
    }

    /** Growth in thirty days. */
    static String month(Trend trend) {
        if (trend.known()
                && (Math.pow(trend.high(), MONTH) > WILD
                        || Math.pow(trend.low(), MONTH) < 1 / WILD)) {
            return "too uncertain to say (" + trend.points() + " days that differ widely)";
        }
        return trend.known()
                ? signed(Math.pow(trend.factor(), MONTH) - 1)
                        + " in 30 days ["
                        + signed(Math.pow(trend.low(), MONTH) - 1).replace(" %", "")
                        + ", "
                        + signed(Math.pow(trend.high(), MONTH) - 1)
                        + "]"
                : "unknown ("
                        + trend.points()
                        + " whole days; "
                        + Trend.LEAST_WEEKS
                        + " whole weeks are needed)";
    }

    static String signed(double share) {
        double percent = 100 * share;
        if (Math.abs(percent) < 0.05) {
            return "0.0 %"; // no sign that tells nothing
        }
        return String.format(
                Locale.ROOT, Math.abs(percent) < 10 ? "%+.1f %%" : "%+,.0f %%", percent);
    }

    static String duration(Duration duration) {
        if (duration.toHours() >= 48) {
            long hours = duration.toHours() % 24;
            return duration.toDays() + " days" + (hours == 0 ? "" : " " + hours + " h");
        }
        if (duration.toMinutes() >= 60) {
            long minutes = duration.toMinutes() % 60;
            return duration.toHours() + " h" + (minutes == 0 ? "" : " " + minutes + " min");
        }
        return duration.toMinutes() + " min";
    }

    /** "a", "a or b", "a, b or c". */
    static String either(List<String> names) {
        return listed(names, " or ");
    }

    private static String listed(List<String> names, String last) {
        return names.size() < 2
                ? String.join("", names)
                : String.join(", ", names.subList(0, names.size() - 1))
                        + last
                        + names.get(names.size() - 1);
    }

    /** "a", "a and b", "a, b and c". */
    static String both(List<String> names) {
        return listed(names, " and ");
    }

    static String plural(long count, String one) {
        return count + " " + one + (count == 1 ? "" : "s");
    }

    /** Three digits that count, without an exponent. */
    static String digits(double value) {
        if (value == 0) {
            return "0";
        }
        int magnitude = (int) Math.floor(Math.log10(Math.abs(value)));
        int places = Math.max(0, Math.min(6, 2 - magnitude));
        return String.format(Locale.ROOT, "%,." + places + "f", value);
    }
}
