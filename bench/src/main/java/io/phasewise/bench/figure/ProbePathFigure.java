/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.figure;

import io.phasewise.canary.phases.Instants;
import io.phasewise.canary.phases.PhaseBreakdown;
import io.phasewise.common.phase.Phase;

/** The way of one probe from producer to consumer: six instants, five phases. */
final class ProbePathFigure {
    private static final double LEFT = 130;
    private static final double SCALE = 53;
    private static final double TOP = 78;
    private static final double ROW = 62;
    private static final double BOTTOM = TOP + 4 * ROW + 42;
    private static final double BAND = 34;
    private static final long MILLI = 1_000_000;

    /** A probe with an easy life, in milliseconds. */
    private static final Instants PROBE =
            new Instants(0, 2 * MILLI, 5 * MILLI, 9 * MILLI, 11 * MILLI, 13 * MILLI);

    private static final String[] ROWS = {"producer", "network", "leader", "follower", "consumer"};
    private static final String[] NAMES = {
        "T0 due", "T1 dispatched", "T2 appended", "T3 committed", "T4 reached", "T5 delivered"
    };

    private ProbePathFigure() {}

    static String draw() {
        Svg svg =
                new Svg(
                        880,
                        440,
                        "The path of a probe: due at T0, dispatched at T1, appended by the leader"
                            + " at T2, committed at T3, reached by the consumer at T4, delivered at"
                            + " T5; the phases produce, publish, commit, catch_up and fetch lie"
                            + " between them");
        rows(svg);
        instants(svg);
        path(svg);
        phases(svg);
        return svg.file();
    }

    private static void rows(Svg svg) {
        for (int row = 0; row < ROWS.length; row++) {
            double y = y(row);
            svg.text(20, y + 4, "start", "font-weight='bold'", ROWS[row]);
            svg.line(LEFT - 24, y, x(13) + 24, y, "#d1d9e0", "");
        }
    }

    private static void instants(Svg svg) {
        long[] at = {PROBE.t0(), PROBE.t1(), PROBE.t2(), PROBE.t3(), PROBE.t4(), PROBE.t5()};
        for (int i = 0; i < at.length; i++) {
            double x = x(at[i] / (double) MILLI);
            svg.line(x, 48, x, BOTTOM + BAND, Svg.LINE, "stroke-dasharray='3 3'");
            svg.text(x, 24, "middle", "font-weight='bold'", NAMES[i].substring(0, 2));
            svg.text(x, 40, "middle", "font-size='12'", NAMES[i].substring(3));
        }
    }

    private static void path(Svg svg) {
        double high = -9;
        // The stays.
        stay(svg, 0, 2, 0, "lane, batching");
        stay(svg, 3, 5, 2, "queue, lock");
        stay(svg, 5, 5.5, 2, "write");
        stay(svg, 6.3, 7.1, 3, "append");
        stay(svg, 8.2, 9, 2, "");
        svg.frame(x(8.6), y(4) - 12, x(11) - x(8.6), 24, "#eaeef2");
        svg.text((x(8.6) + x(11)) / 2, y(4) + 4, "middle", "font-size='12'", "not in poll() yet");
        svg.frame(x(11), y(4) - 12, x(13) - x(11), 24, "#ffffff");
        svg.text((x(11) + x(13)) / 2, y(4) + 4, "middle", "font-size='12'", "in poll()");
        // The ways.
        svg.arrow(x(2), y(0), x(3), y(2), "stroke-width='2'");
        svg.text(x(2.62), y(1) + high, "start", "font-size='12'", "produce request");
        svg.arrow(x(5.5), y(2), x(6.3), y(3), "stroke-width='2'");
        svg.arrow(x(7.1), y(3), x(8.2), y(2), "stroke-width='2'");
        svg.text(x(6.6), y(2) + 30, "middle", "font-size='12'", "replica fetch");
        svg.text(x(8.95), y(2) - 14, "end", "font-size='12'", "high watermark");
        svg.arrow(x(9), y(2), x(10), y(0), "stroke-dasharray='5 3'");
        svg.text(x(10.15), y(0) - 9, "start", "font-size='12'", "acknowledgement");
        svg.arrow(x(11.6), y(2), x(12.9), y(4), "stroke-width='2'");
        svg.line(x(9), y(2), x(11.6), y(2), Svg.INK, "stroke-width='2'");
        svg.text(x(12.2), y(2) + 30, "start", "font-size='12'", "fetch");
        svg.dot(x(0), y(0)).dot(x(2), y(0)).dot(x(5), y(2)).dot(x(9), y(2));
        svg.dot(x(11), y(4)).dot(x(13), y(4));
    }

    private static void stay(Svg svg, double from, double to, int row, String what) {
        svg.line(x(from), y(row), x(to), y(row), Svg.INK, "stroke-width='2'");
        svg.text((x(from) + x(to)) / 2, y(row) - 9, "middle", "font-size='12'", what);
    }

    private static void phases(Svg svg) {
        PhaseBreakdown phases = PROBE.breakdown();
        double from = x(0);
        for (Phase phase : Phase.values()) {
            double width = phases.of(phase) / (double) MILLI * SCALE;
            svg.box(from, BOTTOM, width, BAND, phase.colour());
            svg.text(from + width / 2, BOTTOM + 22, "middle", "font-weight='bold'", phase.label());
            from += width;
        }
        svg.text(20, BOTTOM + 22, "start", "font-weight='bold'", "phase");
        svg.text(
                x(0),
                BOTTOM + BAND + 20,
                "start",
                "font-size='12' fill='" + Svg.FAINT + "'",
                "time; the five phases are differences of neighbouring instants and sum to the"
                        + " end-to-end latency");
    }

    private static double x(double milliseconds) {
        return LEFT + milliseconds * SCALE;
    }

    private static double y(int row) {
        return TOP + row * ROW;
    }
}
