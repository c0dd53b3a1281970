/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.marks;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.exporter.instrument.FakeJvm;
import io.phasewise.exporter.instrument.Hook;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HookBudgetTest {

    private static final long SECOND = 1_000_000_000;

    private final HookBudget budget = new HookBudget("appends");
    private int off;
    private long now = -3 * SECOND;

    @AutoClose
    private final FakeJvm jvm = new FakeJvm(new Hook("appends", "no appends", () -> off++));

    @BeforeEach
    void begin() {
        budget.check(now);
    }

    private void tenSeconds(int calls, long nanosEach) {
        budget.spend(calls, nanosEach);
        for (int i = 0; i < 100; i++) {
            now += SECOND / 10;
            budget.check(now);
        }
    }

    @Test
    void aHookThatTakesTooMuchForTwoMinutesEnds() {
        for (int i = 0; i < 11; i++) {
            tenSeconds(2_000, 100_000);
        }
        assertThat(off).isZero();
        tenSeconds(2_000, 100_000);

        assertThat(off).isOne();
        assertThat(jvm.log()).singleElement().asString().contains("no appends", "2.0 %", "1 %");
        tenSeconds(2_000, 100_000);
        assertThat(jvm.log()).hasSize(1);
    }

    /**
     * Of a thread that others keep from running: ten times a second, in a hook that takes 0.1 %.
     */
    @Test
    void whatABusyMachineAddsToCallsEndsNothing() {
        for (int i = 0; i < 20; i++) {
            budget.spend(10, SECOND / 10);
            tenSeconds(1_000, 10_000);
        }

        assertThat(off).isZero();
        assertThat(jvm.log()).isEmpty();
    }

    @Test
    void aHookWhoseEveryCallIsSlowEnds() {
        for (int i = 0; i < 12; i++) {
            tenSeconds(200, SECOND / 100);
        }

        assertThat(off).isOne();
    }
}
