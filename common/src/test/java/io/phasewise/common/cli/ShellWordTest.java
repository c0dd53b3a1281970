/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShellWordTest {

    @ParameterizedTest
    @ValueSource(
            strings = {"plain", "two words", "it's", "$(touch x)", "`x`", "a\"b", "*", "\\", "", "a;b", "ü", "a=b|c"})
    void aShellTakesAWordAsItStands(String word) throws Exception {
        Process shell = new ProcessBuilder("sh", "-c", "printf %s " + ShellWord.quoted(word)).start();
        assertThat(new String(shell.getInputStream().readAllBytes())).isEqualTo(word);
        assertThat(shell.waitFor(10, TimeUnit.SECONDS)).isTrue();
    }
}
