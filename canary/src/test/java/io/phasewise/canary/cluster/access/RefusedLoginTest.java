/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RefusedLoginTest {
    private static final Map<Path, String> BEFORE = Map.of(Path.of("password"), "1");
    private static final Map<Path, String> CHANGED = Map.of(Path.of("password"), "2");

    private final RefusedLogin login = new RefusedLogin();

    @Test
    void theFirstAttemptWaitsForNothing() {
        assertThat(login.waits(0, () -> BEFORE)).isFalse();
    }

    /** Seven attempts in ten minutes; many systems lock an account after ten in half an hour. */
    @Test
    void pausesGrowToFiveMinutes() {
        List<Long> attempts = new ArrayList<>();
        for (long second = 0; second <= 1_800; second++) {
            long now = Duration.ofSeconds(second).toNanos();
            if (!login.waits(now, () -> BEFORE)) {
                attempts.add(second);
                login.refused(now, BEFORE);
            }
        }
        assertThat(attempts).containsExactly(0L, 10L, 30L, 70L, 150L, 310L, 610L, 910L, 1210L, 1510L);
    }

    @Test
    void aChangedFileIsTriedAtOnceAndThePausesBeginAgain() {
        login.refused(0, BEFORE);
        login.refused(0, BEFORE);
        assertThat(login.waits(1, () -> BEFORE)).isTrue();
        assertThat(login.waits(1, () -> CHANGED)).isFalse();
        login.refused(1, CHANGED);
        assertThat(login.waits(Duration.ofSeconds(9).toNanos(), () -> CHANGED)).isTrue();
        assertThat(login.waits(Duration.ofSeconds(11).toNanos(), () -> CHANGED)).isFalse();
    }

    @Test
    void onceAcceptedNothingWaits() {
        login.refused(0, BEFORE);
        login.accepted();
        assertThat(login.waits(1, () -> BEFORE)).isFalse();
    }
}
