/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.junit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CommandLinesTest {
    @Test
    void aProcessIsFoundByWhatItWasStartedWithAndOnlyWhileItRuns() throws Exception {
        String argument = "x".repeat(6_000) + "-named-like-no-other";
        Process process = new ProcessBuilder("/bin/sh", "-c", "read line", argument).start();

        assertThat(CommandLines.naming(argument)).singleElement().asString().startsWith("/bin/sh -c read line");
        process.getOutputStream().close();
        process.waitFor();
        assertThat(CommandLines.naming(argument)).isEmpty();
    }
}
