/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter;

import io.phasewise.lab.kafka.KafkaVersion;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The stock agent on brokers of the oldest Kafka that its rules are for. */
@Tag("long")
class StockExporterKafka39IT extends StockExporterChecks {

    @RegisterExtension
    static final ExportingCluster CLUSTER =
            new ExportingCluster(BrokerAgents.ownAndStock(2), description -> description.version(KafkaVersion.V3_9));

    StockExporterKafka39IT() {
        super(KafkaVersion.V3_9, CLUSTER);
    }
}
