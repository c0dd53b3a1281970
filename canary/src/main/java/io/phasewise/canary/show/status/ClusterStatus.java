/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.status;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.phasewise.canary.probe.ledger.LeaderCounts;
import io.phasewise.canary.show.slow.ProbeReport;
import io.phasewise.common.phase.Phase;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * How one cluster is doing by one profile, at one instant; showing it is left to the web pages.
 *
 * @param at how the measuring stands
 * @param brokers the cluster's members by ascending id; empty while unknown
 * @param slowestProbes of the last hour, slowest first
 * @param undeliveredProbes the latest of the last hour that were lost or not sent, latest first
 * @param slo how the objective is being met
 */
public record ClusterStatus(
        @JsonUnwrapped ProfileSnapshot at,
        List<Broker> brokers,
        List<ProbeReport> slowestProbes,
        List<ProbeReport> undeliveredProbes,
        SloStatus slo) {

    /** What the canary is doing about a cluster. */
    public enum State {
        /** Has not reached it yet. */
        CONNECTING,
        /** Sends probes and receives them. */
        RUNNING,
        /** Sends nothing, as somebody has asked it to. */
        PAUSED,
        /** Could not reach it or prepare its topic; tries again. */
        FAILED
    }

    /**
     * The probes' topic.
     *
     * @param name its name
     * @param partitions how many it has
     * @param replicationFactor replicas of the partition that has the fewest
     * @param ownership whose it is: created (by a canary), adopted, foreign or unknown
     */
    public record Topic(String name, int partitions, int replicationFactor, String ownership) {}

    /**
     * The consumer group that is configured.
     *
     * @param id the group's
     * @param ownership whose it is: absent, ours (only canaries are in it), foreign or unknown
     */
    public record Group(String id, String ownership) {}

    /**
     * How one broker is doing.
     *
     * @param id broker id
     * @param host advertised host; empty while the broker is down and its address unknown
     * @param port advertised port, or -1
     * @param partition the partition that measures it, or null when there is none
     * @param leads whether it leads that partition now
     * @param ready whether a probe for it completed the round trip recently
     * @param unreachable its address and why this canary cannot connect to it; null while it can,
     *     and while that is not known
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
            @JsonInclude(JsonInclude.Include.NON_NULL) String unreachable,
            @JsonUnwrapped Window window,
            long scheduled,
            long inFlight,
            LeaderCounts.Outcomes outcomes,
            double clockUncertaintySeconds) {}

    /**
     * End-to-end latency over the last seconds.
     *
     * @param seconds how many
     * @param count probes delivered in them
     * @param p50Seconds median; NaN when there were none
     * @param p99Seconds 99th percentile; NaN when there were none
     * @param phases of the probes that were split
     */
    public record Window(
            @JsonProperty("windowSeconds") int seconds,
            @JsonIgnore long count,
            @JsonIgnore double p50Seconds,
            @JsonIgnore double p99Seconds,
            @JsonIgnore Map<Phase, PhaseSeconds> phases) {
        private record EndToEnd(long count, double p50Seconds, double p99Seconds) {}

        @JsonProperty
        private EndToEnd endToEnd() {
            return new EndToEnd(count, p50Seconds, p99Seconds);
        }

        /** By phase the mean, the median and the 99th percentile. */
        @JsonAnyGetter
        private Map<String, Object> parts() {
            Map<String, Object> parts = new LinkedHashMap<>();
            add(parts, "mean", PhaseSeconds::mean);
            add(parts, "p50", PhaseSeconds::p50);
            add(parts, "p99", PhaseSeconds::p99);
            return parts;
        }

        private void add(Map<String, Object> parts, String name, ToDoubleFunction<PhaseSeconds> figure) {
            Map<String, Double> byPhase = new LinkedHashMap<>();
            phases.forEach((phase, of) -> byPhase.put(phase.label(), figure.applyAsDouble(of)));
            parts.put(name + "PhaseSeconds", byPhase);
        }
    }

    /**
     * How long a phase took; NaN when there were no probes.
     *
     * @param mean these add up to the mean end-to-end latency
     * @param p50 median; these do not add up to anything
     * @param p99 99th percentile; nor do these
     */
    public record PhaseSeconds(double mean, double p50, double p99) {}

    /** Why probes do not complete the round trip everywhere, one line each; empty when they do. */
    public List<String> notReady() {
        State state = at.state();
        if (state == State.PAUSED) {
            return List.of(at.facts().title() + ": paused");
        }
        if (brokers.isEmpty() || state == State.CONNECTING) {
            return List.of(at.problems().stream()
                    .findFirst()
                    .map(p -> at.facts().title() + ": " + p.key() + ": " + p.message())
                    .orElse(at.facts().title() + ": " + state.name().toLowerCase(Locale.ROOT)));
        }
        List<Broker> measured =
                brokers.stream().filter(b -> b.partition() != null).toList();
        if (measured.isEmpty()) {
            return List.of(at.problems().stream()
                    .filter(p -> p.key().startsWith("topic.") || p.key().startsWith("consumer-group."))
                    .findFirst()
                    .map(p -> at.facts().title() + ": " + p.key() + ": " + p.message())
                    .orElse(at.facts().title() + ": no broker leads a partition of the topic"));
        }
        return measured.stream().filter(b -> !b.ready()).map(this::notReady).toList();
    }

    private String notReady(Broker broker) {
        if (broker.unreachable() != null) {
            return "%s: cannot connect to broker %s at %s"
                    .formatted(at.facts().title(), broker.id(), broker.unreachable());
        }
        return broker.leads()
                ? "%s: no probe to broker %s came back recently"
                        .formatted(at.facts().title(), broker.id())
                : "%s: broker %s does not lead partition %s"
                        .formatted(at.facts().title(), broker.id(), broker.partition());
    }
}
