/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PausesTest {
    private static final List<String> LOG =
            List.of(
                    "[1.000s] Safepoint \"G1CollectForAllocation\", Time since last: 10 ns,"
                            + " Reaching safepoint: 1 ns, At safepoint: 2 ns, Total: 9000000 ns",
                    "[2.000s] GC(3) Pause Young (Normal) (G1 Evacuation Pause) 23M->9M(64M) 2.1ms",
                    "[2.001s] Safepoint \"G1CollectForAllocation\", Time since last: 10 ns,"
                            + " Reaching safepoint: 1 ns, At safepoint: 2 ns, Total: 2000000 ns",
                    // As later releases say it.
                    "[3.000s] Safepoint \"ICBufferFull\", Time since last: 10 ns, Reaching"
                        + " safepoint: 1 ns, Cleanup: 1 ns, At safepoint: 2 ns, Leaving safepoint:"
                        + " 4 ns, Total:     500000 ns, Threads: 0 runnable, 30 total");

    @Test
    void earlierPausesAreLeftOut() {
        Pauses pauses = Pauses.of(LOG, 1.5);
        assertThat(pauses.milliseconds()).containsExactly(0.5, 2.0);
        assertThat(pauses.collections()).isEqualTo(1);
        assertThat(pauses.max()).isEqualTo(2.0);
        assertThat(pauses.quantile(0.5)).isEqualTo(0.5);
        assertThat(pauses.total()).isEqualTo(2.5);
    }

    @Test
    void withoutAPauseThereIsNothingToWaitFor() {
        assertThat(Pauses.of(List.of(), 0).max()).isZero();
    }
}
