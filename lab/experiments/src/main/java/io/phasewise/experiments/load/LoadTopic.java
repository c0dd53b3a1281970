/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.load;

import io.phasewise.experiments.cluster.Administration;
import java.io.UncheckedIOException;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/** Makes the topic that a load writes to. */
public final class LoadTopic {
    /** What the names of all topics of a run begin with. */
    public static final String TOPICS = "phasewise-lab-";

    private static final short REPLICAS = 3;

    private LoadTopic() {}

    /**
     * Makes it.
     *
     * @throws UncheckedIOException when it cannot be made, one of that name being there among the
     *     reasons; the message says what a cluster must allow
     */
    public static void create(Load load, String name, Map<String, Object> client)
            throws InterruptedException {
        NewTopic topic =
                new NewTopic(name, load.partitions(), REPLICAS)
                        // A laptop's disk is not the experiment.
                        .configs(Map.of("retention.bytes", "67108864"));
        try (Admin admin = Admin.create(client)) {
            Administration.create(admin, topic);
        } catch (UncheckedIOException refused) {
            // Some reasons of Kafka's are whole sentences.
            throw new UncheckedIOException(
                    String.format(
                            "%s; a load needs %d brokers or more, and the right to create,"
                                    + " describe, write to and delete topics whose names begin"
                                    + " with %s",
                            refused.getMessage().replaceFirst("\\.$", ""), REPLICAS, TOPICS),
                    refused.getCause());
        }
    }
}
