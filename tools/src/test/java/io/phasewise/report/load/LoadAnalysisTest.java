/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.phasewise.report.latency.SampleWindow;
import io.phasewise.report.latency.WindowData;
import io.phasewise.report.load.Load.Balance;
import io.phasewise.report.load.Load.HeadroomEnd;
import io.phasewise.report.load.Load.Resource;
import io.phasewise.report.query.Window;
import io.phasewise.report.stats.Histogram;
import io.phasewise.report.stats.QueueCurve;
import io.phasewise.report.stats.QueueCurve.Point;
import io.phasewise.report.stats.Trend;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When headroom ends, and which brokers stick out. */
class LoadAnalysisTest {

    private static final Instant AT = Instant.parse("2026-11-01T00:00:00Z");

    @Test
    void headroomEndsWhenGrowthHasUsedItUp() {
        HeadroomEnd end = LoadAnalysis.end(2, new Trend(1.01, 1.008, 1.012, 28));
        assertThat(end.exponential()).isCloseTo(Math.log(2) / Math.log(1.01), within(1e-9));
        assertThat(end.earliest()).isLessThan(end.exponential());
        assertThat(end.latest()).isGreaterThan(end.exponential());
    }

    @Test
    void headroomIsNotDrawnOnFurtherThanFifteenPoints() {
        // p99 rises so little up to 50 % busy that the fitted limit lies near 90 %.
        Load load = load(0.5);
        assertThat(load.atLeast()).isTrue();
        assertThat(load.limit().value()).isNaN();
        assertThat(load.until()).isCloseTo(0.65, within(0.001));
        assertThat(load.headroom()).isCloseTo(0.65 / 0.5, within(0.01));
    }

    @Test
    void aLimitWithinFifteenPointsOfWhatWasSeenIsTold() {
        Load load = load(0.8);
        assertThat(load.atLeast()).isFalse();
        assertThat(load.limit().value()).isBetween(0.8, 0.95);
        assertThat(load.until()).isEqualTo(load.limit().value());
    }

    /** Of a pool of eight whose p99 breaks the target at about 89 % busy, and the most it was. */
    private static Load load(double most) {
        List<Point> points = new ArrayList<>();
        for (int hour = 0; hour < 14 * 24; hour++) {
            double busy = 0.2 + (most - 0.2) * (0.5 + 0.5 * Math.sin(2 * Math.PI * hour / 24));
            points.add(new Point(busy, 0.010 + 0.0014 * QueueCurve.shape(busy, 8) + 1e-5 * (hour % 5), hour / 24));
        }
        Window window = Window.fine(AT, AT.plus(Duration.ofDays(14)));
        WindowData measured = SampleWindow.measured(window, hour -> Histogram.EMPTY, hour -> null);
        HandlerPool pool = new HandlerPool(8, 0, Double.NaN, Double.NaN);
        return new LoadAnalysis(measured, ZoneOffset.UTC)
                .load(
                        List.of(),
                        List.of(new Resource("request handlers", 0.4, most)),
                        pool,
                        points,
                        new TreeMap<>(),
                        List.of());
    }

    @ParameterizedTest
    @CsvSource({
        "2, 1.01, 0.999, 1.03, NaN, growth that is not clear",
        "NaN, 1.01, 1.008, 1.012, NaN, unknown headroom",
        "2, 0.99, 0.98, 0.995, Infinity, load that shrinks",
        "0.8, 1.01, 1.008, 1.012, 0, headroom that is gone",
    })
    void theEndOf(double headroom, double factor, double low, double high, double days, String what) {
        Trend growth = new Trend(factor, low, high, 28);
        assertThat(LoadAnalysis.end(headroom, growth).exponential()).as(what).isEqualTo(Double.valueOf(days));
    }

    @Test
    void handlersThatComputeAreAsManyServersAsThereAreProcessors() {
        assertThat(servers(2, 0.3, 1.5)).isEqualTo(2);
        assertThat(servers(2, 0.3, 0.2)).as("they wait").isEqualTo(8);
        assertThat(servers(32, 0.3, 3)).as("more processors than handlers").isEqualTo(8);
    }

    /** Of two brokers with eight handlers. */
    private static int servers(double processors, double busy, double busyProcessors) {
        return LoadAnalysis.pool(
                        new TreeMap<>(Map.of("1", 8, "2", 8)),
                        brokers(processors, processors),
                        brokers(busy, busy),
                        brokers(busyProcessors, busyProcessors))
                .servers();
    }

    @Test
    void ofBrokersThatDifferTheOneWithFewestServersCounts() {
        HandlerPool pool = pool(Map.of("1", 16, "2", 4), brokers(0.3, 0.3));
        assertThat(pool.servers()).isEqualTo(4);
        assertThat(pool.processors()).isZero();
        assertThat(pool(Map.of(), brokers(0.3)).servers()).as("Kafka's default").isEqualTo(8);
        assertThat(pool(Map.of(), brokers()).servers()).isEqualTo(8);
    }

    /** Where nothing is known of processors. */
    private static HandlerPool pool(Map<String, Integer> threads, SortedMap<String, SortedMap<Instant, Double>> busy) {
        return LoadAnalysis.pool(new TreeMap<>(threads), brokers(), busy, brokers());
    }

    @Test
    void balanceNamesTheBrokerThatHasMost() {
        Balance balance =
                LoadAnalysis.balance("x", "", brokers(100, 101, 99, 100, 180)).orElseThrow();
        assertThat(balance.broker()).isEqualTo("5");
        assertThat(balance.mostByMean()).isCloseTo(180 / 116.0, within(1e-9));
        assertThat(LoadAnalysis.balance("x", "", brokers())).isEmpty();
        assertThat(LoadAnalysis.balance("x", "", brokers(0, 0))).isEmpty();
    }

    private static SortedMap<String, SortedMap<Instant, Double>> brokers(double... values) {
        SortedMap<String, SortedMap<Instant, Double>> all = new TreeMap<>();
        for (int i = 0; i < values.length; i++) {
            SortedMap<Instant, Double> one = new TreeMap<>();
            one.put(AT, values[i]);
            all.put(Integer.toString(i + 1), one);
        }
        return all;
    }
}
