/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReloadedValueTest {

    @TempDir
    Path directory;

    private final List<String> heard = new ArrayList<>();
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
                .withMessage("is not a file with a content");
    }

    @Test
    void aLargeFileIsNotRead() throws IOException {
        Files.write(file, new byte[(1 << 20) + 1]);

        assertThatExceptionOfType(UnusableFileException.class)
                .isThrownBy(() -> ConfiguredFile.bytes("key", file))
                .withMessage("is larger than the 1048576 bytes that are allowed");
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
    }
}
