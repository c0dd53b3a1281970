/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster;

import io.phasewise.canary.cluster.ping.BrokerPing;
import io.phasewise.canary.config.ClusterConfig;
import io.phasewise.canary.config.CredentialFiles;
import io.phasewise.canary.config.KafkaConfig;
import io.phasewise.canary.supervise.Problem;
import io.phasewise.canary.topic.ClusterObserver;
import io.phasewise.canary.topic.TopicState.Broker;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Node;
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
    private final BrokerReach reach;
    private final Reports reports;
    private final LongSupplier nanoClock;
    private final Pinger pinger;

    /** Those that are pinged. */
    private List<Broker> brokers = List.of();

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
     * @param reach learns which brokers answer
     * @param reports takes failures and problems
     * @param context what all clusters share
     */
    ClusterLink(
            Name name,
            List<KafkaConfig> clients,
            ClusterConfig exportedAs,
            BrokerPing.Listener listener,
            BrokerReach reach,
            Reports reports,
            CanaryContext context) {
        KafkaConfig kafka = clients.get(0);
        this.name = name;
        this.reach = reach;
        this.reports = reports;
        this.nanoClock = context.nanoClock();
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
                        both(listener, reach),
                        context.nanoClock()),
                name.id(),
                fault -> reports.error("pinger", fault));
    }

    private static BrokerPing.Listener both(BrokerPing.Listener listener, BrokerReach reach) {
        return new BrokerPing.Listener() {
            @Override
            public void roundTrip(int broker, long now, long nanos) {
                listener.roundTrip(broker, now, nanos);
                reach.roundTrip(broker, now, nanos);
            }

            @Override
            public void failed(Node broker, long now, String reason) {
                reach.failed(broker, now, reason);
            }
        };
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
        this.brokers = brokers;
        reach.retain(brokers.stream().map(Broker::id).toList());
        pinger.setBrokers(brokers);
    }

    /**
     * Posts the brokers that are up, as the cluster says, and cannot be reached from here. Of one
     * that is down the cluster itself tells.
     */
    void postUnreachable() {
        long now = nanoClock.getAsLong();
        String of = name.prefix().isEmpty() ? "" : " of the " + name.kind();
        List<Problem> problems = new ArrayList<>();
        for (Broker broker : brokers) {
            if (broker.live()) {
                reach.failure(broker.id(), now)
                        .ifPresent(failure -> problems.add(Problem.of(
                                name.prefix() + "broker " + broker.id(),
                                "cannot connect to broker %s%s at %s",
                                broker.id(),
                                of,
                                failure)));
            }
        }
        reports.post(name.prefix() + "brokers", problems);
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
