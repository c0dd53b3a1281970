/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.page;

import io.phasewise.report.document.Value;
import io.phasewise.report.load.Load;
import io.phasewise.report.load.Load.HeadroomEnd;
import io.phasewise.report.query.Form;
import io.phasewise.report.stats.Difference;
import io.phasewise.report.stats.Estimate;
import io.phasewise.report.stats.QueueCurve;
import io.phasewise.report.stats.Share;
import io.phasewise.report.stats.Trend;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Numbers as people read them. A no-break space holds a unit to its number. */
final class TextFormat {

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT);

    private static final int MONTH = 30;

    /** What is further away than this is given no date. */
    private static final double FAR_DAYS = 3650;

    private static final String NEVER = "never";

    /** Growth whose interval reaches beyond this factor, or below its inverse, is not shown. */
    private static final double WILD = 20;

    private final ZoneId zone;

    TextFormat(ZoneId zone) {
        this.zone = zone;
    }

    String time(Instant at) {
        return TIME.format(at.atZone(zone));
    }

    /**
     * A number and its unit.
     *
     * @param unit empty where there is none, and for words in place of a number
     */
    private record Quantity(String number, String unit) {

        /** A number that somebody chose, not one that was measured: no zeros that tell nothing. */
        String shortened() {
            if (number.indexOf('.') < 0) {
                return toString();
            }
            int end = number.length();
            while (number.charAt(end - 1) == '0') {
                end--;
            }
            if (number.charAt(end - 1) == '.') {
                end--;
            }
            return new Quantity(number.substring(0, end), unit).toString();
        }

        @Override
        public String toString() {
            return unit.isEmpty() ? number : number + "\u00a0" + unit;
        }
    }

    /** A latency with three significant digits; below a microsecond it only says so. */
    static String latency(double seconds) {
        return quantity(seconds).toString();
    }

    /** One that somebody chose. */
    static String chosenLatency(double seconds) {
        return quantity(seconds).shortened();
    }

    private static Quantity quantity(double seconds) {
        if (Double.isNaN(seconds)) {
            return new Quantity("unknown", "");
        }
        if (Double.isInfinite(seconds)) {
            return new Quantity("never (lost)", "");
        }
        if (seconds > 0 && seconds < Estimate.LEAST_SECONDS) {
            return new Quantity("<0.001", "ms");
        }
        return seconds >= 10 ? new Quantity(digits(seconds), "s") : new Quantity(digits(1000 * seconds), "ms");
    }

    /** A percentile with its interval, or that the interval is unknown. */
    static Value estimate(Estimate estimate) {
        if (Double.isNaN(estimate.value())) {
            return Value.of("no probes");
        }
        if (Double.isInfinite(estimate.value())) {
            return Value.of("never (lost)");
        }
        if (!estimate.enough()) {
            return new Value(latency(estimate.value()), "[unknown]");
        }
        Quantity high = Double.isInfinite(estimate.high()) ? new Quantity("lost", "") : quantity(estimate.high());
        return interval(quantity(estimate.value()), quantity(estimate.low()), high);
    }

    /** A value and its interval; the unit stands once where all three have the same. */
    private static Value interval(Quantity value, Quantity low, Quantity high) {
        boolean once = low.unit().equals(value.unit())
                && (high.unit().equals(value.unit()) || high.unit().isEmpty());
        return new Value(
                value.toString(),
                once ? "[%s, %s]".formatted(low.number(), high.number()) : "[%s, %s]".formatted(low, high));
    }

    static String level(double p) {
        return "p" + new Quantity(String.format(Locale.ROOT, "%.4f", 100 * p), "").shortened();
    }

    static String percent(double share) {
        return share(share).toString();
    }

    /** One that somebody chose. */
    static String chosenPercent(double share) {
        return share(share).shortened();
    }

    private static Quantity share(double share) {
        if (!Double.isFinite(share)) {
            return new Quantity("unknown", "");
        }
        double percent = 100 * share;
        // 99.96 must not become 100, nor 0.04 nothing.
        double rest = Math.min(Math.abs(percent), Math.abs(100 - percent));
        int places = rest == 0 ? 0 : rest < 0.01 ? 4 : rest < 0.1 ? 3 : rest < 10 ? 2 : 1;
        return new Quantity(String.format(Locale.ROOT, "%." + places + "f", percent), "%");
    }

    static Value percent(Share share) {
        return between(percent(share.value()), share(share.low()), percent(share.high()));
    }

    /** An interval of which only the end has a unit, as it is that of all three. */
    private static Value between(String value, Quantity low, String high) {
        return new Value(value, "[%s, %s]".formatted(low.number(), high));
    }

    /** Bytes with three significant digits, in powers of 1000. */
    static String bytes(double bytes) {
        String[] units = {"B", "kB", "MB", "GB", "TB"};
        int unit = 0;
        double value = bytes;
        while (value >= 1000 && unit + 1 < units.length) {
            value /= 1000;
            unit++;
        }
        return new Quantity(digits(value), units[unit]).toString();
    }

    static String count(double count) {
        return Double.isNaN(count) ? "unknown" : String.format(Locale.ROOT, "%,.0f", count);
    }

    /** Growth in thirty days. */
    static Value month(Trend trend) {
        if (!trend.known()) {
            return Value.of(
                    "unknown (%d whole days; %d whole weeks are needed)".formatted(trend.points(), Trend.LEAST_WEEKS));
        }
        double low = Math.pow(trend.low(), MONTH);
        double high = Math.pow(trend.high(), MONTH);
        if (high > WILD || low < 1 / WILD) {
            return Value.of("too uncertain to say (%d\u00a0days that differ widely)".formatted(trend.points()));
        }
        String value = signed(Math.pow(trend.factor(), MONTH) - 1) + " in 30\u00a0days";
        return between(value, change(low - 1), signed(high - 1));
    }

    /** Growth by a factor, in per cent. */
    static String growth(double factor) {
        return signed(factor - 1);
    }

    static Value change(Difference difference) {
        return between(growth(difference.factor()), change(difference.low() - 1), growth(difference.high()));
    }

    static String signed(double share) {
        return change(share).toString();
    }

    private static Quantity change(double share) {
        double percent = 100 * share;
        if (Math.abs(percent) < 0.05) {
            return new Quantity("0.0", "%"); // no sign that tells nothing
        }
        return new Quantity(String.format(Locale.ROOT, Math.abs(percent) < 10 ? "%+.1f" : "%+,.0f", percent), "%");
    }

    static String duration(Duration duration) {
        if (duration.toHours() >= 48) {
            return duration(duration.toDays(), "days", duration.toHours() % 24, "h");
        }
        return duration.toMinutes() >= 60
                ? duration(duration.toHours(), "h", duration.toMinutes() % 60, "min")
                : duration(duration.toMinutes(), "min", 0, "");
    }

    private static String duration(long whole, String unit, long rest, String smaller) {
        String text = whole + "\u00a0" + unit;
        return rest == 0 ? text : text + " " + rest + "\u00a0" + smaller;
    }

    /**
     * A number, and the name of what is counted.
     *
     * @param one its name, whose plural ends in s
     */
    static String plural(double count, String one) {
        return Double.isNaN(count)
                ? "an unknown number of " + one + "s"
                : count(count) + " " + one + (count == 1 ? "" : "s");
    }

    /**
     * @param unit B or none; a second, where it ends in /s
     */
    static String amount(double value, String unit) {
        return Double.isNaN(value)
                ? "unknown"
                : (unit.startsWith("B") ? bytes(value) : digits(value)) + unit.replace("B", "");
    }

    /** By which factor load could grow. */
    static String factor(Load load) {
        if (!Double.isFinite(load.headroom())) {
            return "by an unknown factor";
        }
        String by = load.atLeast() ? "by a factor of at least " : "by a factor of ";
        return load.headroom() <= 1 ? "no more" : by + digits(load.headroom());
    }

    static Value slope(QueueCurve curve) {
        return Double.isNaN(curve.slopeLow())
                ? new Value(latency(curve.slope()), "[unknown]")
                : interval(quantity(curve.slope()), quantity(curve.slopeLow()), quantity(curve.slopeHigh()));
    }

    /** The utilisation at which p99 would break the target. */
    static Value limit(Load load) {
        double farthest = load.p99().farthest();
        return between(
                percent(load.limit().value()),
                share(load.limit().low()),
                load.limit().high() > farthest
                        ? "above " + percent(farthest)
                        : percent(load.limit().high()));
    }

    /** Whether something is too many days away to have a date. */
    static boolean far(double days) {
        return !(days <= FAR_DAYS);
    }

    /** A day so many days later, or that there is none. */
    String date(double days, Instant from) {
        return far(days)
                ? NEVER
                : time(from.plus(Duration.ofHours(Math.round(24 * days)))).substring(0, 10);
    }

    /** The ends of the interval of when headroom ends, where one of them is a date. */
    String between(HeadroomEnd end, Instant from) {
        String earliest = date(end.earliest(), from);
        String latest = date(end.latest(), from);
        return earliest.equals(NEVER) && latest.equals(NEVER) ? "" : " (between %s and %s)".formatted(earliest, latest);
    }

    static String form(Form form) {
        return (form.isNative() ? "native, about 1\u00a0% wide" : "classic, about 26\u00a0% wide")
                + (form.recorded() ? "; rates of five minutes as the rules record them" : "; as scraped");
    }

    /** Three significant digits, without an exponent. */
    static String digits(double value) {
        if (value == 0) {
            return "0";
        }
        int magnitude = (int) Math.floor(Math.log10(Math.abs(value)));
        int places = Math.max(0, Math.min(6, 2 - magnitude));
        return String.format(Locale.ROOT, "%,." + places + "f", value);
    }
}
