/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MatrixDocumentTest {
    private static final RowResult SEEN = RowResults.measured("delay", List.of("publish grew by 80.0 ms"), "");
    private static final Row OTHER = DeclaredRows.row("other", "[]", "{leaders: [1], unmoved: true}");

    private final MatrixDocument document = new MatrixDocument(
            "2026-11-21T20:00:00Z",
            "./phasewise lab matrix",
            "a machine",
            Map.of("Phasewise", "abc"),
            List.of(SEEN, RowResult.skipped(OTHER, "no tool")),
            List.of("third"),
            List.of());

    @Test
    void theJsonHoldsAllOfIt() throws Exception {
        assertThat(MatrixDocument.read(document.json())).isEqualTo(document);
    }

    @Test
    void theDocumentShowsWhoWasNamedAndWhen() {
        assertThat(document.markdown())
                .contains(
                        "| delay | suspect                  | 1 network/publish | right          | 25      |",
                        "|       | suspect (inferred)       | nobody            | -              | -       |",
                        "|       | BrokerDegraded (warning) | 2 network/publish | wrong          | 205     |")
                .contains("0 good, 1 bad (delay), 0 not judged, 1 skipped (other)")
                .contains("1 not reached (third).")
                .contains("on a machine.\n- Phasewise: abc\n");
    }

    @Test
    void phasesAndEndsOfProbesAreShownApart() {
        assertThat(document.markdown())
                .contains("| delay | publish 100            | -       | 97      | -      | -   ")
                .contains("| 10      | 105    | 2    | 3    | 4        | 3 ")
                .contains("| a wait for a handler, broker 1: 812 | bad: publish grew by 80.0 ms |")
                .contains("skipped: no tool");
    }

    @Test
    void aRowThatBrokeOffIsAFault() {
        List<String> faults = List.of("broken off: no answer\nlog", "the canary has ended");
        RowResult broken = RowResult.bad(OTHER, faults);

        assertThat(broken.state()).isEqualTo(RowResult.State.BAD);
        assertThat(of(broken).markdown()).contains("bad: broken off: no answer; the canary has ended |");
    }

    @Test
    void aRowThatCouldNotBeJudgedIsNoPass() {
        RowResult good = RowResults.measured("good", List.of(), "");
        RowResult noisy = RowResults.measured("noisy", List.of(), "the machine was busy");
        RowResult both = RowResults.measured("both", List.of("x"), "the machine was busy");
        RowResult skipped = RowResult.skipped(OTHER, "no tool");

        assertThat(of(good, skipped).passed()).isTrue();
        assertThat(of(good, noisy).passed()).isFalse();
        assertThat(of(good, noisy).summary()).isEqualTo("1 good, 0 bad, 1 not judged (noisy), 0 skipped");
        assertThat(of(both).passed()).isFalse();
        assertThat(both.verdict()).isEqualTo("bad: x; not all judged: the machine was busy");
        assertThat(document.passed()).as("a row was not reached").isFalse();
    }

    @Test
    void aRowThatIsRunAgainTakesThePlaceOfTheEarlier() throws Exception {
        MatrixDocument later = new MatrixDocument(
                "2026-11-22T20:00:00Z",
                "./phasewise lab matrix --row other,third",
                "a machine",
                Map.of(),
                List.of(RowResult.skipped(OTHER, "seen now"), RowResults.measured("third", List.of(), "")),
                List.of(),
                List.of());
        MatrixDocument renewed = document.renewedBy(later);

        assertThat(renewed.rows()).extracting(RowResult::name).containsExactly("delay", "other", "third");
        assertThat(renewed.notReached()).isEmpty();
        assertThat(renewed.markdown())
                .contains("Run of 2026-11-21T20:00:00Z on a machine.")
                .contains("Of a later run, of 2026-11-22T20:00:00Z (`./phasewise lab matrix --row"
                        + " other,third`): other, third.\n")
                .contains("seen now")
                .doesNotContain("no tool");
        assertThat(MatrixDocument.read(renewed.json())).isEqualTo(renewed);
    }

    private static MatrixDocument of(RowResult... rows) {
        return new MatrixDocument("", "", "", Map.of(), List.of(rows), List.of(), List.of());
    }
}
