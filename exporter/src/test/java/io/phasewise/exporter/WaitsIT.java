/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter;

import io.phasewise.lab.kafka.KafkaVersion;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@link WaitChecks} on brokers of their own, as a test pauses them. */
class WaitsIT {

    @Test
    void brokersTellWhatRecordsWaitFor(@TempDir Path directory) throws Exception {
        check(KafkaVersion.V4_4, directory);
    }

    @Tag("long")
    @ParameterizedTest
    @EnumSource(value = KafkaVersion.class, mode = EnumSource.Mode.EXCLUDE, names = "V4_4")
    void brokersOfOlderKafkaTellItToo(KafkaVersion version, @TempDir Path directory) throws Exception {
        check(version, directory);
    }

    /** With one place in the request queue, network threads soon wait for room. */
    private static void check(KafkaVersion version, Path directory) throws Exception {
        ExportingCluster.alone(
                directory,
                BrokerAgents.own(3),
                description -> description
                        .version(version)
                        .brokerProperty("num.replica.fetchers", "2")
                        .brokerProperty("num.io.threads", "1")
                        .brokerProperty("queued.max.requests", "1"),
                cluster -> new WaitChecks(cluster).hold());
    }
}
