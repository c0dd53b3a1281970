/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter;

import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.kafka.KafkaVersion;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** The stock agent on brokers of the oldest Kafka that its rules are for. */
@Tag("long")
class StockExporterKafka39IT extends StockExporterChecks {

    @TempDir static Path directory;
    private ExportingCluster cluster;

    StockExporterKafka39IT() {
        super(KafkaVersion.V3_9);
    }

    @Override
    ExportingCluster brokers() throws InterruptedException {
        Path root = Path.of(System.getProperty("phasewise.root"));
        cluster =
                ExportingCluster.start(
                        KafkaCluster.builder(root, directory)
                                .shortLived()
                                .version(KafkaVersion.V3_9),
                        BrokerAgents.ownAndStock(2));
        return cluster;
    }

    @AfterAll
    void stop() {
        if (cluster != null) {
            cluster.close();
        }
    }
}
