/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phasewise.lab.process.ManagedProcess.Ending;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Children made of the shell: how they are started, recognised, signalled and ended. */
class ManagedProcessTest {

    private static final Duration SECONDS = Duration.ofSeconds(20);
    private static final String UNTIL_ENDED = "while :; do sleep 0.05; done";

    @TempDir
    Path directory;

    @Test
    void reportsThePidOfTheProgramItselfWhichLeadsASessionOfItsOwn() throws Exception {
        try (ManagedProcess child = shell("cut -d ' ' -f 1,6 /proc/$$/stat; " + UNTIL_ENDED)) {
            awaitLine(child, child.pid() + " " + child.pid());
        }
    }

    @Test
    void appendsBothOutputsToTheLog() throws Exception {
        Path log = directory.resolve("child.log");
        Files.writeString(log, "from an earlier run\n");
        try (ManagedProcess child = shell("echo out; echo err >&2; exit 3")) {
            awaitEnd(child);
            assertThat(child.exitStatus()).hasValue(3);
            assertThat(child.tail(10)).containsExactly("from an earlier run", "out", "err");
            assertThat(child.tail(1)).containsExactly("err");
        }
    }

    @Test
    void passesEnvironmentAndDirectory() throws Exception {
        ProcessSpec spec = new ProcessSpec(
                "child",
                List.of("sh", "-c", "echo $PHASEWISE_TEST; pwd"),
                Map.of("PHASEWISE_TEST", "passed on"),
                directory.resolve("made"),
                directory.resolve("child.log"));
        try (ManagedProcess child = ManagedProcess.start(spec)) {
            awaitEnd(child);
            assertThat(child.tail(2))
                    .containsExactly(
                            "passed on", directory.toRealPath().resolve("made").toString());
        }
    }

    @Test
    void refusesAProgramThatIsNotThere() {
        ProcessSpec spec = ShellChild.spec(directory, "child", "no-such-program-anywhere");
        assertThatThrownBy(() -> ManagedProcess.start(spec))
                .isInstanceOf(IOException.class)
                .hasMessage("child: no such program: no-such-program-anywhere");
    }

    @Test
    void stopsAProcessThatObeys() throws Exception {
        try (ManagedProcess child = shell("trap 'echo bye; exit 0' TERM; echo on; " + UNTIL_ENDED)) {
            awaitLine(child, "on");
            assertThat(child.stop(SECONDS)).isEqualTo(Ending.STOPPED);
            assertThat(child.isAlive()).isFalse();
            assertThat(child.tail(1)).containsExactly("bye");
            assertThat(child.stop(SECONDS)).isEqualTo(Ending.WAS_GONE);
        }
    }

    @Test
    void killsAProcessThatDoesNotObeyInTime() throws Exception {
        try (ManagedProcess child = shell("trap '' TERM; echo on; " + UNTIL_ENDED)) {
            awaitLine(child, "on");
            assertThat(child.stop(Duration.ofMillis(200))).isEqualTo(Ending.KILLED);
            assertThat(child.isAlive()).isFalse();
        }
    }

    @Test
    void stopsAPausedProcessToo() throws Exception {
        try (ManagedProcess child = shell("trap 'exit 0' TERM; echo on; " + UNTIL_ENDED)) {
            awaitLine(child, "on");
            child.pause();
            assertThat(child.isAlive()).isTrue();
            assertThat(child.stop(SECONDS)).isEqualTo(Ending.STOPPED);
        }
    }

    @Test
    void pausesAndResumes() throws Exception {
        try (ManagedProcess child = shell("i=0; while :; do i=$((i+1)); echo $i; sleep 0.02; done")) {
            awaitLine(child, "1");
            child.pause();
            Path stat = Path.of("/proc", Long.toString(child.pid()), "stat");
            assertThat(Files.readString(stat)).contains(") T ");
            List<String> paused = child.tail(1);
            child.resume();
            Await.that("it goes on", SECONDS).until(() -> !child.tail(1).equals(paused), () -> "still at " + paused);
        }
    }

    @Test
    void aLaterLauncherRecognisesAndStopsIt() throws Exception {
        try (ManagedProcess child = shell("trap 'exit 0' TERM; echo on; " + UNTIL_ENDED)) {
            awaitLine(child, "on");
            ManagedProcess attached = ManagedProcess.attach("child", child.identity(), child.log());
            assertThat(attached.isAlive()).isTrue();
            assertThat(attached.stop(SECONDS)).isEqualTo(Ending.STOPPED);
            assertThat(attached.isAlive()).isFalse();
            assertThat(attached.exitStatus()).isEmpty();
        }
    }

    @Test
    void aReusedPidIsNotTakenForTheProcessThatHadItBefore() throws Exception {
        try (ManagedProcess child = shell(UNTIL_ENDED)) {
            ProcessIdentity earlier =
                    new ProcessIdentity(child.pid(), child.identity().started().minusSeconds(60));
            assertThat(child.identity().isAlive()).isTrue();
            assertThat(earlier.isAlive()).isFalse();
            ManagedProcess attached = ManagedProcess.attach("earlier", earlier, child.log());
            assertThat(attached.stop(SECONDS)).isEqualTo(Ending.WAS_GONE);
            attached.kill();
            assertThat(child.isAlive()).isTrue();
        }
    }

    private ManagedProcess shell(String script) throws IOException {
        return ShellChild.start(directory, "child", script);
    }

    private static void awaitLine(ManagedProcess child, String line) throws InterruptedException {
        Await.that("the child prints " + line, SECONDS)
                .needing(child)
                .until(() -> child.tail(100).contains(line), () -> "it prints " + child.tail(3));
    }

    private static void awaitEnd(ManagedProcess child) throws InterruptedException {
        Await.that("the child ends", SECONDS).until(() -> !child.isAlive(), () -> "it runs");
    }
}
