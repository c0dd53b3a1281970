/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary;

import io.phasewise.lab.junit.CommandReference;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class MainTest {
    @Test
    void theReferenceSaysWhatTheHelpSays() throws IOException {
        CommandReference.holds(Main.commandLine());
    }
}
