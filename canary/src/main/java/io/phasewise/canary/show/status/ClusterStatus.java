/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.status;

import io.phasewise.canary.show.slow.ProbeJournal;
import io.phasewise.canary.supervise.Problem;
import io.phasewise.common.phase.Phase;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * How one cluster is doing by one profile, at one instant; showing it is left to the web pages.
 *
 * @param at how the measuring stands
 * @param brokers the cluster's members by ascending id; empty while unknown
 * @param probes the slowest probes, and those that were never seen
 * @param slo how the objective is being met
 */
public record ClusterStatus(
        ProfileSnapshot at, List<Broker> brokers, ProbeJournal.Entries probes, SloStatus slo) {

    /** The {@code cluster} label. */
    public String name() {
        return at.facts().cluster();
    }

    /** The {@code profile} label. */
    public String profile() {
        return at.facts().profile();
    }

    /** What messages call the two. */
    public String title() {
        return at.facts().title();
    }

    /** Kafka's own id, or null while unknown. */
    public String clusterId() {
        return at.clusterId();
    }

    /** What the canary is doing about it. */
    public State state() {
        return at.state();
    }

    /** What keeps the canary from measuring as asked, sorted; may be empty. */
    public List<Problem> problems() {
        return at.problems();
    }

    /** The probes' topic, or null while unknown. */
    public Topic topic() {
        return at.topic();
    }

    /** Producers that carry the probes; 0 while there are none. */
    public int lanes() {
        return at.producers();
    }

    /** The seed of the Poisson schedule, configured or drawn. */
    public long seed() {
        return at.facts().seed();
    }

    /** Those that shape latency, by name. */
    public Map<String, String> settings() {
        return at.facts().settings();
    }

    /** The other end of a mirrored profile; null for all others. */
    public Mirror mirror() {
        return at.mirror();
    }

    /** What the canary is doing about a cluster. */
    public enum State {
        /** Has not reached it yet. */
        CONNECTING,
        /** Waits for the topic to be created in the cluster that it is mirrored to. */
        WAITING,
        /** Sends probes and receives them. */
        RUNNING,
        /** Sends nothing, as somebody has asked it to. */
        PAUSED,
        /** Could not reach it or prepare its topic; tries again. */
        FAILED;

        /** As shown to the reader. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * The probes' topic.
     *
     * @param name its name
     * @param partitions how many it has
     * @param replicationFactor replicas of the partition that has the fewest
     */
    public record Topic(String name, int partitions, int replicationFactor) {}

    /**
     * Where the probes of a mirrored profile are read.
     *
     * @param clusterId Kafka's own id of that cluster; null while unknown
     * @param topic what the probes' topic is called there
     * @param leaders the partitions that it has there, with the broker that leads each, negative
     *     where none does
     */
    public record Mirror(String clusterId, String topic, Map<Integer, Integer> leaders) {
        public Mirror {
            leaders = Map.copyOf(leaders);
        }
    }

    /** Whether the partition that a broker leads is not there in the cluster it is mirrored to. */
    public boolean isMissingInTarget(Broker broker) {
        return mirror() != null && !mirror().leaders().containsKey(broker.partition());
    }

    /**
     * How one broker is doing.
     *
     * @param id broker id
     * @param host advertised host; empty while the broker is down and its address unknown
     * @param port advertised port, or -1
     * @param partition the partition that measures it, or null when there is none
     * @param leads whether it leads that partition now
     * @param ready whether a probe for it went all the way round recently
     * @param window recent end-to-end latency
     * @param scheduled probes that were due while it led
     * @param inFlight those without an outcome yet
     * @param outcomes the others
     * @param clockUncertaintySeconds how far the estimate of its clock can be off; NaN before the
     *     first probe
     */
    public record Broker(
            int id,
            String host,
            int port,
            Integer partition,
            boolean leads,
            boolean ready,
            Window window,
            long scheduled,
            long inFlight,
            Outcomes outcomes,
            double clockUncertaintySeconds) {}

    /**
     * End-to-end latency over the last seconds.
     *
     * @param seconds how many
     * @param count probes delivered in them
     * @param p50Seconds median; NaN when there were none
     * @param p99Seconds 99th percentile; NaN when there were none
     * @param phases of the probes that were split
     * @param mirror of the same probes; null where they are read in the cluster that they were sent
     *     to
     */
    public record Window(
            int seconds,
            long count,
            double p50Seconds,
            double p99Seconds,
            Map<Phase, PartSeconds> phases,
            PartSeconds mirror) {}

    /**
     * How long a phase, or the mirror, took; NaN when there were no probes.
     *
     * @param mean these add up to the mean end-to-end latency
     * @param p50 median; these do not add up to anything
     * @param p99 99th percentile; nor do these
     */
    public record PartSeconds(double mean, double p50, double p99) {}

    /**
     * Probes by outcome.
     *
     * @param delivered within the deadline
     * @param late after it
     * @param lost never
     * @param sendFailed not sent
     */
    public record Outcomes(long delivered, long late, long lost, long sendFailed) {}

    /** Why probes do not go all the way round everywhere, one line each; empty when they do. */
    public List<String> notReady() {
        State state = state();
        if (state == State.PAUSED) {
            return List.of(title() + ": paused");
        }
        if (brokers.isEmpty() || state == State.CONNECTING || state == State.WAITING) {
            return List.of(
                    problems().stream()
                            .filter(p -> state != State.WAITING || p.key().startsWith("mirror"))
                            .findFirst()
                            .map(p -> title() + ": " + p.key() + ": " + p.message())
                            .orElse(title() + ": " + state.label()));
        }
        List<Broker> measured = brokers.stream().filter(b -> b.partition() != null).toList();
        if (measured.isEmpty()) {
            return List.of(title() + ": no broker leads a partition of the topic");
        }
        return measured.stream().filter(b -> !b.ready()).map(this::notReady).toList();
    }

    private String notReady(Broker broker) {
        if (isMissingInTarget(broker)) {
            return title()
                    + ": partition "
                    + broker.partition()
                    + " of topic "
                    + mirror().topic()
                    + " does not exist in the target cluster";
        }
        return title()
                + (broker.leads()
                        ? ": no probe to broker " + broker.id() + " came back recently"
                        : ": broker "
                                + broker.id()
                                + " does not lead partition "
                                + broker.partition());
    }
}
