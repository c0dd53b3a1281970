/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class ImpatientReadTest {

    private static final Duration BOUND = Duration.ofSeconds(20);

    /** A process may have all the threads that it can have, for a while. */
    @Test
    void aThreadThatCannotStartIsNoReadUnderWay() throws Exception {
        AtomicBoolean full = new AtomicBoolean(true);
        ImpatientRead<String> reads = new ImpatientRead<>("test", BOUND, thread -> {
            if (full.get()) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            thread.start();
        });

        assertThatThrownBy(() -> reads.read(() -> "a")).isInstanceOf(OutOfMemoryError.class);
        assertThat(reads.isReading()).isFalse();

        full.set(false);
        assertThat(reads.read(() -> "b")).contains("b");
    }

    @Test
    void aReadThatHangsIsTheOnlyOne() throws Exception {
        CountDownLatch free = new CountDownLatch(1);
        ImpatientRead<String> reads = new ImpatientRead<>("test", Duration.ofMillis(1));

        assertThat(reads.read(() -> {
                    free.await();
                    return "late";
                }))
                .isEmpty();
        assertThat(reads.isReading()).isTrue();
        assertThat(reads.read(() -> "next")).isEmpty();

        free.countDown();
        await().atMost(BOUND).until(() -> !reads.isReading());
    }
}
