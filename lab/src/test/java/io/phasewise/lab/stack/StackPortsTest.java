/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StackPortsTest {

    private static List<Integer> ports(StackPorts ports) {
        return ports.components().stream()
                .flatMap(component -> ports.of(component).stream())
                .toList();
    }

    private static Set<Integer> ports(StackPorts ports, String name) {
        return ports.of(Samples.running(ports, name, Samples.gone()).component());
    }

    @Test
    void theDefaultsAreThoseOfTheContractAndAnOffsetMovesEachOfThem() {
        assertThat(ports(new StackPorts(0, 0)))
                .containsExactlyInAnyOrder(
                        19092, 19093, 19094, 19095, 19096, 19097, 7071, 7072, 7073, 9470, 9090, 9093, 3000, 9095, 9100);
        StackPorts moved = new StackPorts(10, 0);
        assertThat(ports(moved))
                .containsExactlyElementsOf(ports(new StackPorts(0, 0)).stream()
                        .map(port -> port + 10)
                        .toList());
        assertThat(moved.bootstrap()).isEqualTo("127.0.0.1:19102,127.0.0.1:19103,127.0.0.1:19104");
    }

    @Test
    void theLargestOffsetLeavesEveryPortInTheRange() {
        assertThat(new StackPorts(StackPorts.MAX_OFFSET, 0).controller(3)).isEqualTo(65535);
    }

    @Test
    void controllersOfTheirOwnTakeTheirPortsFromTheBrokers() {
        assertThat(ports(new StackPorts(0, 3), "broker-1")).containsExactly(19092, 7071);
        assertThat(ports(new StackPorts(0, 3), "controller-3")).containsExactly(19097, 7076);
        assertThat(ports(new StackPorts(0, 0), "broker-2")).containsExactly(19093, 7072, 19096);
    }

    private static void requireFree(int offset, Set<Integer> taken, String... names) throws IOException {
        StackPorts ports = new StackPorts(offset, 0);
        List<Component> components = new ArrayList<>(ports.components());
        components.removeIf(component -> !List.of(names).contains(component.name()));
        ports.requireFree(components, port -> !taken.contains(port));
    }

    @Test
    void everyTakenPortIsNamedWithTheOptionThatMovesIt() {
        assertThatThrownBy(() -> requireFree(0, Set.of(19092, 9470), "broker-1", "canary"))
                .hasMessageContainingAll(
                        "port 19092 (broker-1) is taken; `ss -ltnp 'sport = :19092'` says by whom",
                        "port 9470 (canary) is taken",
                        "--port-offset 10");
    }

    @Test
    void anOffsetThatDoesNotHelpIsNotSuggestedAgain() {
        assertThatThrownBy(() -> requireFree(10, Set.of(9480), "canary")).hasMessageContaining("--port-offset 20");
    }

    @Test
    void portsOfComponentsThatAreNotToBeStartedDoNotMatter() {
        assertThatCode(() -> requireFree(0, Set.of(19092), "canary")).doesNotThrowAnyException();
    }
}
