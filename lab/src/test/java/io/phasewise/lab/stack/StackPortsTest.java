/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class StackPortsTest {

    @Test
    void theDefaultsAreThoseOfTheContract() {
        StackPorts ports = new StackPorts(0, 0);

        assertThat(
                        Components.names(new StackPorts(0, 0)).stream()
                                .flatMap(name -> ports.of(name).stream()))
                .containsExactlyInAnyOrder(
                        19092, 19093, 19094, 19095, 19096, 19097, 7071, 7072, 7073, 9470, 9090,
                        9093, 3000, 9095, 9100);
    }

    @Test
    void anOffsetMovesEveryPort() {
        StackPorts moved = new StackPorts(10, 0);

        for (String name : Components.names(new StackPorts(0, 0))) {
            List<Integer> expected =
                    new StackPorts(0, 0).of(name).stream().map(port -> port + 10).toList();
            assertThat(moved.of(name)).isEqualTo(expected);
        }
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
        StackPorts ports = new StackPorts(0, 3);

        assertThat(ports.of("broker-1")).containsExactly(19092, 7071);
        assertThat(ports.of("controller-3")).containsExactly(19097, 7076);
        assertThat(new StackPorts(0, 0).of("broker-1")).containsExactly(19092, 19095, 7071);
        assertThatIllegalArgumentException().isThrownBy(() -> new StackPorts(0, 4));
    }
}
