/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ThreadNamesTest {
    private static final String NETWORK = "data-plane-kafka-network-thread-1-ListenerName(CLIENT)-PLAINTEXT-0";

    @Test
    void idsAreHexadecimalInJava17AndDecimalIn21() {
        String rest = "\" #43 prio=5 os_prio=0 cpu=70.42ms elapsed=9.5s tid=0x00007f22c4d5a0d0 nid=";
        assertThat(ThreadNames.read(List.of(
                        "Full thread dump OpenJDK 64-Bit Server VM (17.0.15):",
                        "\"" + NETWORK + rest + "0x1a2b runnable  [0x00007f22]",
                        "   java.lang.Thread.State: RUNNABLE",
                        "\"VM Thread\" os_prio=0 cpu=99.1ms elapsed=9.9s tid=0x00007f22c417 nid=0x1a02 runnable",
                        "\"ReplicaFetcherThread-0-1" + rest + "6700 waiting on condition")))
                .isEqualTo(Map.of(0x1a2bL, NETWORK, 6700L, "ReplicaFetcherThread-0-1"));
    }

    @Test
    void aThreadOfThisJvmIsASystemsThread() throws Exception {
        long pid = ProcessHandle.current().pid();
        assertThat(ThreadNames.of(pid))
                .containsValue(Thread.currentThread().getName())
                .allSatisfy((id, name) -> assertThat(id).isPositive());
    }
}
