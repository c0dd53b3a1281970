/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

class LoopHealthTest {
    private final List<Throwable> counted = new ArrayList<>();
    private final List<String> levels = new ArrayList<>();
    private final Logger log = (Logger) Proxy.newProxyInstance(
            Logger.class.getClassLoader(), new Class<?>[] {Logger.class}, (proxy, method, arguments) -> {
                levels.add(method.getName());
                return null;
            });
    private long now;
    private final LoopHealth health = new LoopHealth("test", counted::add, () -> now, log);

    @Test
    void countsEveryFaultAndLogsTheFirstOfItsKind() {
        for (int i = 0; i < 3; i++) {
            health.failed(new IllegalStateException());
            health.succeeded();
        }
        assertThat(counted).hasSize(3);
        assertThat(levels).containsExactly("error");

        health.failed(new NullPointerException());
        assertThat(levels).containsExactly("error", "error");
    }

    @Test
    void saysOnceThatItIsWellAgainAndLogsTheNextFault() {
        health.failed(new IllegalStateException());
        now = LoopHealth.WELL_AFTER.toNanos();
        health.succeeded();
        assertThat(levels).containsExactly("error");

        now++;
        health.succeeded();
        health.succeeded();
        assertThat(levels).containsExactly("error", "info");

        health.failed(new IllegalStateException());
        assertThat(levels).containsExactly("error", "info", "error");
    }
}
