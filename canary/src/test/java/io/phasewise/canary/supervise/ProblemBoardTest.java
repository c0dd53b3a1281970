/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class ProblemBoardTest {
    private static final Problem DENIED = new Problem("topic.name", "denied");

    private final AtomicLong clock = new AtomicLong();
    private final Logger logger = (Logger) LoggerFactory.getLogger(ProblemBoard.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final ProblemBoard board = new ProblemBoard("cluster prod", clock::get);

    @BeforeEach
    void listen() {
        logger.setAdditive(false);
        // Whatever configuration is first on the class path.
        logger.setLevel(Level.INFO);
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(log);
        logger.setLevel(null);
        logger.setAdditive(true);
    }

    @Test
    void aProblemIsLoggedOnceAndOnceWhenItsPosterSaysNoMoreOfIt() {
        Problem other = new Problem("producer", "slow");
        board.post("producer", List.of(other));
        for (int i = 0; i < 5; i++) {
            board.post("topic", List.of(DENIED));
        }
        assertThat(board.problems()).containsExactlyInAnyOrder(DENIED, other);

        board.post("topic", List.of());
        board.post("topic", List.of());
        assertThat(board.problems()).containsExactly(other);
        assertThat(lines())
                .containsExactly(
                        "WARN cluster prod: producer: slow",
                        "WARN cluster prod: topic.name: denied",
                        "INFO cluster prod: topic.name: solved");
    }

    @Test
    void aProblemThatAnotherOneHidesIsNotCalledSolved() {
        board.post("topic", List.of(DENIED));
        board.post("topic", List.of(new Problem("bootstrap-servers", "silent")));
        board.post("topic", List.of());

        assertThat(lines())
                .containsExactly(
                        "WARN cluster prod: topic.name: denied",
                        "WARN cluster prod: bootstrap-servers: silent",
                        "INFO cluster prod: topic.name: not seen any more",
                        "INFO cluster prod: bootstrap-servers: solved");
    }

    @Test
    void aProblemThatIsRewordedIsLoggedOnceAMinuteAtMost() {
        for (int i = 0; i < 100; i++) {
            board.post("producer", List.of(new Problem("producer", "attempt " + i)));
            clock.addAndGet(Duration.ofSeconds(1).toNanos());
        }

        assertThat(lines())
                .containsExactly("WARN cluster prod: producer: attempt 0", "WARN cluster prod: producer: attempt 60");
        assertThat(board.problems()).containsExactly(new Problem("producer", "attempt 99"));
    }

    private List<String> lines() {
        return log.list.stream()
                .map(e -> e.getLevel() + " " + e.getFormattedMessage())
                .toList();
    }
}
