/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Ports are free, different, and ours until given back. */
class PortLeaseTest {

    @Test
    void givesFreePortsAndNoneTwiceWhileItIsHeld() {
        List<PortLease> leases = new ArrayList<>();
        try {
            List<Integer> all = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                leases.add(PortLease.take(10));
                all.addAll(leases.get(i).ports());
            }
            assertThat(all).hasSize(500).doesNotHaveDuplicates().allMatch(Ports::isFree);
        } finally {
            leases.forEach(PortLease::close);
        }
    }

    @Test
    void givesPortsThatAreAskedForByNumberOrNone() {
        List<Integer> wanted;
        try (PortLease free = PortLease.take(2)) {
            wanted = free.ports();
            assertThat(PortLease.of(wanted)).isEmpty();
        }
        PortLease lease = PortLease.of(wanted).orElseThrow();
        assertThat(lease.ports()).isEqualTo(wanted);
        // Of these one is taken; the other one is then not kept either.
        assertThat(PortLease.of(List.of(wanted.get(0)))).isEmpty();
        lease.close();
        try (PortLease one = PortLease.of(wanted.subList(1, 2)).orElseThrow()) {
            assertThat(PortLease.of(wanted)).isEmpty();
            PortLease.of(wanted.subList(0, 1)).orElseThrow().close();
        }
    }

    @Test
    void leavesTheTcpPortToTheServerItIsFor() throws Exception {
        try (PortLease lease = PortLease.take(1);
                ServerSocket server = new ServerSocket(lease.port(0), 1, InetAddress.getLoopbackAddress());
                ServerSocket everywhere = new ServerSocket(0)) {
            assertThat(Ports.isFree(lease.port(0))).isFalse();
            assertThat(Ports.accepts(server.getLocalPort())).isTrue();
            assertThat(Ports.isFree(everywhere.getLocalPort())).isFalse();
        }
    }
}
