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
    private boolean tellsOfFenced = true;

    /**
     * What was seen.
     *
     * @param clusterId Kafka's id of the cluster; may be null on very old brokers
     * @param registered the brokers that the cluster tells of
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
     * @throws KafkaException when the cluster cannot be reached or refuses to tell
     */
    public Brokers observe() throws InterruptedException {
        DescribeClusterResult cluster = describe();
        List<Broker> registered =
                Failures.get(cluster.nodes()).stream().map(ClusterObserver::broker).toList();
        return new Brokers(Failures.get(cluster.clusterId()), registered, tellsOfFenced);
    }

    private static Broker broker(Node node) {
        return new Broker(
                node.id(),
                node.host() == null ? "" : node.host(),
                node.port(),
                node.rack(),
                !node.isFenced() && !node.isEmpty());
    }

    /** Fenced brokers (registered, but down) are told of from Kafka 4.0 on (KIP-1073). */
    private DescribeClusterResult describe() throws InterruptedException {
        if (tellsOfFenced) {
            try {
                var options = new DescribeClusterOptions().includeFencedBrokers(true);
                DescribeClusterResult result = admin.get().describeCluster(options);
                Failures.get(result.nodes());
                return result;
            } catch (UnsupportedVersionException e) {
                tellsOfFenced = false;
            }
        }
        return admin.get().describeCluster();
    }
}
