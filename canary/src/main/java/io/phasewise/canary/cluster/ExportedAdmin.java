/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster;

import io.phasewise.canary.config.ClusterConfig;
import io.phasewise.canary.metrics.KafkaClients;
import java.time.Duration;
import org.apache.kafka.clients.admin.AdminClient;

/**
 * An admin client whose own metrics are exported while it is in use. Its successor carries the same
 * client id, so that the one must stop being exported before the other starts.
 */
final class ExportedAdmin {
    private static final Duration CLOSE = Duration.ofMillis(500);

    private final AdminClient client;
    private final ClusterConfig config;
    private final KafkaClients kafkaClients;
    private KafkaClients.Export export = () -> {};

    ExportedAdmin(AdminClient client, ClusterConfig config, KafkaClients kafkaClients) {
        this.client = client;
        this.config = config;
        this.kafkaClients = kafkaClients;
    }

    void export() {
        export = kafkaClients.export(config.name(), config.profile(), client);
    }

    void close() {
        export.close();
        client.close(CLOSE);
    }
}
