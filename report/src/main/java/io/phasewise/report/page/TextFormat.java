/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.page;

import static java.util.Map.entry;

import io.pebbletemplates.pebble.extension.AbstractExtension;
import io.pebbletemplates.pebble.extension.Filter;
import io.pebbletemplates.pebble.extension.escaper.SafeString;
import io.pebbletemplates.pebble.template.EvaluationContext;
import io.pebbletemplates.pebble.template.PebbleTemplate;
import io.phasewise.report.review.Form;
import io.phasewise.report.review.Load;
import io.phasewise.report.review.Load.HeadroomEnd;
import io.phasewise.report.review.Review;
import io.phasewise.report.stats.Difference;
import io.phasewise.report.stats.Estimate;
import io.phasewise.report.stats.QueueCurve;
import io.phasewise.report.stats.Share;
import io.phasewise.report.stats.Trend;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.DoubleFunction;
import java.util.function.Function;

/** Numbers as people read them; the filters of the templates. */
final class TextFormat extends AbstractExtension {

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT);

    private static final int MONTH = 30;

    /** What is further away has no date. */
    private static final double FAR_DAYS = 3650;

    private static final String NEVER = "never";

    /** Growth whose interval reaches beyond this factor, or its inverse, tells nothing. */
    private static final double WILD = 20;

    private final ZoneId zone;

    TextFormat(ZoneId zone) {
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
    static String shortened(String number) {
        return number.replaceFirst("(\\.\\d*?)0+(?!\\d)", "$1").replaceFirst("\\.(?!\\d)", "");
    }

    /** The same with its interval, or that the interval is unknown. */
    static String latency(Estimate estimate) {
        if (Double.isNaN(estimate.value())) {
            return "no probes";
        }
        if (Double.isInfinite(estimate.value())) {
            return "never (lost)";
        }
        if (!estimate.enough()) {
            return latency(estimate.value()) + " [unknown]";
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
        return "p" + shortened(String.format(Locale.ROOT, "%.4f", 100 * p));
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
        return between(percent(share.value()), percent(share.low()), percent(share.high()));
    }

    /** An interval of which only the end has a unit, as it is that of all three. */
    private static String between(String value, String low, String high) {
        return "%s [%s, %s]".formatted(value, low.replace(" %", ""), high);
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
        return Double.isNaN(count) ? "unknown" : String.format(Locale.ROOT, "%,.0f", count);
    }

    /** Growth in thirty days. */
    static String month(Trend trend) {
        if (!trend.known()) {
            return "unknown (%d whole days; %d whole weeks are needed)".formatted(trend.points(), Trend.LEAST_WEEKS);
        }
        double low = Math.pow(trend.low(), MONTH);
        double high = Math.pow(trend.high(), MONTH);
        if (high > WILD || low < 1 / WILD) {
            return "too uncertain to say (%d days that differ widely)".formatted(trend.points());
        }
        String value = signed(Math.pow(trend.factor(), MONTH) - 1) + " in 30 days";
        return between(value, signed(low - 1), signed(high - 1));
    }

    /** By how much a factor is more than none. */
    static String growth(double factor) {
        return signed(factor - 1);
    }

    private static String change(Difference difference) {
        return between(growth(difference.factor()), growth(difference.low()), growth(difference.high()));
    }

    static String signed(double share) {
        double percent = 100 * share;
        if (Math.abs(percent) < 0.05) {
            return "0.0 %"; // no sign that tells nothing
        }
        return String.format(Locale.ROOT, Math.abs(percent) < 10 ? "%+.1f %%" : "%+,.0f %%", percent);
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

    private static String plural(Number count, String one) {
        return Double.isNaN(count.doubleValue())
                ? "an unknown number of " + one + "s"
                : count(count.doubleValue()) + " " + one + (count.doubleValue() == 1 ? "" : "s");
    }

    /**
     * @param unit B or none; a second, where it ends in /s
     */
    private static String amount(Number number, String unit) {
        double value = number.doubleValue();
        return Double.isNaN(value)
                ? "unknown"
                : (unit.startsWith("B") ? bytes(value) : digits(value)) + unit.replace("B", "");
    }

    private static String factor(Number headroom, boolean atLeast) {
        if (!Double.isFinite(headroom.doubleValue())) {
            return "by an unknown factor";
        }
        String by = atLeast ? "by a factor of at least " : "by a factor of ";
        return headroom.doubleValue() <= 1 ? "no more" : by + digits(headroom.doubleValue());
    }

    private static Duration times(Number number, Duration of) {
        return of.multipliedBy(number.longValue());
    }

    private static List<?> limited(List<?> all, Number to) {
        return all.subList(0, Math.min(all.size(), to.intValue()));
    }

    private static String slope(QueueCurve curve) {
        return Double.isNaN(curve.slopeLow())
                ? latency(curve.slope()) + " [unknown]"
                : interval(latency(curve.slope()), latency(curve.slopeLow()), latency(curve.slopeHigh()));
    }

    /** The utilisation at which p99 would break the target. */
    private static String limit(Load load) {
        double farthest = load.p99().farthest();
        return between(
                percent(load.limit().value()),
                percent(load.limit().low()),
                load.limit().high() > farthest
                        ? "above " + percent(farthest)
                        : percent(load.limit().high()));
    }

    /** A day so many days later, or that there is none. */
    private String date(Number number, Instant from) {
        double days = number.doubleValue();
        return !(days <= FAR_DAYS)
                ? NEVER
                : time(from.plus(Duration.ofHours(Math.round(24 * days)))).substring(0, 10);
    }

    /** The ends of the interval of when headroom ends, where one of them is a date. */
    private String between(HeadroomEnd end, Instant from) {
        String earliest = date(end.earliest(), from);
        String latest = date(end.latest(), from);
        return earliest.equals(NEVER) && latest.equals(NEVER) ? "" : " (between %s and %s)".formatted(earliest, latest);
    }

    private static String form(Form form) {
        return (form.isNative() ? "native, about 1 % wide" : "classic, about 26 % wide")
                + (form.recorded() ? "; rates of five minutes as the rules record them" : "; as scraped");
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

    /** A filter of the templates, and the names of its arguments. */
    private record Named(List<String> getArgumentNames, BiFunction<Object, Object[], Object> of) implements Filter {
        @Override
        public Object apply(
                Object input,
                Map<String, Object> arguments,
                PebbleTemplate template,
                EvaluationContext context,
                int line) {
            return of.apply(input, getArgumentNames.stream().map(arguments::get).toArray());
        }
    }

    private static <T> Filter of(Class<T> type, Function<T, Object> filter) {
        return new Named(List.of(), (in, any) -> filter.apply(type.cast(in)));
    }

    private static Filter numbers(DoubleFunction<Object> filter) {
        return of(Number.class, in -> filter.apply(in.doubleValue()));
    }

    private static <T, A> Filter with(Class<T> type, Class<A> other, BiFunction<T, A, Object> of) {
        return new Named(List.of("of"), (in, given) -> of.apply(type.cast(in), other.cast(given[0])));
    }

    @Override
    public Map<String, Object> getGlobalVariables() {
        return Map.of("levels", Review.LEVELS, "newline", new SafeString("\n"));
    }

    @Override
    public Map<String, Filter> getFilters() {
        return Map.ofEntries(
                entry("latency", numbers(TextFormat::latency)),
                entry("estimate", of(Estimate.class, TextFormat::latency)),
                entry("percent", numbers(TextFormat::percent)),
                entry("share", of(Share.class, TextFormat::percent)),
                entry("level", numbers(TextFormat::level)),
                entry("count", numbers(TextFormat::count)),
                entry("ceil", numbers(Math::ceil)),
                entry("digits", numbers(TextFormat::digits)),
                entry("growth", numbers(TextFormat::growth)),
                entry("short", of(String.class, TextFormat::shortened)),
                entry("month", of(Trend.class, TextFormat::month)),
                entry("change", of(Difference.class, TextFormat::change)),
                entry("slope", of(QueueCurve.class, TextFormat::slope)),
                entry("duration", of(Duration.class, TextFormat::duration)),
                entry("time", of(Instant.class, this::time)),
                entry("limit", of(Load.class, TextFormat::limit)),
                entry("form", of(Form.class, TextFormat::form)),
                entry("plural", with(Number.class, String.class, TextFormat::plural)),
                entry("amount", with(Number.class, String.class, TextFormat::amount)),
                entry("factor", with(Number.class, Boolean.class, TextFormat::factor)),
                entry("date", with(Number.class, Instant.class, this::date)),
                entry("between", with(HeadroomEnd.class, Instant.class, this::between)),
                entry("times", with(Number.class, Duration.class, TextFormat::times)),
                entry("limited", with(List.class, Number.class, TextFormat::limited)));
    }
}
