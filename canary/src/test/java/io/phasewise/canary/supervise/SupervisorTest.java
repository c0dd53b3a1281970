/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.supervise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SupervisorTest {
    private static final Duration BOUND = Duration.ofSeconds(10);

    private final Supervisor supervisor = new Supervisor(System::nanoTime);
    private final List<Throwable> faults = new CopyOnWriteArrayList<>();

    @Test
    void aLoopThatThrowsIsCountedAndGoesOnUntilItIsStopped() throws Exception {
        AtomicInteger turns = new AtomicInteger();
        CountDownLatch ended = new CountDownLatch(1);
        SupervisedThread thread = supervisor.loop(
                "test",
                fault -> {
                    faults.add(fault);
                    throw new IllegalStateException("the counter's");
                },
                () -> {
                    int turn = turns.incrementAndGet();
                    if (turn == 1) {
                        throw new IllegalStateException("a fault");
                    }
                    if (turn == 2) {
                        throw new NoClassDefFoundError("a class");
                    }
                },
                ended::countDown);
        thread.start();
        await().atMost(BOUND).until(() -> turns.get() > 5);
        assertThat(faults)
                .extracting(fault -> (Object) fault.getClass())
                .containsExactly(IllegalStateException.class, NoClassDefFoundError.class);
        assertThat(ended.getCount()).isOne();

        thread.stop();
        thread.join(BOUND);

        assertThat(ended.getCount()).isZero();
    }

    @Test
    void anInterruptEndsATurnThatWaits() throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        SupervisedThread thread =
                supervisor.loop("test", faults::add, () -> new CountDownLatch(1).await(), ended::countDown);
        thread.start();

        thread.interrupt();
        thread.join(BOUND);

        assertThat(ended.getCount()).isZero();
        assertThat(faults).isEmpty();
    }

    @Test
    void aTaskThatThrowsIsCountedAndTheNextOneIsDone() {
        ScheduledThreadPoolExecutor tasks = supervisor.tasks("test", faults::add);
        AtomicBoolean done = new AtomicBoolean();

        tasks.execute(() -> {
            throw new NoClassDefFoundError("a class");
        });
        tasks.execute(() -> done.set(true));

        await().atMost(BOUND).untilTrue(done);
        assertThat(faults).hasSize(1).first().isInstanceOf(NoClassDefFoundError.class);
        tasks.shutdownNow();
    }

    @Test
    void whatIsDoneAtOnceIsWaitedForSoLongAndNoLonger() throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        CountDownLatch never = new CountDownLatch(1);

        supervisor.atOnce(Map.of("quick", () -> done.set(true), "hangs", never::await), Duration.ofMillis(200));

        await().atMost(BOUND).untilTrue(done);
        never.countDown();
    }
}
