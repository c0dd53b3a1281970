/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.experiments.matrix.judgement.Judgement;
import io.phasewise.experiments.matrix.result.MatrixRun;
import io.phasewise.experiments.matrix.result.RowResult;
import io.phasewise.experiments.matrix.result.RowResults;
import io.phasewise.experiments.matrix.row.DeclaredRows;
import io.phasewise.experiments.matrix.row.Row;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MatrixRunsTest {
    private static final RowResult SEEN = RowResults.measured("delay", List.of("publish grew by 80.0 ms"), "");
    private static final Row OTHER = DeclaredRows.row("other", "[]", "{leaders: [1], unmoved: true}");

    private final MatrixRun document = new MatrixRun(
            "2026-11-21T20:00:00Z",
            "./phasewise lab matrix",
            "a machine",
            Map.of("Phasewise", "abc"),
            List.of("Builds ran beside it."),
            Map.of("delay", "about: delay\n"),
            List.of(SEEN, RowResult.skipped(OTHER, "no tool")),
            List.of("third"),
            List.of("lost"));

    @Test
    void theJsonHoldsAllOfIt() throws Exception {
        assertThat(MatrixRun.read(document.json())).isEqualTo(document);
    }

    @Test
    void theDocumentShowsWhoWasNamedAndWhen() {
        assertThat(page(document))
                .contains(
                        "| delay | suspect                  | 1 network/publish | right          | 25      |",
                        "|       | suspect (inferred)       | nobody            | -              | -       |",
                        "|       | BrokerDegraded (warning) | 2 network/publish | wrong          | 205     |")
                .contains("0 good, 1 bad (delay), 0 not judged, 1 skipped (other)")
                .contains("1 not reached (third).")
                .contains(
                        "` of commit abc, on a machine: 0 good, 1 bad (delay)",
                        "- Builds ran beside it.\n- Phasewise: abc\n");
    }

    @Test
    void whereTheRulesOfBeforeNameAnotherBothAreShown() {
        RowResult differs = RowResults.measured(
                "differs",
                Map.of(),
                naming(RowResult.SUSPECT, "2 network_threads/fetch"),
                naming(RowResult.SUSPECT, "2 network_threads/commit"),
                naming(RowResult.FORMER_SUSPECT, "2 unknown/fetch"));
        RowResult same = RowResults.measured(
                "same",
                Map.of(),
                naming(RowResult.SUSPECT, "3 disk/commit"),
                naming(RowResult.FORMER_SUSPECT, "3 disk/publish"));

        String page = page(of(differs, same, SEEN));
        assertThat(page.substring(page.indexOf("## Where the rules of before"), page.indexOf("## Phases")))
                .contains("Both were recorded in 2 of these attempts.")
                .contains("| differs | 2 network_threads | 2 unknown           |")
                .doesNotContain("| same");
    }

    private static RowResult.Naming naming(String what, String who) {
        return new RowResult.Naming(what, who, RowResult.Right.NEITHER, 5.0);
    }

    @Test
    void phasesAndEndsOfProbesAreShownApart() {
        assertThat(page(document))
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
        assertThat(page(of(broken))).contains("bad: broken off: no answer; the canary has ended |");
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
    void everyAttemptIsShownWithWhatWasDeclaredThen() {
        MatrixRun later = new MatrixRun(
                "2026-11-22T20:00:00Z",
                "./phasewise lab matrix --row delay",
                "a machine",
                Map.of(),
                List.of(),
                Map.of("delay", "about: delay, otherwise\n"),
                List.of(RowResults.measured("delay", List.of(), "")),
                List.of(),
                List.of());
        MatrixRuns.ChangedDeclaration change = new MatrixRuns.ChangedDeclaration(
                "2026-11-22", "abc1234", "delay", "bad", "95 ms", "80 ms", "it was measured");

        MatrixRuns runs = new MatrixRuns(List.of(document, later), List.of(change));

        assertThat(runs.markdown(Map.of("delay", "about: delay\n")).lines().map(line -> line.replaceAll(" +", " ")))
                .contains(
                        "| delay | 2026-11-21T20:00:00Z | as today | bad: publish grew by 80.0 ms | the same |",
                        "| | 2026-11-22T20:00:00Z | otherwise | good | the same |",
                        "| lost | 2026-11-21T20:00:00Z | unknown | not kept | unknown |",
                        "| delay | 2026-11-22 | abc1234 | bad | 95 ms | 80 ms | it was measured |");
        assertThat(runs.last()).extracting(RowResult::name).containsExactly("delay", "other");
        assertThat(runs.notReached()).containsExactly("third");
    }

    @Test
    void aDeclarationThatChangedAfterItsLastRunIsFound() {
        String now = "about: delay\n# Why.\nholds: 2s\n";
        MatrixRuns.ChangedDeclaration before =
                new MatrixRuns.ChangedDeclaration("2026-11-20", "a", "delay", "bad", "", "", "");
        MatrixRuns.ChangedDeclaration after =
                new MatrixRuns.ChangedDeclaration("2026-11-22", "a", "delay", "bad", "", "", "");
        List<MatrixRun> runs = List.of(document);

        assertThat(new MatrixRuns(runs, List.of()).changedInSilence(Map.of("delay", "about: delay\n# A comment.\n")))
                .isEmpty();
        assertThat(new MatrixRuns(runs, List.of(before)).changedInSilence(Map.of("delay", now)))
                .containsExactly("delay");
        assertThat(new MatrixRuns(runs, List.of(after)).changedInSilence(Map.of("delay", now)))
                .isEmpty();
    }

    @Test
    void resultsOfEarlierRunsAreJudgedByTodaysBounds() {
        RowResult good = RowResults.measured("good", List.of(), "");
        assertThat(Judgement.byTodaysBounds(good)).isEqualTo(good);
        RowResult wrongRole = RowResults.measured(
                "role",
                Map.of("publish", 97.0),
                new RowResult.Naming("suspect", "1 disk/publish", RowResult.Right.WRONG_ROLE, 5.0));
        assertThat(Judgement.byTodaysBounds(wrongRole).verdict())
                .isEqualTo("bad: suspect was 1 disk/publish: right broker, wrong role");
        RowResult tooMuch = RowResults.measured("much", Map.of("publish", 127.0));
        assertThat(Judgement.byTodaysBounds(tooMuch).verdict())
                .isEqualTo("bad: publish grew by 127.0 ms, 127 % of the 100.0 ms that the fault added");
        RowResult known = RowResults.measured("known to 1.5 ms", Map.of("publish", 126.0));
        assertThat(Judgement.byTodaysBounds(known).verdict()).isEqualTo("good");
    }

    private static String page(MatrixRun run) {
        return new MatrixRuns(List.of(run), List.of()).markdown(Map.of());
    }

    private static MatrixRun of(RowResult... rows) {
        return new MatrixRun("", "", "", Map.of(), List.of(), Map.of(), List.of(rows), List.of(), List.of());
    }
}
