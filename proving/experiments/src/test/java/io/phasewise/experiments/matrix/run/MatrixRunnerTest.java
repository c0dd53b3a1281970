/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phasewise.common.cli.MissingException;
import io.phasewise.experiments.cluster.ClusterSpec;
import io.phasewise.experiments.matrix.result.RowResult;
import io.phasewise.experiments.matrix.result.RowResults;
import io.phasewise.experiments.matrix.row.DeclaredRows;
import io.phasewise.experiments.matrix.row.Row;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class MatrixRunnerTest {
    private static final String PLAIN = "[]";
    private static final String SECURED = "{kind: revoked-permission}";
    private static final String CLOCK = "{kind: stepped-clock, ahead: 1s}";

    private final List<String> events = new ArrayList<>();
    private final List<String> lines = new ArrayList<>();
    private final List<RowResult> results = new ArrayList<>();
    private ClusterSpec unwilling;
    private String breaking = "";
    private boolean alive = true;
    private boolean interrupted;
    private boolean full;
    private Function<String, Optional<String>> obstacles = row -> Optional.empty();
    private MatrixRunner.Opener opener = Scenery::new;

    @Test
    void aResultIsHandedOnBeforeTheNextRowBegins() throws Exception {
        run(row("a", PLAIN), row("c", CLOCK), row("b", PLAIN));

        assertThat(events)
                .containsExactly(
                        "3-brokers up",
                        "a",
                        "a good",
                        "b",
                        "b good",
                        "3-brokers down",
                        "3-brokers-clock up",
                        "c",
                        "c good",
                        "3-brokers-clock down");
        assertThat(lines)
                .containsExactly(
                        "[1] a (about 2 min): something",
                        "[2] b (about 2 min): something",
                        "[3] c (about 2 min): something");
    }

    @Test
    void aRowThatThisMachineCannotCarryOutIsSkippedAndSaysWhy() throws Exception {
        obstacles = row -> row.equals("c") ? Optional.of("no such library") : Optional.empty();

        run(row("a", PLAIN), row("c", CLOCK));

        assertThat(events).containsExactly("c skipped", "3-brokers up", "a", "a good", "3-brokers down");
        assertThat(results.get(0).verdict()).contains("no such library");
    }

    @Test
    void aSceneThatDoesNotStartIsAFaultOfItsRowsAlone() throws Exception {
        unwilling = layout(SECURED);

        run(row("a", PLAIN), row("b", SECURED), row("c", CLOCK));

        assertThat(events).contains("a good", "b bad", "c good").doesNotContain("b");
        assertThat(results.get(1).verdict())
                .isEqualTo("bad: not run, what it needs did not start: java.io.IOException: no disk");
        assertThat(results.get(1).reasons().get(0)).endsWith("and a log of it");
    }

    @Test
    void aRowThatBreaksOffLeavesThoseAfterItUnjudgedOnItsSceneOnly() throws Exception {
        breaking = "a";
        alive = false;

        run(row("a", PLAIN), row("b", PLAIN), row("c", CLOCK));

        assertThat(events).contains("a bad", "b not judged", "3-brokers down", "c good");
        assertThat(results.get(0).verdict())
                .isEqualTo("bad: broken off: java.lang.IllegalStateException: why; the canary has ended");
        assertThat(results.get(1).notJudged()).isEqualTo("not run, as a broke off on the same brokers");
    }

    @Test
    void whatIsMissingAltogetherEndsTheRun() {
        opener = spec -> {
            throw new MissingException("no prometheus", "Install it.");
        };

        assertThatExceptionOfType(MissingException.class).isThrownBy(() -> run(row("a", PLAIN)));
        assertThat(results).isEmpty();
    }

    @Test
    void anInterruptionIsNoFaultOfARow() {
        unwilling = layout(PLAIN);
        interrupted = true;

        assertThatIOException().isThrownBy(() -> run(row("a", PLAIN)));
        assertThat(results).isEmpty();
    }

    @Test
    void aResultThatCannotBeKeptEndsTheRun() {
        full = true;

        assertThatThrownBy(() -> run(row("a", PLAIN), row("b", PLAIN))).hasRootCauseMessage("disk full");
        assertThat(events).containsExactly("3-brokers up", "a", "3-brokers down");
    }

    private void run(Row... rows) throws IOException, InterruptedException {
        new MatrixRunner(row -> obstacles.apply(row.name()), opener, () -> interrupted, lines::add, this::keep)
                .run(List.of(rows));
    }

    private void keep(RowResult result) {
        if (full) {
            throw new UncheckedIOException(new IOException("disk full"));
        }
        results.add(result);
        events.add(result.name() + " " + result.state().label());
    }

    private static Row row(String name, String fault) {
        return DeclaredRows.row(name, fault, "{leaders: [1], unmoved: true}");
    }

    private static ClusterSpec layout(String fault) {
        return row("any", fault).layout();
    }

    private final class Scenery implements MatrixRunner.Stage {
        private final ClusterSpec spec;

        Scenery(ClusterSpec spec) throws IOException {
            if (spec.equals(unwilling)) {
                throw new IOException("no disk\nand a log of it");
            }
            this.spec = spec;
            events.add(spec.label() + " up");
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
        public Duration estimate(Row row) {
            return Duration.ofMinutes(2);
        }

        @Override
        public boolean canaryAlive() {
            return alive;
        }

        @Override
        public void close() {
            events.add(spec.label() + " down");
        }
    }
}
