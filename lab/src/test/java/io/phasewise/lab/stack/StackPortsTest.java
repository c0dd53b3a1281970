/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

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
        return ports.components().stream()
                .filter(component -> component.name().equals(name))
                .map(ports::of)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theDefaultsAreThoseOfTheContractAndAnOffsetMovesEachOfThem() {
        assertThat(ports(new StackPorts(0, 0)))
                .containsExactlyInAnyOrder(
                        19092, 19093, 19094, 19095, 19096, 19097, 7071, 7072, 7073, 9470, 9090,
                        9093, 3000, 9095, 9100);
        StackPorts moved = new StackPorts(10, 0);
        assertThat(ports(moved))
                .containsExactlyElementsOf(
                        ports(new StackPorts(0, 0)).stream().map(port -> port + 10).toList());
        assertThat(moved.bootstrap()).isEqualTo("127.0.0.1:19102,127.0.0.1:19103,127.0.0.1:19104");
    }

    @Test
    void anOffsetThatLeavesThePortRangeIsRefused() {
        assertThat(new StackPorts(StackPorts.MAX_OFFSET, 0).controller(3)).isEqualTo(65535);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new StackPorts(StackPorts.MAX_OFFSET + 1, 0))
                .withMessageContaining("from 0 to " + StackPorts.MAX_OFFSET);
        assertThatIllegalArgumentException().isThrownBy(() -> new StackPorts(-1, 0));
    }

    @Test
    void controllersOfTheirOwnTakeTheirPortsFromTheBrokers() {
        assertThat(ports(new StackPorts(0, 3), "broker-1")).containsExactly(19092, 7071);
        assertThat(ports(new StackPorts(0, 3), "controller-3")).containsExactly(19097, 7076);
        assertThat(ports(new StackPorts(0, 0), "broker-2")).containsExactly(19093, 7072, 19096);
        assertThatIllegalArgumentException().isThrownBy(() -> new StackPorts(0, 4));
    }
}
