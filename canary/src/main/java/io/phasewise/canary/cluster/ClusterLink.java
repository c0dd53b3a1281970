/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster;

import io.phasewise.canary.cluster.access.ExportedAdmin;
import io.phasewise.canary.cluster.access.RefusedLogin;
import io.phasewise.canary.cluster.access.ReplaceableAdmin;
import io.phasewise.canary.cluster.access.Reports;
import io.phasewise.canary.cluster.context.CanaryContext;
import io.phasewise.canary.cluster.context.InputListener;
import io.phasewise.canary.cluster.reach.BrokerPing;
import io.phasewise.canary.cluster.reach.BrokerPorts;
import io.phasewise.canary.cluster.reach.BrokerReach;
import io.phasewise.canary.cluster.reach.Pinger;
import io.phasewise.canary.config.ClusterConfig;
import io.phasewise.canary.config.CredentialFiles;
import io.phasewise.canary.config.KafkaConfig;
import io.phasewise.canary.phases.BrokerClocks;
import io.phasewise.canary.supervise.Problem;
import io.phasewise.canary.topic.ClusterObserver;
import io.phasewise.canary.topic.TopicState.Broker;
import io.phasewise.kafka.EndedAdmin;
import io.phasewise.kafka.PortLook;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How the canary reaches a cluster: the admin client, the credentials it is made of, and the pings.
 * When to look is left to the owner. Only the owner's thread uses this, except {@link #start} and
 * {@link #stopPings}.
 */
final class ClusterLink {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterLink.class);

    /**
     * How long to wait for an answer. Not shorter, as a client that gives up closes the connection
     * and repeats the TLS and SASL handshakes: a slow broker would have to do them for each ping.
     */
    private static final int PING_TIMEOUT_MS = 5_000;

    private final String cluster;
    private final ReplaceableAdmin<ExportedAdmin> admin;
    private final ClusterObserver observer;
    private final BrokerReach reach;
    private final Reports reports;
    private final LongSupplier nanoClock;
    private final Pinger pinger;
    private final Map<String, Object> properties;
    private final PortLook portLook;
    private final BrokerPorts brokerPorts;
    private final RefusedLogin refusedLogin = new RefusedLogin();

    /** The brokers that are pinged. */
    private List<Broker> brokers = List.of();

    /**
     * @param profiles of the cluster, at least one; the first says how it is reached, and by which
     *     labels the admin client is exported
     * @param clocks learn every round trip
     * @param reach learns which brokers answer
     * @param reports takes failures and problems
     * @param context what all clusters share
     */
    ClusterLink(
            List<ClusterConfig> profiles,
            BrokerClocks clocks,
            BrokerReach reach,
            Reports reports,
            CanaryContext context) {
        ClusterConfig first = profiles.get(0);
        this.cluster = first.name();
        this.reach = reach;
        this.reports = reports;
        this.nanoClock = context.nanoClock();
        this.admin = new ReplaceableAdmin<>(
                cluster,
                CredentialFiles.of(profiles.stream().map(ClusterConfig::kafka).toList()),
                () -> new ExportedAdmin(first, context.kafkaClients()),
                reports);
        this.observer = new ClusterObserver(this::client);
        this.properties = first.kafka().adminProperties(cluster);
        this.portLook = new PortLook(nanoClock);
        this.brokerPorts = new BrokerPorts(portLook, properties, nanoClock.getAsLong());
        this.pinger = new Pinger(
                context.supervisor(),
                () -> BrokerPing.open(
                        properties,
                        KafkaConfig.idPrefix(cluster) + "ping",
                        Pinger.PERIOD,
                        PING_TIMEOUT_MS,
                        all(context.inputs(), clocks, reach),
                        context.nanoClock()),
                cluster,
                fault -> reports.error("pinger", fault));
    }

    private static BrokerPing.Listener all(InputListener inputs, BrokerClocks clocks, BrokerReach reach) {
        return new BrokerPing.Listener() {
            @Override
            public void roundTrip(int broker, long now, long nanos) {
                inputs.roundTrip(broker, now, nanos);
                clocks.roundTrip(broker, now, nanos);
                reach.answered(broker, now);
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
     * @param renewOthers called when credentials changed; replaces the clients that others have
     * @throws KafkaException when the cluster cannot be reached; a WrongPortException where its
     *     ports do not speak what the clients are set to
     */
    ClusterObserver.Brokers look(Runnable renewOthers) throws InterruptedException {
        if (admin.get() == null) {
            portLook.check(properties, "client.");
        }
        try {
            String changed = admin.refresh();
            if (!changed.isEmpty()) {
                LOG.info("cluster {}: {} changed; every Kafka client is replaced", cluster, changed);
                pinger.renew();
                renewOthers.run();
            }
            ClusterObserver.Brokers seen = observer.observe();
            refusedLogin.accepted();
            return seen;
        } catch (SaslAuthenticationException | AuthorizationException e) {
            throw e; // Kafka has answered, so the port is the right one
        } catch (KafkaException e) {
            if (EndedAdmin.isToldBy(e)) {
                admin.close();
            }
            portLook.check(properties, "client.");
            throw e;
        }
    }

    /**
     * Called when the cluster has refused the credentials and nothing can be measured. Closes the
     * clients, as these would try again every second; {@link #isSuspended} says when the next look
     * may be.
     */
    void suspend() {
        refusedLogin.refused(nanoClock.getAsLong(), admin.credentials());
        ping(List.of());
        pinger.renew(); // the next client is made of the credentials of that time
        admin.close();
    }

    /** Whether the next look has to wait after a {@link #suspend}. */
    boolean isSuspended() {
        return refusedLogin.waits(nanoClock.getAsLong(), admin::credentials);
    }

    /** Sets which brokers are pinged. */
    void ping(List<Broker> brokers) {
        this.brokers = brokers;
        reach.retain(brokers.stream().map(Broker::id).toList());
        pinger.setBrokers(brokers);
    }

    /**
     * Posts the brokers that the cluster says are up and that cannot be reached from here. A broker
     * that is down is no problem of this kind: the cluster knows of it.
     */
    void postUnreachable() {
        long now = nanoClock.getAsLong();
        List<Problem> problems = new ArrayList<>();
        List<Integer> unreachable = new ArrayList<>();
        for (Broker broker : brokers) {
            Optional<String> failure = broker.live() ? reach.failure(broker.id(), now) : Optional.empty();
            if (failure.isPresent()) {
                unreachable.add(broker.id());
                String port = brokerPorts
                        .mismatch(broker, now)
                        .map(mismatch -> "; " + mismatch)
                        .orElse("");
                problems.add(Problem.of(
                        "broker " + broker.id(),
                        "cannot connect to broker %s at %s%s",
                        broker.id(),
                        failure.get(),
                        port));
            }
        }
        brokerPorts.retain(unreachable);
        reports.post("brokers", problems);
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
