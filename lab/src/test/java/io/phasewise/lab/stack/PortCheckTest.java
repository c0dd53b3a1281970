/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PortCheckTest {

    private static void check(int offset, Set<Integer> taken, String... names)
            throws LaunchException {
        StackPorts ports = new StackPorts(offset, 0);
        List<Component> components =
                ports.components().stream()
                        .filter(component -> List.of(names).contains(component.name()))
                        .toList();
        new PortCheck(port -> !taken.contains(port)).requireFree(ports, components);
    }

    @Test
    void everyTakenPortIsNamedWithTheOptionThatMovesIt() {
        assertThatThrownBy(() -> check(0, Set.of(19092, 9470), "broker-1", "canary"))
                .hasMessageContainingAll(
                        "port 19092 (broker-1) is taken; `ss -ltnp 'sport = :19092'` says by whom",
                        "port 9470 (canary) is taken",
                        "--port-offset 10");
    }

    @Test
    void anOffsetThatDoesNotHelpIsNotSuggestedAgain() {
        assertThatThrownBy(() -> check(10, Set.of(9480), "canary"))
                .hasMessageContaining("--port-offset 20");
    }

    @Test
    void portsOfComponentsThatAreNotToBeStartedDoNotMatter() {
        assertThatCode(() -> check(0, Set.of(19092), "canary")).doesNotThrowAnyException();
    }
}
