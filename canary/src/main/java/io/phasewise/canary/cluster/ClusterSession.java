/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster;

import io.phasewise.canary.account.OwnClients;
import io.phasewise.canary.account.suspect.StateFile;
import io.phasewise.canary.account.suspect.Suspect;
import io.phasewise.canary.account.suspect.Suspects;
import io.phasewise.canary.cluster.access.Reports;
import io.phasewise.canary.cluster.context.CanaryContext;
import io.phasewise.canary.cluster.context.ProfileContext;
import io.phasewise.canary.cluster.reach.BrokerReach;
import io.phasewise.canary.config.ClusterConfig;
import io.phasewise.canary.marks.MarkReader;
import io.phasewise.canary.marks.MarkStore;
import io.phasewise.canary.phases.BrokerClocks;
import io.phasewise.canary.show.status.ClusterStatus;
import io.phasewise.canary.show.status.ClusterSuspects;
import io.phasewise.canary.show.status.ProfileSnapshot;
import io.phasewise.canary.supervise.SupervisedThread;
import io.phasewise.canary.topic.ClusterObserver;
import io.phasewise.common.marks.MarkPage;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthenticationException;

/**
 * What the profiles of one cluster share: the admin client and the credentials it is made of, the
 * look at the brokers, the pings, and what these say of the brokers' clocks and network delays.
 * What a profile has for itself is left to {@link ProfileRun}; other clusters know nothing of this
 * one.
 *
 * <p>Never gives up: the keeper, one thread, looks at the cluster every few seconds, has each
 * profile adapt itself to what is there, and tries again after every failure. It may wait for the
 * network; nothing that measures waits for it.
 */
public final class ClusterSession {
    /** The longest pause between two looks at the clock. */
    private static final Duration IDLE = Duration.ofSeconds(1);

    private static final Duration STOP = Duration.ofSeconds(1);
    private static final Duration STOP_PROFILES = Duration.ofMillis(3_200);

    private final String name;
    private final CanaryContext context;
    private final List<ProfileRun> profiles;
    private final Reports reports;
    private final BrokerClocks clocks = new BrokerClocks();
    private final BrokerReach reach = new BrokerReach();

    /** Empty where brokers are not asked for marks; so is the next field. */
    private final Optional<MarkStore> marks;

    private final Optional<MarkReader> markReader;
    private final ClusterLink link;
    private final SupervisedThread keeper;

    /**
     * @param configs the cluster's profiles, which reach it by the same servers, credentials and
     *     admin settings; at least one
     * @param instances a random number for each profile
     * @param context what all clusters share
     */
    public ClusterSession(List<ClusterConfig> configs, LongSupplier instances, CanaryContext context) {
        ClusterConfig first = configs.get(0);
        this.name = first.name();
        this.context = context;
        this.marks = first.exporters().isGiven()
                ? Optional.of(new MarkStore(ownClients(configs), context.nanoClock()))
                : Optional.empty();
        this.profiles = configs.stream()
                .map(config -> new ProfileRun(
                        ProfileContext.of(config, context, clocks, reach, marks, instances.getAsLong()), this::client))
                .toList();
        this.reports = Reports.all(profiles.stream().map(ProfileRun::reports).toList());
        this.link = new ClusterLink(configs, clocks, reach, reports, context);
        this.markReader = marks.map(store -> new MarkReader(
                context.supervisor(),
                name,
                first.exporters(),
                store,
                listener(),
                fault -> error("marks", fault),
                context.nanoClock()));
        this.keeper =
                context.supervisor().loop("cluster-" + name, fault -> error("keeper", fault), this::turn, link::close);
    }

    private static OwnClients ownClients(List<ClusterConfig> configs) {
        return new OwnClients(
                configs.stream().map(ClusterConfig::consumerClientId).collect(Collectors.toSet()),
                configs.stream().map(ClusterConfig::producerClientIds).collect(Collectors.toSet()));
    }

    private MarkReader.Listener listener() {
        return new MarkReader.Listener() {
            @Override
            public void missed(int broker, long count) {
                reports.missedMarks(broker, count);
            }

            @Override
            public void page(int broker, MarkPage page) {
                context.inputs().page(broker, context.nanoClock().getAsLong(), page);
            }

            @Override
            public void silent(int broker) {
                context.inputs().silent(broker, context.nanoClock().getAsLong());
            }
        };
    }

    private Admin client() {
        return link.client();
    }

    /** The {@code cluster} label. */
    public String name() {
        return name;
    }

    /** Starts; returns at once, whatever state the cluster is in. */
    public void start() {
        keeper.start();
        link.start();
        markReader.ifPresent(MarkReader::start);
        profiles.forEach(ProfileRun::start);
    }

    /**
     * Stops sending, waits a moment for what is on its way, and closes the clients. Takes less than
     * four and a half seconds.
     */
    public void stop() throws InterruptedException {
        keeper.interrupt(); // it may be waiting for a cluster that does not answer
        keeper.join(STOP);
        Map<String, SupervisedThread.Turn> stops = new HashMap<>();
        profiles.forEach(profile -> stops.put("stop-" + profile.config().id(), profile::stop));
        context.supervisor().atOnce(stops, STOP_PROFILES);
        link.stopPings();
        markReader.ifPresent(MarkReader::stop);
    }

    /**
     * Counts a fault of a thread that all profiles depend on.
     *
     * @param thread which one, the {@code client} label
     * @param fault what it threw
     */
    public void error(String thread, Throwable fault) {
        reports.error(thread, fault);
    }

    /** Does the looks that are due, then pauses until the next one is. */
    private void turn() throws InterruptedException {
        long now = context.nanoClock().getAsLong();
        List<ProfileRun> due =
                profiles.stream().filter(each -> each.untilLook(now) <= 0).toList();
        boolean suspended = link.isSuspended();
        if (!due.isEmpty() && !suspended) {
            look(due);
        }
        link.postUnreachable();
        long after = context.nanoClock().getAsLong();
        long next =
                profiles.stream().mapToLong(each -> each.untilLook(after)).min().orElseThrow();
        keeper.pause(suspended ? IDLE : Duration.ofNanos(Math.max(0, Math.min(next, IDLE.toNanos()))));
    }

    private void look(List<ProfileRun> due) throws InterruptedException {
        ClusterObserver.Brokers brokers;
        try {
            brokers = link.look(() -> profiles.forEach(ProfileRun::renewClients));
        } catch (KafkaException e) {
            boolean suspends =
                    e instanceof AuthenticationException && profiles.stream().noneMatch(ProfileRun::isMeasuring);
            due.forEach(profile -> profile.lookFailed(e, suspends));
            if (suspends) {
                link.suspend();
                for (ProfileRun profile : profiles) {
                    profile.endTraffic();
                }
            }
            return;
        }
        link.ping(brokers.registered());
        markReader.ifPresent(reader -> reader.setBrokers(brokers.registered()));
        for (ProfileRun profile : due) {
            look(profile, brokers);
        }
        Set<Integer> members =
                profiles.stream().flatMap(profile -> profile.members().stream()).collect(Collectors.toSet());
        clocks.retainBrokers(members);
        marks.ifPresent(store -> store.retainBrokers(members));
    }

    private static void look(ProfileRun profile, ClusterObserver.Brokers brokers) throws InterruptedException {
        try {
            profile.look(brokers);
        } catch (KafkaException e) {
            profile.lookFailed(e, false);
        } catch (RuntimeException | Error e) {
            profile.lookFaulted(e); // the other profiles are looked after all the same
        }
    }

    /** How the measuring stands now, one for each profile. */
    public List<ProfileSnapshot> snapshots() {
        return profiles.stream().map(ProfileRun::snapshot).toList();
    }

    /** Who is suspected now, by all profiles together. */
    public ClusterSuspects suspects() {
        List<Suspects> all = profiles.stream().map(ProfileRun::suspects).toList();
        return ClusterSuspects.of(
                name,
                Suspect.merged(all.stream().map(Suspects::named).toList()),
                all.stream().anyMatch(Suspects::hasJudged),
                all.stream().mapToInt(Suspects::learnedMinutes).min().orElse(0),
                context.wallTime()::at);
    }

    /** By broker whether its agent answered the last request for marks; without those that are not asked. */
    public Map<Integer, Boolean> agents() {
        return marks.map(MarkStore::reached).orElse(Map.of());
    }

    /** Has a file keep what the profiles learn. */
    public void keep(StateFile file) {
        profiles.forEach(profile -> file.keep(name, profile.config().profile(), profile.suspects()));
    }

    /** How the profiles are doing now. */
    public List<ClusterStatus> status() {
        return profiles.stream().map(ProfileRun::status).toList();
    }
}
