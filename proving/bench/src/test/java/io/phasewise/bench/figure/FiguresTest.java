/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.figure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.phasewise.canary.phases.Acks;
import io.phasewise.canary.phases.Instants;
import io.phasewise.canary.phases.PhaseBreakdown;
import io.phasewise.canary.phases.Timeline;
import io.phasewise.common.phase.Phase;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xml.sax.InputSource;

/** The drawings of phases.md show what the classes say that they explain. */
class FiguresTest {
    private static final Path ROOT = Path.of(System.getProperty("phasewise.root"));
    private static final Pattern BAND =
            Pattern.compile("<rect x='([\\d.]+)' y='(\\d+)' width='([\\d.]+)' height='\\d+' fill='(#\\w+)'/>");

    private static final long MILLI = 1_000_000;

    /** A coloured box, in the drawing's units. */
    private record Band(double x, int y, double width, String colour) {}

    private static String drawing(String name) throws IOException {
        return Files.readString(ROOT.resolve("docs/images").resolve(name));
    }

    private static List<Band> bands(String name, int y) throws IOException {
        return BAND.matcher(drawing(name))
                .results()
                .map(band -> new Band(
                        Double.parseDouble(band.group(1)),
                        Integer.parseInt(band.group(2)),
                        Double.parseDouble(band.group(3)),
                        band.group(4)))
                .filter(band -> band.y() == y)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"probe-path.svg", "lanes.svg"})
    void isWellFormedWithATitleAndShown(String name) throws Exception {
        var document = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(drawing(name))));
        assertThat(document.getElementsByTagName("title").item(0).getTextContent())
                .isNotBlank();
        assertThat(Files.readString(ROOT.resolve("docs/explanation/phases.md"))).contains("images/" + name);
    }

    @Test
    void theFivePhasesOfAProbeLieBetweenItsInstants() throws IOException {
        PhaseBreakdown phases = at(0, 2, 5, 9, 11, 13).breakdown();
        List<Band> bands = bands("probe-path.svg", 368);
        double x = 130;
        for (Phase phase : Phase.values()) {
            Band band = bands.get(phase.ordinal());
            assertThat(band.colour()).as(phase.label()).isEqualTo(phase.colour());
            assertThat(band.x()).isCloseTo(x, within(0.1));
            x += phases.of(phase) / (double) MILLI * 53;
            assertThat(band.x() + band.width()).isCloseTo(x, within(0.1));
            assertThat(drawing("probe-path.svg"))
                    .contains("<text x='%s' y='390' text-anchor='middle' font-weight='bold'>%s</text>"
                            .formatted(
                                    String.valueOf(band.x() + band.width() / 2).replaceAll("\\.0$", ""),
                                    phase.label()));
        }
    }

    /**
     * Probes on the one lane that is left while a follower stalls, and the sums beside the bars.
     */
    @ParameterizedTest
    @CsvSource({"84, A, position", "138, B, position", "178, B, path", "232, C, position", "272, C, path"})
    void aWaitForALaneIsDrawnAsItIsAttributed(int y, String probe, String attribution) throws IOException {
        Timeline timeline = timeline(probe, attribution.equals("path"));
        List<Band> bands = bands("lanes.svg", y);
        for (long at = timeline.start() + MILLI / 20; at < timeline.end(); at += MILLI / 10) {
            double x = 190 + at / (double) MILLI * 33;
            assertThat(bands)
                    .as("at %d ns", at)
                    .filteredOn(band -> band.x() <= x && x < band.x() + band.width())
                    .extracting(Band::colour)
                    .containsExactly(timeline.at(at).colour());
        }
        PhaseBreakdown phases = timeline.breakdown();
        assertThat(drawing("lanes.svg"))
                .contains(String.format(
                        Locale.ROOT,
                        "<text x='770' y='%d' text-anchor='middle' font-weight='bold'>%.1f, %.1f</text>",
                        y + 17,
                        phases.of(Phase.PRODUCE) / (double) MILLI,
                        phases.of(Phase.COMMIT) / (double) MILLI));
    }

    private static Timeline timeline(String probe, boolean criticalPath) {
        Instants a = at(0, 0.3, 1, 8, 8, 8.6);
        Instants b = at(2, 8.8, 9.6, 10.6, 10.6, 11.2);
        Instants c = at(5, 11.4, 12.2, 13.2, 13.2, 13.8);
        Timeline requestA = request(a, 8.5);
        Timeline requestB = request(b, 11.1).behind(requestA);
        Timeline own = Timeline.ofProbe(probe.equals("A") ? a : probe.equals("B") ? b : c);
        return criticalPath ? own.behind(probe.equals("B") ? requestA : requestB) : own;
    }

    private static Timeline request(Instants of, double released) {
        return Timeline.ofRequest(of.t0(), of.t1(), of.t2(), of.t3(), nanos(released), Acks.ALL);
    }

    private static Instants at(double t0, double t1, double t2, double t3, double t4, double t5) {
        return new Instants(nanos(t0), nanos(t1), nanos(t2), nanos(t3), nanos(t4), nanos(t5));
    }

    private static long nanos(double milliseconds) {
        return Math.round(milliseconds * MILLI);
    }
}
