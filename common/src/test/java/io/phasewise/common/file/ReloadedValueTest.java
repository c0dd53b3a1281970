/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReloadedValueTest {

    @TempDir
    Path directory;

    private final List<String> heard = new CopyOnWriteArrayList<>();

    /** Done unless the disk hangs. */
    private CompletableFuture<Void> disk = CompletableFuture.completedFuture(null);

    private final Thread starter = Thread.currentThread();
    private Path file;
    private long now;
    private int reads;

    @BeforeEach
    void writeTheFirst() throws IOException {
        file = directory.resolve("file");
        write("one");
    }

    @Test
    void newContentIsInUseASecondLater() throws Exception {
        ReloadedValue<String> reloaded = read();
        write("two");

        assertThat(reloaded.get()).isEqualTo("one");
        later(900);
        assertThat(reloaded.get()).isEqualTo("one");
        later(100);
        assertThat(reloaded.get()).isEqualTo("two");
        assertThat(heard).containsExactly("reloaded two");
    }

    @Test
    void whatDoesNotChangeIsNotReadAgain() throws Exception {
        ReloadedValue<String> reloaded = read();
        later(60_000);

        assertThat(reloaded.get()).isEqualTo("one");
        assertThat(reads).isEqualTo(1);
    }

    @Test
    void contentThatCannotBeUsedChangesNothingAndIsSaidToBeRepeated() throws Exception {
        ReloadedValue<String> reloaded = read();
        write("");
        assertLater(reloaded, "one");
        Files.delete(file);
        assertLater(reloaded, "one");
        write("\n");
        assertLater(reloaded, "one");
        write("two");
        assertLater(reloaded, "two");
        write("");
        assertLater(reloaded, "two");

        assertThat(heard)
                .containsExactly(
                        "refused is empty",
                        "refused again is not there",
                        "refused again is empty",
                        "reloaded two",
                        "refused is empty");
    }

    @Test
    void withoutAFirstValueThereIsNone() throws IOException {
        write("");

        assertThatExceptionOfType(UnusableFileException.class).isThrownBy(this::read);
    }

    @Test
    void aValueThatWasReadAlreadyIsKept() throws IOException {
        ReloadedValue<String> reloaded = new ReloadedValue<>("given", new Words(), new Heard(), () -> now);
        assertLater(reloaded, "given");

        write("two");
        assertLater(reloaded, "two");
    }

    @Test
    void aPipeIsNotRead() {
        assertThatExceptionOfType(UnusableFileException.class)
                .isThrownBy(() -> ConfiguredFile.bytes("key", Path.of("/dev/zero")))
                .withMessage("is not a regular file");
    }

    @Test
    void aLargeFileIsNotRead() throws IOException {
        Files.write(file, new byte[(1 << 20) + 1]);

        assertThatExceptionOfType(UnusableFileException.class)
                .isThrownBy(() -> ConfiguredFile.bytes("key", file))
                .withMessage("is larger than the 1048576 bytes that are allowed");
    }

    @Test
    void aDiskThatHangsDelaysNobodyAndIsSaidOnce() throws Exception {
        ReloadedValue<String> reloaded = read();
        disk = new CompletableFuture<>();
        write("two");
        assertLater(reloaded, "one");
        for (int i = 0; i < 1_000; i++) {
            assertLater(reloaded, "one"); // would take a quarter of an hour if each were to wait
        }
        assertThat(heard).containsExactly("hanging");

        disk.complete(null);
        await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> assertLater(reloaded, "two"));
        assertLater(reloaded, "two");
        assertThat(heard).containsExactly("hanging", "reloaded two", "answering");
        assertThat(reads).isEqualTo(2);
    }

    /** Opening a pipe would wait for whoever writes into it, and a device has no end. */
    @Test
    void neitherPipesNorDevicesAreReadToSeeWhetherTheyChanged() throws Exception {
        Path pipe = directory.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();

        assertThat(Fingerprints.of(List.of(pipe, Path.of("/dev/zero"), file)))
                .containsEntry(pipe, "")
                .containsEntry(Path.of("/dev/zero"), "")
                .doesNotContainEntry(file, "");
    }

    @Test
    void aLargeFileCountsAsEmpty() throws Exception {
        Files.write(file, new byte[(16 << 20) + 1]);

        assertThat(Fingerprints.of(List.of(file))).containsEntry(file, "");
    }

    private ReloadedValue<String> read() throws UnusableFileException {
        return ReloadedValue.read(new Words(), new Heard(), () -> now);
    }

    private void assertLater(ReloadedValue<String> reloaded, String value) {
        later(5_000);
        assertThat(reloaded.get()).isEqualTo(value);
    }

    private void write(String text) throws IOException {
        Files.writeString(file, text);
    }

    private void later(int millis) {
        now += Duration.ofMillis(millis).toNanos();
    }

    private final class Words implements FileSource<String> {
        @Override
        public Set<Path> files() {
            return Set.of(file);
        }

        @Override
        public String read() throws UnusableFileException {
            reads++;
            if (Thread.currentThread() != starter) {
                disk.join();
            }
            String text = ConfiguredFile.text("word", file).strip();
            if (text.isEmpty()) {
                throw new UnusableFileException("word", "is empty");
            }
            return text;
        }
    }

    private final class Heard implements ReloadedValue.Listener<String> {
        @Override
        public void reloaded(String value) {
            heard.add("reloaded " + value);
        }

        @Override
        public void refused(UnusableFileException why, boolean repeated) {
            heard.add("refused " + (repeated ? "again " : "") + why.getMessage());
        }

        @Override
        public void hanging() {
            heard.add("hanging");
        }

        @Override
        public void answering() {
            heard.add("answering");
        }
    }
}
