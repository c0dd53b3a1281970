/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.figure;

import io.phasewise.canary.phases.Acks;
import io.phasewise.canary.phases.Instants;
import io.phasewise.canary.phases.PhaseBreakdown;
import io.phasewise.canary.phases.Timeline;
import io.phasewise.common.phase.Phase;
import java.util.Locale;

/**
 * Three probes on the one lane that is left while a follower stalls: how the time that two of them
 * wait is labelled. The labels and the sums are {@link Timeline}'s own.
 */
final class LanesFigure {
    private static final double LEFT = 190;
    private static final double SCALE = 33;
    private static final double TOP = 84;
    private static final double BAR = 26;
    private static final double ROW = 40;
    private static final long MILLI = 1_000_000;
    private static final long STEP = MILLI / 10;

    private static final Instants A = at(0, 0.3, 1, 8, 8, 8.6);
    private static final Timeline REQUEST_A = request(A, 8.5);
    private static final double A_RELEASED = 8.5;

    private static final Instants B = at(2, 8.8, 9.6, 10.6, 10.6, 11.2);
    private static final double B_RELEASED = 11.1;
    private static final Timeline REQUEST_B = request(B, B_RELEASED).behind(REQUEST_A);

    private static final Instants C = at(5, 11.4, 12.2, 13.2, 13.2, 13.8);

    private LanesFigure() {}

    static String draw() {
        Svg svg =
                new Svg(
                        880,
                        392,
                        "Probes B and C wait for the lane that probe A holds while a follower"
                                + " stalls: by position the wait would count as produce, along the"
                                + " critical path it counts as commit");
        svg.text(
                20,
                28,
                "start",
                "font-weight='bold' font-size='14'",
                "A follower stalls from 1 to 8 ms, one lane is left: where does the wait of B and C"
                        + " belong?");
        axis(svg);
        Timeline a = Timeline.ofProbe(A);
        Timeline b = Timeline.ofProbe(B);
        Timeline c = Timeline.ofProbe(C);
        bar(svg, 0, "probe A", "", a);
        bar(svg, 1, "probe B", "by position", b);
        bar(svg, 2, "", "critical path", b.behind(REQUEST_A));
        bar(svg, 3, "probe C", "by position", c);
        bar(svg, 4, "", "critical path", c.behind(REQUEST_B));
        wait(svg, 1, 2, A_RELEASED, "B waits behind A");
        wait(svg, 3, 5, B_RELEASED, "C waits behind B, which waited behind A");
        legend(svg);
        return svg.file();
    }

    private static Instants at(double t0, double t1, double t2, double t3, double t4, double t5) {
        return new Instants(nanos(t0), nanos(t1), nanos(t2), nanos(t3), nanos(t4), nanos(t5));
    }

    private static Timeline request(Instants of, double released) {
        return Timeline.ofRequest(of.t0(), of.t1(), of.t2(), of.t3(), nanos(released), Acks.ALL);
    }

    private static long nanos(double milliseconds) {
        return Math.round(milliseconds * MILLI);
    }

    private static void axis(Svg svg) {
        double end = y(5) + 24;
        for (int ms = 0; ms <= 14; ms += 2) {
            double x = x(ms * MILLI);
            svg.line(x, TOP - 22, x, end, "#d1d9e0", "");
            svg.text(x, TOP - 28, "middle", "font-size='12' fill='" + Svg.FAINT + "'", ms + " ms");
        }
        svg.text(
                770,
                TOP - 28,
                "middle",
                "font-size='12' fill='" + Svg.FAINT + "'",
                "produce, commit (ms)");
    }

    private static void bar(Svg svg, int row, String who, String how, Timeline time) {
        double y = y(row);
        svg.text(20, y + 17, "start", "font-weight='bold'", who);
        svg.text(LEFT - 10, y + 17, "end", "font-size='12' fill='" + Svg.FAINT + "'", how);
        long from = time.start();
        while (from < time.end()) {
            long to = from + STEP;
            while (to < time.end() && time.at(to) == time.at(from)) {
                to += STEP;
            }
            svg.box(x(from), y, x(to) - x(from), BAR, time.at(from).colour());
            from = to;
        }
        PhaseBreakdown phases = time.breakdown();
        svg.text(
                770,
                y + 17,
                "middle",
                "font-weight='bold'",
                milliseconds(phases.of(Phase.PRODUCE))
                        + ", "
                        + milliseconds(phases.of(Phase.COMMIT)));
    }

    private static String milliseconds(long nanos) {
        return String.format(Locale.ROOT, "%.1f", nanos / (double) MILLI);
    }

    private static void wait(Svg svg, int row, double from, double to, String what) {
        double y = y(row) - 5;
        svg.line(x(nanos(from)), y, x(nanos(to)), y, Svg.INK, "marker-end='url(#head)'");
        svg.text(x(nanos(from)) + 4, y - 4, "start", "font-size='11'", what);
    }

    private static void legend(Svg svg) {
        double x = LEFT;
        double y = y(5) + 44;
        for (Phase phase : Phase.values()) {
            svg.box(x, y, 16, 16, phase.colour());
            svg.text(x + 22, y + 13, "start", "", phase.label());
            x += 100;
        }
    }

    private static double x(long nanos) {
        return LEFT + nanos / (double) MILLI * SCALE;
    }

    private static double y(int row) {
        // Room for the arrow above the first bar of each waiting probe.
        return TOP + row * ROW + (row >= 1 ? 14 : 0) + (row >= 3 ? 14 : 0);
    }
}
