/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SupervisedLoopTest {
    private final List<Throwable> faults = new ArrayList<>();
    private final LoopHealth health = new LoopHealth("test", faults::add, () -> 0);
    private int turns;

    @Test
    void startsAgainAfterAnExceptionAndAfterAnError() {
        new SupervisedLoop(
                        health,
                        () -> turns == 4,
                        () -> {
                            turns++;
                            if (turns == 1) {
                                throw new IllegalStateException("a fault");
                            }
                            if (turns == 2) {
                                throw new NoClassDefFoundError("a class");
                            }
                        })
                .run();

        assertThat(turns).isEqualTo(4);
        assertThat(faults)
                .extracting(fault -> (Object) fault.getClass())
                .containsExactly(IllegalStateException.class, NoClassDefFoundError.class);
    }

    @Test
    void anInterruptEndsIt() {
        new SupervisedLoop(
                        health,
                        () -> false,
                        () -> {
                            throw new InterruptedException();
                        })
                .run();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(faults).isEmpty();
    }
}
