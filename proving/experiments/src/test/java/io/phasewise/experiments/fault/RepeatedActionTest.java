/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phasewise.experiments.cluster.Administration;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class RepeatedActionTest {
    private static final Duration SHORT = Duration.ofMillis(1);

    private final AtomicBoolean undone = new AtomicBoolean();
    private final CountDownLatch reached = new CountDownLatch(1);

    @Test
    void whatEndedEarlyIsUndoneAndSaysSo() throws Exception {
        ActiveFault fault = RepeatedAction.every(SHORT, this::fails, () -> undone.set(true));
        reached.await();

        assertThatThrownBy(fault::close)
                .isInstanceOf(FaultException.class)
                .hasMessage("the fault ended early: broker-2 did not come back");
        assertThat(undone).isTrue();
        fault.close();
    }

    @Test
    void whatCannotBeUndoneEitherIsSaidToo() throws Exception {
        UncheckedIOException stuck = Administration.failed("start it", new IllegalStateException());
        ActiveFault undo = () -> {
            throw stuck;
        };
        ActiveFault fault = RepeatedAction.every(SHORT, this::fails, undo);
        reached.await();

        assertThatThrownBy(fault::close)
                .hasMessageContaining("broker-2 did not come back")
                .satisfies(early -> assertThat(early.getSuppressed()).containsExactly(stuck));
    }

    @Test
    void whatWentOnUntilItWasMendedIsMendedInPeace() throws Exception {
        AtomicInteger times = new AtomicInteger();
        ActiveFault fault = RepeatedAction.every(
                SHORT,
                () -> {
                    if (times.incrementAndGet() == 3) {
                        reached.countDown();
                        // Under way when it is mended.
                        new CountDownLatch(1).await();
                    }
                },
                () -> undone.set(true));
        reached.await();

        fault.close();

        assertThat(undone).isTrue();
        assertThat(times).hasValue(3);
    }

    @Test
    void whatDoesNotEndIsSaid() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        ActiveFault fault = RepeatedAction.pausing(
                SHORT,
                () -> {
                    reached.countDown();
                    awaitDeaf(release);
                },
                Duration.ofMillis(10),
                () -> undone.set(true));
        reached.await();

        assertThatThrownBy(fault::close).hasMessageContaining("the fault did not end within");
        assertThat(undone).isTrue();
        release.countDown();
    }

    private void fails() {
        reached.countDown();
        throw new IllegalStateException("broker-2 did not come back");
    }

    private static void awaitDeaf(CountDownLatch latch) {
        boolean released = false;
        while (!released) {
            try {
                released = latch.await(20, TimeUnit.SECONDS);
            } catch (InterruptedException unheard) {
                continue;
            }
        }
    }
}
