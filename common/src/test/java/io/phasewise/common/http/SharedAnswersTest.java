/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SharedAnswersTest {

    private static final Duration BOUND = Duration.ofSeconds(20);

    private final SharedAnswers answers = new SharedAnswers(System::nanoTime);
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger atOnce = new AtomicInteger();
    private final AtomicInteger mostAtOnce = new AtomicInteger();
    private final CountDownLatch free = new CountDownLatch(1);

    @Test
    void whoAskMeanwhileGetTheNextOneTogether() throws Exception {
        FutureTask<Answer> first = ask("text");
        await().atMost(BOUND).until(() -> begun.get() == 1);
        List<FutureTask<Answer>> later = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            later.add(ask("text"));
        }
        await().atMost(BOUND).until(() -> waiting() == 50);
        free.countDown();

        Answer mine = first.get(20, TimeUnit.SECONDS);
        List<Answer> theirs = new ArrayList<>();
        for (FutureTask<Answer> each : later) {
            theirs.add(each.get(20, TimeUnit.SECONDS));
        }
        assertThat(theirs.stream().distinct().collect(Collectors.toList()))
                .as("begun after they asked")
                .hasSize(1)
                .doesNotContain(mine);
        assertThat(begun).hasValue(2);
    }

    @Test
    void thoseOfSeveralKindsAreMadeOneAfterTheOther() throws Exception {
        free.countDown();
        List<FutureTask<Answer>> all = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            all.add(ask("kind " + i));
        }
        for (FutureTask<Answer> each : all) {
            assertThat(each.get(20, TimeUnit.SECONDS).status).isEqualTo(200);
        }

        assertThat(begun).hasValue(20);
        assertThat(mostAtOnce).hasValue(1);
    }

    /** A second of asking without a pause, where an answer takes 10 ms: it could have made 100. */
    @Test
    void restsBetweenAnswers() throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
        while (System.nanoTime() < end) {
            answers.of("text", () -> {
                begun.incrementAndGet();
                long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(10);
                while (System.nanoTime() < until) {
                    Thread.onSpinWait();
                }
                return Answer.text(200, "text");
            });
        }

        assertThat(begun).hasValueBetween(1, 26);
    }

    @Test
    void noAnswerIsOlderThanTheRequestOfOneWhoAsksAlone() throws Exception {
        assertThat(answers.of("text", SharedAnswersTest::slowly))
                .isNotSameAs(answers.of("text", SharedAnswersTest::slowly));
    }

    @Test
    void whileItRestsTheLastAnswerIsGivenAgainWhereSomebodyWaitsAlready() throws Exception {
        AtomicLong now = new AtomicLong();
        SharedAnswers clocked = new SharedAnswers(now::get);
        Answer first = clocked.of("text", () -> {
            now.addAndGet(TimeUnit.SECONDS.toNanos(1));
            return Answer.text(200, "text");
        });
        FutureTask<Answer> waits = new FutureTask<>(() -> clocked.of("text", () -> Answer.text(200, "next")));
        Thread thread = new Thread(waits, "waits");
        thread.start();
        await().atMost(BOUND).until(() -> thread.getState() == Thread.State.TIMED_WAITING);

        assertThat(clocked.of("text", () -> Answer.text(200, "other"))).isSameAs(first);
        assertThat(waits.get(20, TimeUnit.SECONDS)).isNotSameAs(first);
    }

    private static Answer slowly() throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(30);
        return Answer.text(200, "text");
    }

    @Test
    void whatFailsFailsForAllWhoWaitAndForNobodyElse() throws Exception {
        assertThatThrownBy(() -> answers.of("text", () -> {
                    throw new IllegalStateException("broken");
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("broken");

        assertThat(answers.of("text", () -> Answer.text(200, "text")).status).isEqualTo(200);
    }

    private FutureTask<Answer> ask(String kind) {
        FutureTask<Answer> asked = new FutureTask<>(() -> answers.of(kind, () -> make(kind)));
        Thread thread = new Thread(asked, "asks");
        thread.setDaemon(true);
        thread.start();
        return asked;
    }

    private Answer make(String kind) throws InterruptedException {
        begun.incrementAndGet();
        mostAtOnce.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
        free.await();
        atOnce.decrementAndGet();
        return Answer.text(200, kind);
    }

    /** All but the one that makes the first answer. */
    private static long waiting() {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(each -> each.getKey().getName().equals("asks"))
                .filter(each -> each.getKey().getState() == Thread.State.TIMED_WAITING)
                .count();
    }
}
