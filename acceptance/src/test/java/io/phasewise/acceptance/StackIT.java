/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static io.phasewise.acceptance.Http.eventually;
import static io.phasewise.acceptance.Http.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * What a detached stack shows, and what becomes of a fault in it.
 *
 * <p>Two whole stacks at a time are more than a small machine bears, hence the lock.
 */
@Order(1)
@ResourceLock("stack")
class StackIT extends AnyStack {
    StackIT() {
        super(false);
    }

    @Override
    Launcher launcher(Path directory) {
        return Launcher.onFreePorts(directory.resolve("state"), Map.of());
    }

    @Test
    void aKilledBrokerIsNoticedWhileTheOthersGoOnMeasuringAndUpBringsItBack() {
        long pid = stack().launcher().component("broker-2").path("pid").asLong();
        ProcessHandle.of(pid).orElseThrow().destroyForcibly();

        patiently().until(() -> canaryIsReady() == 503);
        eventually(
                () ->
                        assertThat(stack().query("up{job=\"kafka-broker\"}", "broker"))
                                .containsExactly(
                                        Map.entry("1", 1.0),
                                        Map.entry("2", 0.0),
                                        Map.entry("3", 1.0)));
        assertThat(stack().launcher().component("broker-2").path("healthy").asBoolean()).isFalse();
        // A window that lies wholly behind the kill: the two others have never stopped.
        eventually(
                () ->
                        assertThat(probesPerSecond())
                                .hasEntrySatisfying("1", r -> assertThat(r).isPositive())
                                .hasEntrySatisfying("3", r -> assertThat(r).isPositive()));

        stack().startWhatIsDown();

        patiently().until(() -> canaryIsReady() == 200);
        everyTargetIsUpAndEveryLeaderIsProbed();
    }

    private int canaryIsReady() {
        return http().statusCode(stack().url(9470) + "/-/ready");
    }

    @Test
    void aSecondStackOnTheSamePortsIsRefused(@TempDir Path other) {
        Launcher launcher = stack().launcher();
        Launcher second = launcher.onTheSamePorts(other.resolve("state"));
        Command.Result up = second.up(Http.PATIENCE);

        assertThat(up.exitCode()).as(up.output()).isEqualTo(1);
        assertThat(up.output())
                .contains(
                        "port %1$d (broker-1) is taken; `ss -ltnp 'sport = :%1$d'`"
                                .formatted(launcher.port(19092)),
                        "--port-offset");
        assertThat(second.processes()).isEmpty();
    }
}
