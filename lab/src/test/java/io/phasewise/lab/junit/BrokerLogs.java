/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.junit;

import io.phasewise.lab.kafka.KafkaBroker;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.process.LogTail;

/** The logs of brokers, for tests that fail and for tests that look for errors. */
public final class BrokerLogs {
    private static final int TAIL_LINES = 40;

    private BrokerLogs() {}

    /** What a test does with a cluster. */
    @FunctionalInterface
    public interface Use {
        /** Does it. */
        void run() throws Exception;
    }

    /**
     * Runs a test's use of a cluster. When it fails, the tails of all logs are added to the
     * exception as a suppressed one.
     *
     * @throws Exception the exception of the test
     */
    public static void withFailure(KafkaCluster cluster, Use use) throws Exception {
        try {
            use.run();
        } catch (Exception | AssertionError failure) {
            failure.addSuppressed(
                    new IllegalStateException("broker logs at that time:\n" + tails(cluster, TAIL_LINES)));
            throw failure;
        }
    }

    /** The last lines of every broker's log, each below a heading. */
    public static String tails(KafkaCluster cluster, int lines) {
        StringBuilder text = new StringBuilder();
        for (KafkaBroker node : cluster.nodes()) {
            text.append("--- ").append(node.log()).append('\n');
            LogTail.of(node.log(), lines).forEach(line -> text.append(line).append('\n'));
        }
        return text.toString();
    }
}
