/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.progress;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressTest {

    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final AtomicLong nanos = new AtomicLong();

    private Screen screen(Terminal terminal) {
        return new Screen(new PrintStream(written, false, StandardCharsets.UTF_8), terminal);
    }

    private Progress plain(String step) {
        return Progress.open(screen(Terminal.plain()), List.of(step), nanos::get);
    }

    private void pass(long seconds) {
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
    }

    private List<String> lines() {
        return written.toString(StandardCharsets.UTF_8).lines().toList();
    }

    @Test
    void elsewhereThanOnATerminalEachChangeOfStateIsALine() {
        try (Progress progress = plain("canary")) {
            progress.update("canary", StepState.WORKING, "starting");
            progress.update("canary", StepState.WORKING, "waiting");
            pass(3);
            progress.update("canary", StepState.READY, "ready");
        }

        assertThat(lines()).containsExactly("canary: starting", "canary: ready (3.0 s)");
    }

    @Test
    void theTimeThatAStepWaitsForAnotherIsNotItsOwn() {
        try (Progress progress = plain("prometheus")) {
            progress.update("prometheus", StepState.WORKING, "looking");
            progress.update("prometheus", StepState.WAITING, "for the canary");
            pass(20);
            progress.update("prometheus", StepState.WORKING, "starting");
            pass(1);
            progress.update("prometheus", StepState.READY, "ready");
        }

        assertThat(lines()).containsExactly("prometheus: looking", "prometheus: starting", "prometheus: ready (1.0 s)");
    }

    @Test
    void aLongStepGivesASignOfLifeNowAndThen() {
        try (Progress progress = plain("prometheus")) {
            progress.update("prometheus", StepState.WORKING, "building");
            pass(14);
            progress.update("prometheus", StepState.WORKING, "10 packages");
            pass(2);
            progress.update("prometheus", StepState.WORKING, "20 packages");
            pass(1);
            progress.update("prometheus", StepState.WORKING, "30 packages");
        }

        assertThat(lines()).containsExactly("prometheus: building", "prometheus: 20 packages");
    }

    @Test
    void onATerminalEachStepHasARowWithItsTime() {
        ScheduledExecutorService never = Executors.newSingleThreadScheduledExecutor();
        InPlaceProgress progress = new InPlaceProgress(
                screen(new Terminal(true, false, false)), List.of("broker-1", "canary", "grafana"), nanos::get, never);
        progress.update("broker-1", StepState.WORKING, "starting");
        pass(2);
        progress.update("broker-1", StepState.READY, "ready");
        progress.update("grafana", StepState.SKIPPED, "not found");
        pass(5);

        assertThat(progress.lines())
                .containsExactly(
                        "  + broker-1    2.0 s  ready", "  . canary           ", "  - grafana     0.0 s  not found");
        progress.close();
        assertThat(never.isShutdown()).isTrue();
    }

    @Test
    void theLastStateOfAStepStaysOnTheScreen() {
        Progress progress = Progress.open(screen(new Terminal(true, false, true)), List.of("canary"), nanos::get);
        progress.update("canary", StepState.FAILED, "no");

        progress.close();

        assertThat(lines()).last().asString().startsWith("\u001b[?7h");
        assertThat(lines()).anySatisfy(line -> assertThat(line).contains("✘ canary", "no"));
    }
}
