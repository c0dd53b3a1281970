/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.progress;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScreenTest {

    private final ByteArrayOutputStream written = new ByteArrayOutputStream();

    private Screen screen(boolean interactive) {
        return new Screen(
                new PrintStream(written, false, StandardCharsets.UTF_8), new Terminal(interactive, false, false));
    }

    private Screen showing(String... lines) {
        Screen screen = screen(true);
        screen.live(List.of(lines));
        written.reset();
        return screen;
    }

    private String written() {
        return written.toString(StandardCharsets.UTF_8);
    }

    @Test
    void aLastingLineGoesAboveTheLiveOnes() {
        showing("a", "b").print("kept");

        assertThat(written()).isEqualTo("\u001b[2A\r\u001b[Jkept\n\u001b[?7la\nb\n\u001b[?7h");
    }

    @Test
    void liveLinesReplaceEachOther() {
        showing("a").live(List.of("b"));

        assertThat(written()).isEqualTo("\u001b[1A\r\u001b[J\u001b[?7lb\n\u001b[?7h");
    }

    @Test
    void settledLinesAreNotErased() {
        Screen screen = showing("a");
        screen.settle();
        written.reset();

        screen.print("next");

        assertThat(written()).isEqualTo("\r\u001b[Jnext\n");
    }

    @Test
    void withoutATerminalThereAreNoLiveLinesAndNoEscapes() {
        Screen screen = screen(false);

        screen.live(List.of("a"));
        screen.print("kept");

        assertThat(written()).isEqualTo("kept\n");
    }
}
