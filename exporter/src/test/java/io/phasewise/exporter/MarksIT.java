/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter;

import io.phasewise.lab.kafka.KafkaVersion;
import io.phasewise.lab.kafka.ListenerSecurity;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@link MarkChecks} on brokers of their own, as a test pauses them. */
class MarksIT {

    private static final ListenerSecurity PLAINTEXT = new ListenerSecurity.Plaintext();
    private static final ListenerSecurity TLS =
            new ListenerSecurity.SaslSsl("admin", "secret-of-admin", Map.of(), false);

    @Test
    void leadersFollowTheCanarysRecords(@TempDir Path directory) throws Exception {
        check(KafkaVersion.V4_4, PLAINTEXT, directory);
    }

    @Tag("long")
    @ParameterizedTest
    @EnumSource(value = KafkaVersion.class, mode = EnumSource.Mode.EXCLUDE, names = "V4_4")
    void leadersOfOlderKafkaFollowThemToo(KafkaVersion version, @TempDir Path directory) throws Exception {
        check(version, PLAINTEXT, directory);
    }

    /** Brokers copy from each other and clients send by TLS, with a password. */
    @Tag("long")
    @ParameterizedTest
    @EnumSource(
            value = KafkaVersion.class,
            names = {"V3_9", "V4_4"})
    void leadersFollowThemByTlsToo(KafkaVersion version, @TempDir Path directory) throws Exception {
        check(version, TLS, directory);
    }

    private static void check(KafkaVersion version, ListenerSecurity security, Path directory) throws Exception {
        ExportingCluster.alone(
                directory,
                BrokerAgents.own(3),
                description -> description.version(version).security(security),
                cluster -> new MarkChecks(cluster).hold());
    }
}
