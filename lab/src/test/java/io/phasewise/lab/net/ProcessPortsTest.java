/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProcessPortsTest {
    @Test
    void aLineHasThePortInHexadecimalAndTheInode() {
        assertThat(
                        ProcessPorts.byInode(
                                List.of(
                                        "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode",
                                        "   0: 0100007F:4A94 0100007F:D2F0 01 00000000:00000000 02:000A7214 00000000  0  0 123456 2 0 20",
                                        "   1: 00000000:0016 00000000:0000 0A 00000000:00000000 00:00000000 00000000  0  0 777 1 0 100")))
                .containsOnly(Map.entry("123456", 0x4A94), Map.entry("777", 22));
    }

    @Test
    void thisProcessHasThePortsOfItsOwnSockets() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket client = new Socket(server.getInetAddress(), server.getLocalPort())) {
            assertThat(ProcessPorts.of(ProcessHandle.current().pid()))
                    .contains(server.getLocalPort(), client.getLocalPort());
        }
    }
}
