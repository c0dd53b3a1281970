/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.phasewise.canary.supervise.Supervisor;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SchedulerTest {
    private record Handed(int partition, long due, long now) {}

    private final List<Handed> handed = new CopyOnWriteArrayList<>();
    private final List<Throwable> faults = new CopyOnWriteArrayList<>();
    private Scheduler scheduler;

    @AfterEach
    void stop() throws InterruptedException {
        scheduler.stop();
    }

    @Test
    void handsOverAtTheRateAskedForAndNeverEarly() {
        start((p, due, now) -> handed.add(new Handed(p, due, now)));

        scheduler.serve(Set.of(0, 1));

        await().until(() -> handed.size() >= 100);
        assertThat(handed).allMatch(h -> h.now() >= h.due());
        assertThat(handed).extracting(Handed::partition).contains(0, 1);
    }

    @Test
    void aDispatchThatBlocksDelaysProbesButLosesAndShiftsNone() {
        Semaphore release = blockedForFiftyMilliseconds();
        long first = handed.get(0).due();

        release.release();

        await().until(() -> handed.size() > 60);
        for (int i = 0; i < 60; i++) {
            assertThat(handed.get(i).due() - first).isEqualTo(i * 1_000_000L);
        }
        assertThat(handed.get(1).now() - handed.get(1).due()).isGreaterThan(40_000_000);
    }

    @Test
    void whatIsOverdueForAPartitionThatIsServedNoLongerIsHandedOverFirst() {
        Semaphore release = blockedForFiftyMilliseconds();
        long asked = System.nanoTime();
        scheduler.serve(Set.of());

        release.release();

        await().until(() -> handed.get(handed.size() - 1).due() - asked > -2_000_000);
    }

    /** The first probe's dispatch lasts until it is released. */
    private Semaphore blockedForFiftyMilliseconds() {
        Semaphore release = new Semaphore(0);
        start((p, due, now) -> {
            handed.add(new Handed(p, due, now));
            if (handed.size() == 1) {
                release.acquireUninterruptibly();
            }
        });
        scheduler.serve(Set.of(0));
        await().until(() -> handed.size() == 1);
        long first = handed.get(0).due();
        await().until(() -> System.nanoTime() - first > 50_000_000);
        return release;
    }

    @Test
    void aDispatchThatThrowsCostsOneProbeAndIsCounted() {
        AtomicInteger calls = new AtomicInteger();
        start((p, due, now) -> {
            if (calls.incrementAndGet() == 3) {
                throw new IllegalStateException("a fault");
            }
            handed.add(new Handed(p, due, now));
        });

        scheduler.serve(Set.of(0));

        await().until(() -> handed.size() >= 20);
        assertThat(faults).hasSize(1).first().isInstanceOf(IllegalStateException.class);
        long first = handed.get(0).due();
        assertThat(handed.get(1).due() - first).isEqualTo(1_000_000L);
        assertThat(handed.get(2).due() - first).as("the third alone is missing").isEqualTo(3_000_000L);
        assertThat(handed.get(19).due() - first).isEqualTo(20_000_000L);
    }

    private void start(Scheduler.Sender sender) {
        scheduler = new Scheduler(
                new Supervisor(System::nanoTime),
                "test",
                (partition, start) -> new UniformArrivals(start, 1000),
                sender,
                faults::add,
                System::nanoTime);
        scheduler.start();
    }
}
