/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.progress.Terminal.Colour;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TerminalTest {

    @Test
    void paintsOnATerminalOnly() {
        Map<String, String> environment = Map.of("TERM", "xterm");

        assertThat(Terminal.of(environment, true).paint(Colour.RED, "x")).isEqualTo("\u001b[31mx\u001b[0m");
        assertThat(Terminal.of(environment, false).paint(Colour.RED, "x")).isEqualTo("x");
    }

    @ParameterizedTest
    @CsvSource({
        // environment; redrawn, coloured, with symbols
        "TERM=xterm,                          true,  true,  false",
        "TERM=xterm NO_COLOR=1,               true,  false, false",
        "TERM=xterm NO_COLOR=,                true,  true,  false",
        "TERM=dumb,                           false, false, false",
        "'',                                  false, false, false",
        "TERM=xterm LANG=de_DE.UTF-8,         true,  true,  true",
        "TERM=xterm LANG=C.utf8 LC_ALL=C,     true,  true,  false"
    })
    void theEnvironmentSaysWhatItCan(String variables, boolean interactive, boolean colour, boolean unicode) {
        Map<String, String> environment = new HashMap<>();
        for (String variable : variables.split(" ")) {
            environment.put(variable.replaceFirst("=.*", ""), variable.replaceFirst(".*=", ""));
        }

        assertThat(Terminal.of(environment, true))
                .returns(interactive, Terminal::interactive)
                .returns(colour, Terminal::colour)
                .returns(unicode, Terminal::unicode);
    }
}
