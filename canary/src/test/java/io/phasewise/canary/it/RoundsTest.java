/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RoundsTest {
    private static final Fitness FIT = new Fitness(true, "explains 1 ms");
    private static final Fitness UNFIT = new Fitness(false, "explains 99 ms");

    private long nanos;
    private int measured;

    /** Of two, for half a minute; each takes ten seconds. */
    private Rounds rounds(List<Fitness> said) throws Exception {
        Iterator<Fitness> next = said.iterator();
        return Rounds.of(
                2,
                Duration.ofSeconds(30),
                () -> nanos,
                () -> next::next,
                () -> {
                    nanos += 10_000_000_000L;
                    measured++;
                    return Map.of("round", List.of(new Stretch(null, measured, measured)));
                });
    }

    @Test
    void whatWasMeasuredOnAnUnfitMachineIsMeasuredAgainAndLeftOut() throws Exception {
        Rounds rounds = rounds(List.of(FIT, UNFIT, FIT));
        assertThat(rounds.stretches("round"))
                .extracting(Stretch::fromNanos)
                .containsExactly(1L, 3L);
    }

    @Test
    void onAMachineThatStaysUnfitTheTestFailsWithWhatTheKernelSaid() {
        assertThatThrownBy(() -> rounds(List.of(UNFIT, FIT, UNFIT, UNFIT)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("in 30 s only 1 of 2 rounds were measured on a fit machine")
                .hasMessageContaining("unfit: explains 99 ms");
        assertThat(measured).isEqualTo(4);
    }
}
