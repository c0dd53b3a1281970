/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter;

import io.phasewise.lab.kafka.KafkaVersion;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The stock agent on brokers of the newest Kafka, which carry ours beside it. */
@Order(2)
@ResourceLock(TestClusters.REQUESTS)
class StockExporterIT extends StockExporterChecks {

    @RegisterExtension
    static final ExportingCluster CLUSTER = TestClusters.QUIET;

    StockExporterIT() {
        super(KafkaVersion.V4_4, CLUSTER);
    }
}
