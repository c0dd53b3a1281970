/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MatrixDocumentTest {
    private static final RowResult SEEN =
            RowResults.measured(
                    "delay", List.of("only 80 % of what was added is in [publish]"), "");

    private static final Row OTHER =
            new Row(
                    "other",
                    "something else",
                    scene -> () -> {},
                    Duration.ZERO,
                    Effect.MOVES_PHASES,
                    Set.of(),
                    Map.of(),
                    List.of(),
                    Set.of(),
                    Optional.empty(),
                    Row.Needs.ALERTS);

    private final MatrixDocument document =
            new MatrixDocument(
                    "2026-11-21T20:00:00Z",
                    "./phasewise lab matrix",
                    "a machine",
                    new Setup(
                            Map.of("Phasewise", "abc"),
                            Map.of("plain", Map.of("canary", Map.of("rate", 5)))),
                    List.of(SEEN, RowResult.skipped(OTHER, "nothing watches")),
                    List.of("third"),
                    List.of());

    @Test
    void theJsonHoldsAllOfIt() throws Exception {
        assertThat(MatrixDocument.read(document.json())).isEqualTo(document);
    }

    @Test
    void theDocumentShowsFaultsPhasesAndAlerts() {
        assertThat(document.markdown())
                .contains("only 80 % of what was added is in [publish]")
                .contains(
                        "| 10 s   | 1 of 99      | publish 100 | 100 % | 97 %               | 2    "
                                + "  |")
                .contains("BrokerDown (critical) 71")
                .contains("| SLOFastBurn | ProbesLost   |")
                .contains("grown by 0.80 to 1.25 of it")
                .contains("a wait for a handler, broker 1                 | 812")
                .contains("skipped: nothing watches")
                .contains("on a machine.\nWith Phasewise: abc.\n")
                .contains("0 good, 1 bad (delay), 0 not judged, 1 skipped (other)")
                .contains("1 not reached (third).")
                .contains("| delay | yes   | 40 ")
                .contains("| other | -     | -  ");
    }

    @Test
    void aRowThatBrokeOffIsAFault() {
        RowResult broken = RowResult.brokenOff(OTHER, new IOException("no answer\nlog"), false);
        assertThat(broken.state()).isEqualTo(RowResult.State.BAD);
        assertThat(of(broken).markdown())
                .contains("bad: broken off: java.io.IOException: no answer; the canary has ended |")
                .contains("| other | no    | -              | -     |");
    }

    @Test
    void aRowThatCouldNotBeJudgedIsNoPass() {
        RowResult good = RowResults.measured("good", List.of(), "");
        RowResult noisy = RowResults.measured("noisy", List.of(), "the machine was busy");
        RowResult both = RowResults.measured("both", List.of("x"), "the machine was busy");
        RowResult skipped = RowResult.skipped(OTHER, "no tool");

        assertThat(of(good, skipped).passed()).isTrue();
        assertThat(of(good, skipped).conclusion())
                .isEqualTo("1 good, 0 bad, 0 not judged, 1 skipped (other)");
        assertThat(of(good, noisy).passed()).isFalse();
        assertThat(of(good, noisy).conclusion())
                .isEqualTo(
                        "1 good, 0 bad, 1 not judged (noisy), 0 skipped; what was not judged is no"
                                + " pass: run it again on a quieter machine");
        assertThat(of(good, noisy).markdown()).contains("| not judged: the machine was busy |");
        assertThat(of(both).passed()).isFalse();
        assertThat(both.verdict()).isEqualTo("bad: x; not all judged: the machine was busy");
        assertThat(document.passed()).as("a row was not reached").isFalse();
    }

    @Test
    void rowsThatWereNotMeasuredSayNothingOfAlerts() {
        RowResult skipped = RowResult.skipped(OTHER, "no tool");
        RowResult watched = RowResults.measured("watched", List.of(), "");

        assertThat(of(skipped).measuredOtherwise(true)).isFalse();
        assertThat(of(skipped).measuredOtherwise(false)).isFalse();
        assertThat(of(skipped, watched).measuredOtherwise(true)).isFalse();
        assertThat(of(skipped, watched).measuredOtherwise(false)).isTrue();
    }

    @Test
    void aResultIsOfARowThatWasReached() {
        MatrixDocument third = document.with(RowResults.measured("third", List.of(), ""));

        assertThat(third.notReached()).isEmpty();
        assertThat(third.rows()).hasSize(3);
    }

    private static MatrixDocument of(RowResult... rows) {
        return new MatrixDocument("", "", "", Setup.UNKNOWN, List.of(rows), List.of(), List.of());
    }

    @Test
    void aRowThatIsRunAgainTakesThePlaceOfTheEarlier() throws Exception {
        MatrixDocument later =
                new MatrixDocument(
                        "2026-11-22T20:00:00Z",
                        "./phasewise lab matrix --row other,new",
                        "a machine",
                        new Setup(Map.of("Phasewise", "def"), Map.of()),
                        List.of(
                                RowResult.skipped(OTHER, "seen now"),
                                RowResult.skipped(named("third"), "came later")),
                        List.of("delay"),
                        List.of());
        MatrixDocument renewed = document.renewedBy(later);

        assertThat(renewed.rows())
                .extracting(RowResult::name)
                .containsExactly("delay", "other", "third");
        assertThat(renewed.notReached()).isEmpty();
        assertThat(renewed.markdown())
                .contains("Run of 2026-11-21T20:00:00Z on a machine.")
                .contains(
                        "In place of what that run said of other, third: a run of"
                                + " 2026-11-22T20:00:00Z (`./phasewise lab matrix --row"
                                + " other,new`).\nWith Phasewise: def.\n")
                .contains("seen now")
                .doesNotContain("nothing watches");
        assertThat(MatrixDocument.read(renewed.json())).isEqualTo(renewed);
    }

    private static Row named(String name) {
        return Row.of(name, "", scene -> () -> {}, Duration.ZERO, Effect.IS_FELT, Set.of());
    }
}
