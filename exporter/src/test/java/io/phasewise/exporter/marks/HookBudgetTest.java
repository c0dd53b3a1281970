/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.marks;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.exporter.instrument.FakeJvm;
import io.phasewise.exporter.instrument.Hook;
import io.phasewise.exporter.instrument.Hooks;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HookBudgetTest {

    private static final long SECOND = 1_000_000_000;

    private final List<String> log = new ArrayList<>();
    private final Hooks hooks = new Hooks(log::add);
    private final HookBudget budget = new HookBudget("appends");
    private int off;
    private long now = -3 * SECOND;

    @BeforeEach
    void install() {
        assertThat(hooks.claim()).isTrue();
        hooks.install(
                new FakeJvm().instrumentation(),
                List.of(new Hook("appends", "no appends", () -> off++)));
        budget.check(now);
    }

    @AfterEach
    void release() {
        hooks.release();
    }

    private void tenSeconds(long spent) {
        budget.spend(spent);
        for (int i = 0; i < 100; i++) {
            now += SECOND / 10;
            budget.check(now);
        }
    }

    @Test
    void aHookThatTakesTooMuchForHalfAMinuteEnds() {
        tenSeconds(SECOND / 5);
        tenSeconds(SECOND / 5);
        assertThat(off).isZero();
        tenSeconds(SECOND / 5);

        assertThat(off).isOne();
        assertThat(log).singleElement().asString().contains("no appends", "2.0 %", "1 %");
        tenSeconds(SECOND / 5);
        assertThat(log).hasSize(1);
    }

    @Test
    void oneLongCallEndsNothing() {
        for (int i = 0; i < 5; i++) {
            tenSeconds(20 * SECOND);
            tenSeconds(20 * SECOND);
            tenSeconds(SECOND / 11);
        }

        assertThat(off).isZero();
        assertThat(log).isEmpty();
    }
}
