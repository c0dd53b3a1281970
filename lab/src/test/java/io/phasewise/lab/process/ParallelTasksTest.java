/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ParallelTasksTest {

    @AfterEach
    void clearInterrupt() {
        Thread.interrupted();
    }

    @Test
    void tasksRunAtTheSameTime() throws Exception {
        CyclicBarrier together = new CyclicBarrier(2);
        ParallelTasks.Task meeting = () -> together.await(10, TimeUnit.SECONDS);

        ParallelTasks.run(List.of(meeting, meeting));
        assertThat(together.isBroken()).isFalse();
    }

    @Test
    void theFirstFailureInterruptsTheOthersAndIsTold() {
        CountDownLatch interrupted = new CountDownLatch(1);
        ParallelTasks.Task failing = () -> {
            throw new IOException("no broker");
        };

        assertThatThrownBy(() -> ParallelTasks.run(List.of(failing, endless(interrupted))))
                .isInstanceOf(IOException.class)
                .hasMessage("no broker");
        assertThat(interrupted.getCount()).isZero();
    }

    @Test
    void anInterruptEndsTheTasksBeforeItIsPassedOn() {
        CountDownLatch interrupted = new CountDownLatch(1);
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> ParallelTasks.run(List.of(endless(interrupted))))
                .isInstanceOf(InterruptedException.class);
        assertThat(interrupted.getCount()).isZero();
    }

    /** Never ends but by an interrupt, which it tells. */
    private static ParallelTasks.Task endless(CountDownLatch interrupted) {
        return () -> {
            try {
                new CountDownLatch(1).await();
            } finally {
                interrupted.countDown();
            }
        };
    }
}
