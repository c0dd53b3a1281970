/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PortCheckTest {

    @TempDir Path noProc;

    private PortCheck check(Integer... taken) {
        return new PortCheck(port -> !Set.of(taken).contains(port), new PortOwners(noProc));
    }

    @Test
    void everyTakenPortIsNamedWithTheOptionThatMovesIt() {
        assertThatThrownBy(
                        () ->
                                check(19092, 9470)
                                        .requireFree(
                                                new StackPorts(0, 0),
                                                List.of("broker-1", "canary")))
                .hasMessageContainingAll(
                        "port 19092 (broker-1) is taken by another user's process",
                        "port 9470 (canary) is taken",
                        "--port-offset 10");
    }

    @Test
    void anOffsetThatDoesNotHelpIsNotSuggestedAgain() {
        assertThatThrownBy(() -> check(9480).requireFree(new StackPorts(10, 0), List.of("canary")))
                .hasMessageContaining("--port-offset 20");
    }

    @Test
    void portsOfComponentsThatAreNotToBeStartedDoNotMatter() {
        assertThatCode(() -> check(19092).requireFree(new StackPorts(0, 0), List.of("canary")))
                .doesNotThrowAnyException();
    }
}
