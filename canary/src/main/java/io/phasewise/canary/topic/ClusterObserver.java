/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.topic;

import io.phasewise.canary.topic.TopicState.Broker;
import java.util.List;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.clients.admin.DescribeClusterResult;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/**
 * Looks which brokers a cluster has, through the admin client; topics are left to {@link
 * TopicObserver}. Used by one thread.
 */
public final class ClusterObserver {
    private final Supplier<? extends Admin> admin;

    /**
     * Whether to ask for fenced brokers (registered, but down), which clusters report from Kafka
     * 4.0 on (KIP-1073).
     */
    private boolean tellsOfFenced = true;

    /**
     * What was seen.
     *
     * @param clusterId Kafka's id of the cluster; may be null on very old brokers
     * @param registered the brokers that the cluster reports
     * @param fencedToo whether these include brokers that are down
     */
    public record Brokers(String clusterId, List<Broker> registered, boolean fencedToo) {}

    /**
     * @param admin the client in use; not closed by this
     */
    public ClusterObserver(Supplier<? extends Admin> admin) {
        this.admin = admin;
    }

    /**
     * Looks once.
     *
     * @throws KafkaException when the cluster cannot be reached or refuses to answer
     */
    public Brokers observe() throws InterruptedException {
        var options = new DescribeClusterOptions().includeFencedBrokers(tellsOfFenced);
        DescribeClusterResult cluster = admin.get().describeCluster(options);
        try {
            List<Broker> registered = Failures.get(cluster.nodes()).stream()
                    .map(ClusterObserver::broker)
                    .toList();
            return new Brokers(Failures.get(cluster.clusterId()), registered, tellsOfFenced);
        } catch (UnsupportedVersionException e) {
            if (!tellsOfFenced) {
                throw e;
            }
            tellsOfFenced = false;
            return observe();
        }
    }

    private static Broker broker(Node node) {
        return new Broker(
                node.id(),
                node.host() == null ? "" : node.host(),
                node.port(),
                node.rack(),
                !node.isFenced() && !node.isEmpty());
    }
}
