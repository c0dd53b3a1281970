/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.fleet;

import io.phasewise.report.fleet.Fleet.Member;
import io.phasewise.report.fleet.Fleet.Size;
import io.phasewise.report.fleet.Fleet.Unmeasured;
import io.phasewise.report.latency.LatencyReader;
import io.phasewise.report.latency.WindowData;
import io.phasewise.report.query.BlockReader;
import io.phasewise.report.query.Discovery;
import io.phasewise.report.query.FleetQuestion;
import io.phasewise.report.query.Form;
import io.phasewise.report.query.NoData;
import io.phasewise.report.query.Queries;
import io.phasewise.report.query.Question;
import io.phasewise.report.query.RefusedException;
import io.phasewise.report.query.Steps;
import io.phasewise.report.query.Window;
import io.phasewise.report.source.PrometheusReader;
import io.phasewise.report.source.SourceException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Makes the review of many clusters. Of each cluster only the objective and the end-to-end latency
 * are read, in the same way as for one cluster. The sizes come from a few queries about all
 * clusters.
 */
public final class FleetReviewer {

    private final PrometheusReader server;
    private final Steps steps;
    private final InstantSource clock;

    /**
     * @param clock says when the review was made
     */
    public FleetReviewer(PrometheusReader server, Steps steps, InstantSource clock) {
        this.server = server;
        this.steps = steps;
        this.clock = clock;
    }

    /**
     * Reads, and makes the review. A cluster without latencies does not end it: it is listed with
     * the reason.
     *
     * @throws SourceException when the server cannot be read
     * @throws RefusedException when it has the latency of none of the clusters
     * @throws InterruptedException when interrupted
     */
    public Fleet review(FleetQuestion question) throws SourceException, RefusedException, InterruptedException {
        steps.at("clusters", 0, 1);
        BlockReader reader = new BlockReader(server, Queries.of(question), steps);
        Window window = question.window();
        Set<String> withCanary = new HashSet<>(withCanary(question, reader));
        SortedSet<String> all = new TreeSet<>(withCanary);
        all.addAll(reader.labelValues("cluster", "brokers", window));
        if (withCanary.isEmpty()) {
            throw new RefusedException(nothing(question, reader));
        }
        steps.over("clusters", Integer.toString(all.size()));
        Map<String, Size> sizes = sizes(window, reader);
        List<Member> members = new ArrayList<>();
        List<Unmeasured> unmeasured = new ArrayList<>();
        for (String cluster : all) {
            steps.at("latencies", members.size() + unmeasured.size(), all.size());
            Size size = sizes.getOrDefault(cluster, Size.UNKNOWN);
            if (!withCanary.contains(cluster)) {
                unmeasured.add(new Unmeasured(cluster, "no canary's data in the window", size));
                continue;
            }
            try {
                members.add(member(question, cluster, size));
            } catch (RefusedException e) {
                unmeasured.add(new Unmeasured(cluster, e.getMessage(), size));
            }
        }
        if (members.isEmpty()) {
            Unmeasured first = unmeasured.get(0);
            throw new RefusedException("the latency of none of %d clusters is known; %s: %s"
                    .formatted(all.size(), first.cluster(), first.reason()));
        }
        steps.over("latencies", members.size() + " of " + all.size() + " clusters");
        return new Fleet(
                clock.instant(),
                server.toString(),
                question.pattern(),
                question.profile(),
                question.site().orElse(""),
                question.zone().getId(),
                question.window(),
                FleetAnalysis.worstFirst(members),
                unmeasured,
                FleetAnalysis.total(members, unmeasured),
                server.warnings());
    }

    /**
     * The first query that carries the pattern: only the server knows what a regular expression of
     * PromQL is.
     */
    private static List<String> withCanary(FleetQuestion question, BlockReader reader)
            throws SourceException, RefusedException, InterruptedException {
        try {
            return reader.labelValues("cluster", "any.of.cluster", question.window());
        } catch (SourceException e) {
            if (e.isAboutPattern()) {
                throw new RefusedException(
                        "--fleet: '%s' is not a regular expression: %s".formatted(question.pattern(), e.getMessage()));
            }
            throw e;
        }
    }

    /**
     * Reads one cluster. Its own steps are not shown: it is one part of the step of all clusters.
     */
    private Member member(FleetQuestion question, String cluster, Size size)
            throws SourceException, RefusedException, InterruptedException {
        Question one = question.of(cluster);
        Window window = question.window();
        Discovery.Found found = new Discovery(server, one, Steps.UNTOLD).find(window, clock.instant());
        WindowData measured = new LatencyReader(server, one, Steps.UNTOLD).whole(window, found, "");
        return FleetAnalysis.member(cluster, found.leaders(), measured, question.zone(), size);
    }

    private String nothing(FleetQuestion question, BlockReader reader) throws SourceException, InterruptedException {
        List<String> others = reader.labelValues("cluster", "any", question.window());
        if (others.isEmpty()) {
            return NoData.text(
                    server,
                    Queries.of(question).selector("any"),
                    question.pattern(),
                    question.window(),
                    clock.instant());
        }
        return "no cluster '%s' %s; there is: %s"
                .formatted(question.pattern(), question.window().text(), String.join(", ", others));
    }

    private Map<String, Size> sizes(Window window, BlockReader reader) throws SourceException, InterruptedException {
        var brokers = reader.by("cluster", "fleet.brokers", window, Form.RAW_NATIVE, "sizes");
        var partitions = reader.by("cluster", "fleet.partitions", window, Form.RAW_NATIVE, "sizes");
        var bytes = reader.by("cluster", "fleet.bytes.in", window, Form.RAW_NATIVE, "sizes");
        var records = reader.by("cluster", "fleet.records.in", window, Form.RAW_NATIVE, "sizes");
        steps.over("sizes", brokers.size() + " clusters with exporters");
        Map<String, Size> sizes = new TreeMap<>();
        brokers.forEach((cluster, counts) -> sizes.put(
                cluster,
                new Size(
                        last(counts),
                        last(partitions.get(cluster)),
                        mean(bytes.get(cluster)),
                        mean(records.get(cluster)))));
        return sizes;
    }

    private static double last(SortedMap<Instant, Double> values) {
        return values == null ? Double.NaN : values.get(values.lastKey());
    }

    private static double mean(SortedMap<Instant, Double> values) {
        return values == null
                ? Double.NaN
                : values.values().stream()
                        .mapToDouble(d -> d)
                        .filter(Double::isFinite)
                        .average()
                        .orElse(Double.NaN);
    }
}
