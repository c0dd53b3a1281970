/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster.access;

import io.phasewise.canary.config.ClusterConfig;
import io.phasewise.canary.show.metrics.KafkaClients;
import io.phasewise.canary.topic.Failures;
import java.time.Duration;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClient;

/**
 * An admin client whose own metrics are exported while it is in use. Its successor has the same
 * client id, so the export of the old one must end before that of the new one starts.
 */
public final class ExportedAdmin implements ReplaceableAdmin.Client {
    private static final Duration CLOSE = Duration.ofMillis(500);

    private final AdminClient client;
    private final ClusterConfig config;
    private final KafkaClients kafkaClients;
    private KafkaClients.Export export = () -> {};

    /**
     * @param config says how to reach the cluster, and by which labels it is exported
     * @param kafkaClients exports it
     * @throws org.apache.kafka.common.KafkaException when it cannot be made from its properties
     */
    public ExportedAdmin(ClusterConfig config, KafkaClients kafkaClients) {
        this.client = (AdminClient) Admin.create(config.kafka().adminProperties(config.name()));
        this.config = config;
        this.kafkaClients = kafkaClients;
    }

    public AdminClient client() {
        return client;
    }

    @Override
    public void check() throws InterruptedException {
        Failures.get(client.describeCluster().nodes());
    }

    @Override
    public void use() {
        export = kafkaClients.export(config.name(), config.profile(), client);
    }

    @Override
    public void close() {
        export.close();
        client.close(CLOSE);
    }
}
