/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.exporter.BrokerAgents;
import io.phasewise.exporter.ExportingCluster;
import io.phasewise.exporter.TestClusters;
import io.phasewise.lab.junit.ScrapedPage;
import io.phasewise.lab.kafka.KafkaVersion;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The agent on a broker of Kafka 3.9, whose classes are of another shape than those of 4.x: that
 * pushes are received. What is timed: {@code RequestTimingMatrixIT}.
 */
@Tag("long")
class OldestKafkaIT {

    @RegisterExtension
    static final ExportingCluster CLUSTER = new ExportingCluster(
            BrokerAgents.own(1),
            description -> TestClusters.handingOverTo(ClientMetricsReceiver.class)
                    .apply(description.version(KafkaVersion.V3_9)));

    @Test
    void pushesAreReceivedAndABombDoesNotUnfold() throws Exception {
        PushChecks checks = new PushChecks(CLUSTER);
        checks.subscribe();
        CLUSTER.kafka().createTopic("pushing", 2, 1, Map.of());
        double tooLarge = checks.pushes("too_large");

        checks.refuseWhatIsNoPush();
        checks.produce("pushing", "after");

        checks.showProduced("after", PushChecks.RECORDS);
        assertThat(checks.pushes("too_large")).isEqualTo(tooLarge + 1);
        assertThat(CLUSTER.series("kafka_exporter_hook_active", Map.of()))
                .as("hooks but the one of followers, of which a single broker has none")
                .filteredOn(active -> !active.labels().get("hook").equals("replica_fetches"))
                .hasSize(12)
                .extracting(ScrapedPage.Sample::value)
                .containsOnly(1.0);
    }
}
