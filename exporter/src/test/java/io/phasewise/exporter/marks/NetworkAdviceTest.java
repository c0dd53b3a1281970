/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.marks;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.marks.BusyMark;
import io.phasewise.exporter.instrument.FakeJvm;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What Kafka's network classes call, with the hooks in kafka-clients' own selector. */
class NetworkAdviceTest {

    @AutoClose
    private final FakeJvm jvm = new FakeJvm(MarkHooks.networkThreads(() -> NetworkAdvice.on = false));

    @BeforeEach
    void watch() {
        NetworkAdvice.THREADS.resume(System.nanoTime());
        NetworkAdvice.on = true;
    }

    @AfterEach
    void watchNoMore() {
        NetworkAdvice.on = false;
        NetworkAdvice.THREADS.drain(System.nanoTime());
    }

    /** As Kafka's network thread does it; the pass lasts longer than a millisecond. */
    private static void work(boolean server) {
        if (NetworkAdvice.isServers(server)) {
            NetworkAdvice.selects(server);
        }
        NetworkAdvice.selected(server);
        long began = System.nanoTime();
        NetworkAdvice.sends();
        while (System.nanoTime() - began < 2 * NetworkThread.LEAST_NANOS) {
            Thread.onSpinWait();
        }
        NetworkAdvice.sent();
        if (NetworkAdvice.isServers(server)) {
            NetworkAdvice.selects(server);
        }
        NetworkAdvice.selected(server);
    }

    private static List<BusyMark> busy(Runnable work) throws InterruptedException {
        Thread thread = new Thread(work);
        thread.start();
        thread.join();
        return NetworkAdvice.THREADS.drain(System.nanoTime());
    }

    @Test
    void aNetworkThreadOfTheBrokerIsWatched() throws Exception {
        List<BusyMark> told = busy(() -> {
            NetworkAdvice.threadBegins(7, "BROKER");
            work(true);
        });

        BusyMark mark = told.get(0);
        assertThat(mark.processor).isEqualTo(7);
        assertThat(mark.queueFull)
                .isBetween(2 * NetworkThread.LEAST_NANOS - 1, mark.ended - mark.began)
                .isLessThan(TimeUnit.MINUTES.toNanos(1));
        assertThat(NetworkAdvice.BUDGET.hook()).isEqualTo(MarkHooks.NETWORK_THREADS);
    }

    @Test
    void otherThreadsAndSelectorsAreNot() throws Exception {
        assertThat(busy(() -> work(true))).as("no network thread").isEmpty();
        assertThat(busy(() -> {
                    NetworkAdvice.threadBegins(7, "CONTROLLER");
                    work(true);
                }))
                .as("of the controller in the same process")
                .isEmpty();
        assertThat(busy(() -> {
                    NetworkAdvice.threadBegins(7, "BROKER");
                    work(false);
                }))
                .as("a client's selector")
                .isEmpty();
    }

    @Test
    void switchedOffNothingIsWatched() throws Exception {
        NetworkAdvice.on = false;

        assertThat(busy(() -> {
                    NetworkAdvice.threadBegins(7, "BROKER");
                    work(true);
                }))
                .isEmpty();
    }

    @Test
    void theSelectorOfKafkasClientsHasThePlaceForIt() throws IOException {
        Class<?> selector = org.apache.kafka.common.network.Selector.class;

        assertThat(jvm.transform(selector)).isNotNull();
        assertThat(jvm.log()).isEmpty();
        assertThat(jvm.hooks().isActive(MarkHooks.NETWORK_THREADS)).isTrue();
    }

    @Test
    void ofTooManyBusyTimesTheLongestAreReported() {
        NetworkThreads threads = new NetworkThreads();
        NetworkThread thread = new NetworkThread(1, Thread.currentThread());
        threads.add(thread);
        long ms = NetworkThread.LEAST_NANOS;
        for (int i = 0; i < NetworkThreads.MOST_REPORTED + 100; i++) {
            thread.selected(i * 10 * ms);
            thread.selects(i * 10 * ms + (i < 100 ? 2 : 3) * ms);
        }

        List<BusyMark> told = threads.drain(1_000_000 * ms);
        assertThat(told).hasSize(NetworkThreads.MOST_REPORTED).allMatch(each -> each.ended - each.began == 3 * ms);
        assertThat(told).extracting(each -> each.ended).isSorted();
        assertThat(told.get(0).cut).as("shorter ones before it were left out").isTrue();
        assertThat(told.subList(1, told.size())).noneMatch(each -> each.cut);
    }

    @Test
    void whatIsLeftOutOrOverwrittenTheNextBusyTimeOfThatThreadSays() {
        NetworkThreads threads = new NetworkThreads();
        NetworkThread one = new NetworkThread(1, Thread.currentThread());
        NetworkThread other = new NetworkThread(2, Thread.currentThread());
        threads.add(one);
        threads.add(other);
        long ms = NetworkThread.LEAST_NANOS;
        for (int i = 0; i < NetworkThreads.MOST_REPORTED; i++) {
            one.selected(i * 10 * ms);
            one.selects(i * 10 * ms + 3 * ms);
        }
        other.selected(0);
        other.selects(2 * ms);
        assertThat(threads.drain(1_000_000 * ms)).noneMatch(each -> each.cut || each.processor == 2);

        other.selected(2_000_000 * ms);
        other.selects(2_000_002 * ms);
        assertThat(threads.drain(3_000_000 * ms)).singleElement().returns(true, each -> each.cut);
        for (int i = 0; i < 1_025; i++) {
            other.selected((4_000_000 + i * 10) * ms);
            other.selects((4_000_000 + i * 10) * ms + (i == 1_024 ? 3 : 2) * ms);
        }
        List<BusyMark> told = threads.drain(5_000_000 * ms);
        assertThat(told.get(0).cut).as("the first was overwritten").isTrue();
    }

    /** Otherwise a thread that waits for the request queue would look busy. */
    @Test
    void itIsCompleteOnceBothPlacesHaveCalled() {
        NetworkThreads threads = new NetworkThreads();
        threads.sawSelection();
        assertThat(threads.isComplete()).isFalse();
        threads.sawRequest();
        assertThat(threads.isComplete()).isTrue();
        NetworkThreads others = new NetworkThreads();
        others.sawRequest();
        assertThat(others.isComplete()).isFalse();
    }
}
