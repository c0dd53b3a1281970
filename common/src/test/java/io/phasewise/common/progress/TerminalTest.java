/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.progress.Terminal.Colour;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TerminalTest {

    @Test
    void paintsOnATerminalOnly() {
        Map<String, String> environment = Map.of("TERM", "xterm");

        assertThat(Terminal.of(environment, true).paint(Colour.RED, "x"))
                .isEqualTo("\u001b[31mx\u001b[0m");
        assertThat(Terminal.of(environment, false).paint(Colour.RED, "x")).isEqualTo("x");
    }

    @Test
    void noColorTakesTheColoursButNotTheRedrawing() {
        Terminal terminal = Terminal.of(Map.of("TERM", "xterm", "NO_COLOR", "1"), true);

        assertThat(terminal.colour()).isFalse();
        assertThat(terminal.interactive()).isTrue();
    }

    @Test
    void anEmptyNoColorMeansNothing() {
        assertThat(Terminal.of(Map.of("TERM", "xterm", "NO_COLOR", ""), true).colour()).isTrue();
    }

    @Test
    void aDumbOrUnknownTerminalIsNotRedrawn() {
        assertThat(Terminal.of(Map.of("TERM", "dumb"), true).interactive()).isFalse();
        assertThat(Terminal.of(Map.of(), true).interactive()).isFalse();
    }

    @Test
    void theMostSpecificLocaleDecidesOnSymbols() {
        assertThat(Terminal.of(Map.of("TERM", "xterm", "LANG", "de_DE.UTF-8"), true).unicode())
                .isTrue();
        assertThat(
                        Terminal.of(Map.of("TERM", "xterm", "LANG", "C.utf8", "LC_ALL", "C"), true)
                                .unicode())
                .isFalse();
    }
}
