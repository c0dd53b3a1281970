/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter;

import io.phasewise.lab.kafka.KafkaVersion;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * {@link TimedRequests} on two brokers of the newest Kafka, on the JDK that runs the tests; other
 * pairs are {@link RequestTimingMatrixIT}'s.
 */
@Order(1)
@ResourceLock(TestClusters.REQUESTS)
class RequestTimingIT {

    @RegisterExtension
    static final ExportingCluster CLUSTER = TestClusters.QUIET;

    @Test
    void timesWhatTheBrokersTime() throws Exception {
        new TimedRequests(CLUSTER, KafkaVersion.V4_4).areThoseOfTheBroker();
    }
}
