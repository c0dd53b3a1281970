/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster;

import io.phasewise.canary.cluster.ping.BrokerPing;
import io.phasewise.canary.config.ClusterConfig;
import io.phasewise.canary.config.CredentialFiles;
import io.phasewise.canary.config.KafkaConfig;
import io.phasewise.canary.topic.ClusterObserver;
import io.phasewise.canary.topic.TopicState.Broker;
import java.util.List;
import org.apache.kafka.clients.admin.Admin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How the canary reaches a cluster: the admin client, the credentials it is made of, and the pings.
 * Both ends of a mirrored profile have one. What is looked at is left to the owner, whose thread
 * alone uses this, but for {@link #start} and {@link #stopPings}.
 */
final class ClusterLink {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterLink.class);

    private static final int PING_TIMEOUT_MS = 1_000;

    private final Name name;
    private final AdminLink<ExportedAdmin> admin;
    private final ClusterObserver observer;
    private final Pinger pinger;

    /**
     * What a cluster is called.
     *
     * @param id part of the clients' ids and of the threads' names
     * @param title in the log
     * @param prefix of its keys below the profile's, with the dot; empty for the profile's own
     * @param kind in problems
     */
    record Name(String id, String title, String prefix, String kind) {}

    /**
     * @param name what it is called
     * @param clients how the profiles' clients reach it; the first also for the admin client
     * @param exportedAs the profile by whose labels the admin client is exported
     * @param listener called with every round trip
     * @param reports takes failures and problems
     * @param context what all clusters share
     */
    ClusterLink(
            Name name,
            List<KafkaConfig> clients,
            ClusterConfig exportedAs,
            BrokerPing.Listener listener,
            Reports reports,
            CanaryContext context) {
        KafkaConfig kafka = clients.get(0);
        this.name = name;
        this.admin = new AdminLink<>(
                name,
                CredentialFiles.of(clients),
                () -> new ExportedAdmin(kafka, name.id(), exportedAs, context.kafkaClients()),
                reports);
        this.observer = new ClusterObserver(this::client);
        this.pinger = new Pinger(
                context.supervisor(),
                () -> BrokerPing.open(
                        kafka.adminProperties(name.id()),
                        KafkaConfig.idPrefix(name.id()) + "ping",
                        Pinger.PERIOD,
                        PING_TIMEOUT_MS,
                        listener,
                        context.nanoClock()),
                name.id(),
                fault -> reports.error("pinger", fault));
    }

    /** The admin client in use; there is one once {@link #look} was called. */
    Admin client() {
        return admin.get().client();
    }

    /** Starts the pings. */
    void start() {
        pinger.start();
    }

    /**
     * Looks which brokers there are; before that, replaces the clients whose credentials changed.
     *
     * @param renewOthers called then, for the clients that others have
     * @throws org.apache.kafka.common.KafkaException when the cluster cannot be reached
     */
    ClusterObserver.Brokers look(Runnable renewOthers) throws InterruptedException {
        String changed = admin.refresh();
        if (!changed.isEmpty()) {
            LOG.info("{}: {} changed; every Kafka client is replaced", name.title(), changed);
            pinger.renew();
            renewOthers.run();
        }
        return observer.observe();
    }

    /** Sets which brokers are pinged. */
    void ping(List<Broker> brokers) {
        pinger.setBrokers(brokers);
    }

    /** Ends the pings. */
    void stopPings() {
        pinger.stop();
    }

    /** Closes the admin client. */
    void close() {
        admin.close();
    }
}
