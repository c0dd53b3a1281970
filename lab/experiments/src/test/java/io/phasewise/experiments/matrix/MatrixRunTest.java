/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.phasewise.experiments.plan.MissingException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MatrixRunTest {
    private final List<String> events = new ArrayList<>();
    private final List<RowResult> results = new ArrayList<>();
    private SceneKind unwilling;
    private String breaking = "";
    private boolean alive = true;
    private boolean interrupted;

    @Test
    void aResultIsHandedOnBeforeTheNextRowBegins() throws Exception {
        run(row("a", Row.Needs.NOTHING), row("c", Row.Needs.CLOCK), row("b", Row.Needs.ALERTS));

        assertThat(events)
                .containsExactly(
                        "PLAIN up",
                        "a",
                        "a good",
                        "b",
                        "b good",
                        "PLAIN down",
                        "FALSE_CLOCK up",
                        "c",
                        "c good",
                        "FALSE_CLOCK down");
    }

    @Test
    void aSceneThatDoesNotStartIsAFaultOfItsRowsAlone() throws Exception {
        unwilling = SceneKind.SECURED;

        run(row("a", Row.Needs.NOTHING), row("b", Row.Needs.ACLS), row("c", Row.Needs.CLOCK));

        assertThat(events).contains("a good", "b bad", "c good").doesNotContain("b");
        assertThat(results.get(1).verdict())
                .isEqualTo(
                        "bad: not run, what it needs did not start: java.io.IOException: no disk");
        assertThat(results.get(1).reasons().get(0)).endsWith("and a log of it");
    }

    @Test
    void aRowThatBreaksOffLeavesThoseAfterItUnjudgedOnItsSceneOnly() throws Exception {
        breaking = "a";
        alive = false;

        run(row("a", Row.Needs.NOTHING), row("b", Row.Needs.NOTHING), row("c", Row.Needs.CLOCK));

        assertThat(events).contains("a bad", "b not judged", "PLAIN down", "c good");
        assertThat(results.get(0).verdict())
                .isEqualTo(
                        "bad: broken off: java.lang.IllegalStateException: why; the canary has"
                                + " ended");
        assertThat(results.get(0).canary().alive()).isFalse();
        assertThat(results.get(1).notJudged())
                .isEqualTo("not run, as a broke off on the same brokers");
    }

    @Test
    void whatIsMissingAltogetherEndsTheRun() {
        MatrixRun run =
                new MatrixRun(
                        kind -> {
                            throw new MissingException("no prometheus");
                        },
                        () -> false,
                        results::add);

        assertThatExceptionOfType(MissingException.class)
                .isThrownBy(() -> run.run(List.of(row("a", Row.Needs.NOTHING))));
        assertThat(results).isEmpty();
    }

    @Test
    void anInterruptionIsNoFaultOfARow() {
        unwilling = SceneKind.PLAIN;
        interrupted = true;

        assertThatIOException().isThrownBy(() -> run(row("a", Row.Needs.NOTHING)));
        assertThat(results).isEmpty();
    }

    @Test
    void aResultThatCannotBeKeptEndsTheRun() {
        MatrixRun run =
                new MatrixRun(
                        Scenery::new,
                        () -> false,
                        result -> {
                            throw new IOException("disk full");
                        });

        assertThatIOException()
                .isThrownBy(
                        () ->
                                run.run(
                                        List.of(
                                                row("a", Row.Needs.NOTHING),
                                                row("b", Row.Needs.NOTHING))))
                .withMessage("disk full");
        assertThat(events).containsExactly("PLAIN up", "a", "PLAIN down");
    }

    private void run(Row... rows) throws IOException, InterruptedException {
        new MatrixRun(
                        Scenery::new,
                        () -> interrupted,
                        result -> {
                            results.add(result);
                            events.add(result.name() + " " + result.state().label());
                        })
                .run(List.of(rows));
    }

    private static Row row(String name, Row.Needs needs) {
        return Row.of(name, "", scene -> () -> {}, Duration.ZERO, Effect.IS_FELT, Set.of())
                .needing(needs);
    }

    private final class Scenery implements MatrixRun.Stage {
        private final SceneKind kind;

        Scenery(SceneKind kind) throws IOException {
            if (kind == unwilling) {
                throw new IOException("no disk\nand a log of it");
            }
            this.kind = kind;
            events.add(kind + " up");
        }

        @Override
        public RowResult run(Row row) {
            events.add(row.name());
            if (row.name().equals(breaking)) {
                throw new IllegalStateException("why\nand a log of it");
            }
            return RowResults.measured(row.name(), List.of(), "");
        }

        @Override
        public boolean canaryAlive() {
            return alive;
        }

        @Override
        public void close() {
            events.add(kind + " down");
        }
    }
}
