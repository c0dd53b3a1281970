/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.stack.LocalStack;
import io.phasewise.lab.process.Await;
import io.phasewise.lab.process.ManagedProcess;
import io.phasewise.lab.process.ProcessIdentity;
import io.phasewise.lab.process.ShellChild;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Stops real processes, of which each does nothing but wait. */
@DisabledOnOs(OS.WINDOWS)
class StackDownTest {

    private static final StackPorts PORTS = new StackPorts(0, 0);

    @TempDir
    Path temporary;

    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final List<ManagedProcess> started = new ArrayList<>();
    private StateDirectory directory;
    private StackDown down;

    @BeforeEach
    void prepare() throws Exception {
        directory = new StateDirectory(new LocalStack(temporary.resolve("state")));
        directory.prepare();
        down = new StackDown(directory, Samples.context(temporary, Map.of(), written));
    }

    @AfterEach
    void endWhatIsLeft() {
        started.forEach(ManagedProcess::close);
    }

    @Test
    void everythingThatRunsIsStoppedTheCanaryFirstAndTheBrokersLast() throws Exception {
        runs(start("broker-1"), start("canary"), start("receiver"));

        assertThat(down.down(Duration.ZERO)).isEqualTo(3);

        // Java hears of the end of a child a moment after the kernel has ended it.
        Await.that("all have ended", Duration.ofSeconds(10))
                .until(() -> started.stream().noneMatch(ManagedProcess::isAlive), () -> "some run");
        assertThat(directory.read()).hasValue(StackState.empty(PORTS));
        assertThat(written.toString(StandardCharsets.UTF_8).lines())
                .filteredOn(line -> line.contains("stopping"))
                .containsExactly("canary: stopping", "receiver: stopping", "broker-1: stopping");
    }

    @Test
    void aProcessThatHasOurPidByChanceIsLeftAlone() throws Exception {
        long pid = start("receiver").identity().pid();
        runs(Samples.running("canary", new ProcessIdentity(pid, Instant.EPOCH)));

        assertThat(down.down(Duration.ZERO)).isZero();

        assertThat(started).allMatch(ManagedProcess::isAlive);
        assertThat(directory.read()).hasValue(StackState.empty(PORTS));
        assertThat(written.toString(StandardCharsets.UTF_8)).contains("cleaned");
    }

    private void runs(RunningComponent... components) throws Exception {
        directory.write(new StackState(PORTS, false, List.of(components)));
    }

    private RunningComponent start(String name) throws Exception {
        ManagedProcess process = ShellChild.start(temporary, name, "exec sleep 600");
        started.add(process);
        return Samples.running(name, process.identity());
    }
}
