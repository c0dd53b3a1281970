/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalStackTest {

    @TempDir
    Path directory;

    @Test
    void theOptionIsAskedBeforeTheVariableAndThatBeforeTheDefault() {
        Path home = directory.resolve("home");
        Map<String, String> variable = Map.of("PHASEWISE_STATE_DIR", "variable");

        assertThat(LocalStack.of(Path.of("option"), variable, home, directory).directory())
                .isEqualTo(directory.resolve("option"));
        assertThat(LocalStack.of(null, variable, home, directory).directory()).isEqualTo(directory.resolve("variable"));
        assertThat(LocalStack.of(null, Map.of(), home, directory).directory()).isEqualTo(home.resolve(".phasewise"));
    }

    @Test
    void addressesAreReadAsTheyWereWritten() throws IOException {
        LocalStack stack = new LocalStack(directory);
        assertThat(stack.bootstrap()).isEmpty();

        stack.write("127.0.0.1:1,127.0.0.1:2", "http://127.0.0.1:9090");

        assertThat(stack.bootstrap()).hasValue("127.0.0.1:1,127.0.0.1:2");
        assertThat(stack.prometheus()).hasValue("http://127.0.0.1:9090");

        stack.write("", "");

        assertThat(stack.bootstrap()).isEmpty();
        assertThat(stack.prometheus()).isEmpty();
    }
}
