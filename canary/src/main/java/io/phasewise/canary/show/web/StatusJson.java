/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.web;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.phasewise.canary.phases.Instants;
import io.phasewise.canary.show.slow.SlowProbe;
import io.phasewise.canary.show.slow.UnseenProbe;
import io.phasewise.canary.show.status.ClusterStatus;
import io.phasewise.canary.show.status.SloStatus;
import io.phasewise.canary.show.status.VerdictHistory;
import io.phasewise.common.phase.Phase;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Writes the status as JSON, field by field: the launcher and scripts read these names. */
final class StatusJson {
    private final ObjectMapper mapper = new ObjectMapper();

    /** The whole status. */
    byte[] write(StatusSource source) {
        List<ClusterStatus> clusters = source.clusters();
        ObjectNode root = mapper.createObjectNode();
        root.put("version", source.version());
        source.site().ifPresent(site -> root.put("site", site));
        root.put("startedAt", source.startedAt().toString());
        root.put("at", source.now().toString());
        root.put("ready", clusters.stream().allMatch(c -> c.notReady().isEmpty()));
        ArrayNode list = root.putArray("clusters");
        clusters.forEach(cluster -> write(cluster, list.addObject()));
        return bytes(root);
    }

    /** Why the canary is not ready. */
    byte[] writeReadiness(List<String> reasons) {
        ObjectNode root = mapper.createObjectNode();
        root.put("ready", reasons.isEmpty());
        ArrayNode list = root.putArray("reasons");
        reasons.forEach(list::add);
        return bytes(root);
    }

    private static void write(ClusterStatus cluster, ObjectNode node) {
        node.put("name", cluster.name());
        node.put("profile", cluster.profile());
        node.put("clusterId", cluster.clusterId());
        node.put("state", cluster.state().label());
        ArrayNode problems = node.putArray("problems");
        cluster.problems()
                .forEach(p -> problems.addObject().put("key", p.key()).put("message", p.message()));
        if (cluster.topic() == null) {
            node.putNull("topic");
        } else {
            node.putObject("topic")
                    .put("name", cluster.topic().name())
                    .put("partitions", cluster.topic().partitions())
                    .put("replicationFactor", cluster.topic().replicationFactor());
        }
        if (cluster.mirror() != null) {
            write(cluster.mirror(), node.putObject("mirror"));
        }
        node.put("lanes", cluster.lanes());
        node.put("seed", cluster.seed());
        write(cluster.slo(), node.putObject("slo"));
        ObjectNode settings = node.putObject("settings");
        cluster.settings().forEach(settings::put);
        ArrayNode brokers = node.putArray("brokers");
        cluster.brokers().forEach(broker -> write(broker, brokers.addObject()));
        ArrayNode slowest = node.putArray("slowestProbes");
        cluster.probes()
                .slowest()
                .forEach(probe -> write(probe, cluster.mirror() != null, slowest.addObject()));
        ArrayNode unseen = node.putArray("unseenProbes");
        cluster.probes().unseen().forEach(probe -> write(probe, unseen.addObject()));
    }

    private static void write(ClusterStatus.Mirror mirror, ObjectNode node) {
        node.put("clusterId", mirror.clusterId());
        node.put("topic", mirror.topic());
        ObjectNode leaders = node.putObject("leaders");
        new TreeMap<>(mirror.leaders())
                .forEach((partition, leader) -> leaders.put(partition.toString(), leader));
    }

    private static void write(SloStatus slo, ObjectNode node) {
        node.put("targetSeconds", slo.targetSeconds());
        node.put("objectiveRatio", slo.objectiveRatio());
        node.put("state", slo.state().label());
        write(slo, slo.recent(), node.putObject("fiveMinutes"));
        write(slo, slo.hour(), node.putObject("hour"));
    }

    private static void write(SloStatus slo, VerdictHistory.Verdicts verdicts, ObjectNode node) {
        node.put("seconds", verdicts.seconds());
        node.put("good", verdicts.good());
        node.put("bad", verdicts.bad());
        node.put("stalledBad", verdicts.stalledBad());
        putNumber(node, "burnRate", slo.burnRate(verdicts));
    }

    private static void write(SlowProbe probe, boolean mirrored, ObjectNode node) {
        node.put("id", probe.id());
        node.put("leader", probe.leader());
        node.put("partition", probe.partition());
        node.put("offset", probe.offset());
        node.put("outcome", probe.outcome().label());
        node.put("due", probe.due().toString());
        node.put("endToEndNanos", probe.endToEndNanos());
        Instants at = probe.instants();
        ObjectNode instants =
                node.putObject("nanosSinceDue")
                        .put("scheduled", 0)
                        .put("dispatched", at.t1() - at.t0())
                        .put("appended", at.t2() - at.t0())
                        .put("committed", at.t3() - at.t0());
        if (mirrored) {
            instants.put("mirrored", at.mirrored() - at.t0());
        }
        instants.put("reached", at.t4() - at.t0()).put("delivered", at.t5() - at.t0());
        putNanos(instants, "acknowledged", probe.acknowledgedNanos());
        node.put("phaseSource", probe.breakdown().marked().isPresent() ? "broker" : "estimate");
        probe.breakdown()
                .marked()
                .ifPresent(
                        marked -> {
                            marked.passage().since(at.t0()).forEach(instants::put);
                            node.put("uncertaintyNanos", marked.uncertaintyNanos());
                        });
        ObjectNode phases = node.putObject("phaseNanos");
        for (Phase phase : Phase.values()) {
            phases.put(phase.label(), probe.phases().of(phase));
        }
        if (mirrored) {
            node.put("mirrorNanos", probe.phases().mirror());
        }
        node.put("waitedNanos", probe.waitedNanos());
        node.put("stalled", probe.stalledNanos() > 0);
        node.put("stalledNanos", probe.stalledNanos());
    }

    private static void write(UnseenProbe probe, ObjectNode node) {
        node.put("id", probe.id());
        node.put("leader", probe.leader());
        node.put("partition", probe.partition());
        node.put("outcome", probe.outcome().label());
        node.put("due", probe.due().toString());
        putNanos(node, "dispatchedNanosSinceDue", probe.dispatchedNanos());
        putNanos(node, "acknowledgedNanosSinceDue", probe.acknowledgedNanos());
    }

    private static void putNanos(ObjectNode node, String name, OptionalLong nanos) {
        if (nanos.isPresent()) {
            node.put(name, nanos.getAsLong());
        } else {
            node.putNull(name);
        }
    }

    private static void write(ClusterStatus.Broker broker, ObjectNode node) {
        node.put("id", broker.id());
        node.put("host", broker.host());
        node.put("port", broker.port());
        node.put("partition", broker.partition());
        node.put("leads", broker.leads());
        node.put("ready", broker.ready());
        ObjectNode endToEnd = node.putObject("endToEnd");
        endToEnd.put("count", broker.window().count());
        putNumber(endToEnd, "p50Seconds", broker.window().p50Seconds());
        putNumber(endToEnd, "p99Seconds", broker.window().p99Seconds());
        ObjectNode mean = node.putObject("meanPhaseSeconds");
        ObjectNode p50 = node.putObject("p50PhaseSeconds");
        ObjectNode p99 = node.putObject("p99PhaseSeconds");
        broker.window()
                .phases()
                .forEach(
                        (phase, seconds) -> {
                            putNumber(mean, phase.label(), seconds.mean());
                            putNumber(p50, phase.label(), seconds.p50());
                            putNumber(p99, phase.label(), seconds.p99());
                        });
        ClusterStatus.PartSeconds mirror = broker.window().mirror();
        if (mirror != null) {
            putNumber(node, "meanMirrorSeconds", mirror.mean());
            putNumber(node, "p50MirrorSeconds", mirror.p50());
            putNumber(node, "p99MirrorSeconds", mirror.p99());
        }
        putNumber(node, "clockUncertaintySeconds", broker.clockUncertaintySeconds());
        node.put("windowSeconds", broker.window().seconds());
        node.put("scheduled", broker.scheduled());
        node.put("inFlight", broker.inFlight());
        node.putObject("outcomes")
                .put("delivered", broker.outcomes().delivered())
                .put("late", broker.outcomes().late())
                .put("lost", broker.outcomes().lost())
                .put("send_failed", broker.outcomes().sendFailed());
    }

    /** JSON knows no NaN: no probes, no percentile. */
    private static void putNumber(ObjectNode node, String name, double value) {
        if (Double.isNaN(value)) {
            node.putNull(name);
        } else {
            node.put(name, value);
        }
    }

    private byte[] bytes(ObjectNode node) {
        try {
            return mapper.writeValueAsBytes(node);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
