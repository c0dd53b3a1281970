/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class PortOwnersTest {

    /** 4A94 is 19092: listening on loopback, then two connections; 238A is 9098. */
    private static final List<String> TABLE =
            """
              sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
               0: 0100007F:4A94 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 11111 1 0000000000000000 100 0 0 10 0
               1: 0100007F:4A94 0100007F:9C40 01 00000000:00000000 00:00000000 00000000  1000        0 22222 1 0000000000000000 20 4 30 10 -1
               2: 0100007F:9C40 0100007F:4A94 01 00000000:00000000 00:00000000 00000000  1000        0 33333 1 0000000000000000 20 4 30 10 -1
               3: 0100007F:238A 0100007F:9C41 01 00000000:00000000 00:00000000 00000000  1000        0 44444 1 0000000000000000 20 4 30 10 -1
               4: 0100007F:238B 0100007F:9C42 06 00000000:00000000 03:00000000 00000000     0        0 0 3 0000000000000000
            """
                    .lines()
                    .toList();

    @Test
    void theListenerOwnsAPortAndNotItsConnections() {
        assertThat(PortOwners.socketsOn(19092, TABLE)).containsExactly("socket:[11111]");
    }

    @Test
    void withoutAListenerAConnectionFromThePortCounts() {
        assertThat(PortOwners.socketsOn(9098, TABLE)).containsExactly("socket:[44444]");
    }

    @Test
    void aSocketThatNobodyHoldsAnyMoreHasNoOwner() {
        assertThat(PortOwners.socketsOn(9099, TABLE)).isEmpty();
        assertThat(PortOwners.socketsOn(80, TABLE)).isEmpty();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void findsTheProcessBehindARealSocket() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(new PortOwners(Path.of("/proc")).of(socket.getLocalPort()))
                    .hasValueSatisfying(
                            owner -> {
                                assertThat(owner.pid()).isEqualTo(ProcessHandle.current().pid());
                                assertThat(owner.name()).startsWith("java");
                            });
        }
    }

    @Test
    void knowsNobodyWhereThereIsNoProc(@TempDir Path empty) {
        assertThat(new PortOwners(empty).of(19092)).isEmpty();
    }

    @Test
    void namesJavaByItsMainClassOrJar() {
        assertThat(
                        PortOwners.describe(
                                "java",
                                List.of("java", "-Xmx1g", "-cp", "a:b", "kafka.Kafka", "x")))
                .isEqualTo("java, kafka.Kafka");
        assertThat(PortOwners.describe("java", List.of("java", "-jar", "/x/app.jar", "--port")))
                .isEqualTo("java, app.jar");
        assertThat(PortOwners.describe("nginx", List.of("nginx", "-g", "x"))).isEqualTo("nginx");
    }
}
