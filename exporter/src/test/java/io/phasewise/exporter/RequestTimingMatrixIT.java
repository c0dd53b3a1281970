/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.phasewise.lab.junit.Jdks;
import io.phasewise.lab.kafka.KafkaVersion;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@link TimedRequests} on every Kafka and every JDK that brokers are known to run on. */
@Tag("long")
class RequestTimingMatrixIT {

    // Two brokers where followers are to fetch.
    @ParameterizedTest(name = "Kafka {0} on Java {1}, {2} brokers")
    @CsvSource({
        "V3_7, 11, 1",
        "V3_7, 17, 2",
        "V3_9, 11, 2",
        "V3_9, 17, 2",
        "V3_9, 25, 1",
        "V4_0, 17, 1",
        "V4_1, 17, 1",
        "V4_1, 25, 1",
        "V4_2, 17, 1",
        "V4_2, 21, 2",
        "V4_3, 17, 2",
        "V4_3, 21, 1",
        "V4_4, 17, 1",
        "V4_4, 21, 1",
        "V4_4, 25, 2"
    })
    void timesWhatTheBrokersTime(KafkaVersion version, int java, int brokers, @TempDir Path directory)
            throws Exception {
        Optional<Path> jdk = Jdks.find(java);
        assumeTrue(jdk.isPresent(), () -> "no JDK " + java + " in JAVA_HOME_" + java + " or /usr/lib/jvm");
        ExportingCluster.alone(
                directory,
                BrokerAgents.ownAndStock(brokers),
                description -> description.version(version).javaHome(jdk.orElseThrow()),
                cluster -> new TimedRequests(cluster, version).areThoseOfTheBroker());
    }
}
