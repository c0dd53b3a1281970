/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.review;

import io.phasewise.report.review.Fleet.Member;
import io.phasewise.report.review.Fleet.Size;
import io.phasewise.report.review.Fleet.Unmeasured;
import io.phasewise.report.source.Access;
import io.phasewise.report.source.Series;
import io.phasewise.report.source.Server;
import io.phasewise.report.source.SourceException;
import java.time.Duration;
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
 * Makes the review of many clusters: of each the objective and end-to-end latency only, read as in
 * the review of one; their sizes in a few questions about all of them.
 */
public final class FleetReviewer {

    private static final String BROKERS = "kafka_server_replicamanager_leadercount";

    private final Access access;
    private final Server server;
    private final Steps steps;
    private final InstantSource clock;

    /**
     * @param access to the server, for its name
     * @param clock says when the review was made
     */
    public FleetReviewer(Access access, Server server, Steps steps, InstantSource clock) {
        this.access = access;
        this.server = server;
        this.steps = steps;
        this.clock = clock;
    }

    /**
     * Reads and works out. A cluster whose latency is not there is no reason to refuse: it is
     * listed with the reason.
     *
     * @throws SourceException when the server cannot be read
     * @throws RefusedException when it has the latency of none of the clusters
     * @throws InterruptedException when interrupted
     */
    public Fleet review(FleetQuestion question)
            throws SourceException, RefusedException, InterruptedException {
        steps.at("clusters", 0, 1);
        Set<String> withCanary = new HashSet<>(clusters(question, LatencyReader.ANY));
        SortedSet<String> all = new TreeSet<>(withCanary);
        all.addAll(clusters(question, "__name__=\"" + BROKERS + "\""));
        if (withCanary.isEmpty()) {
            throw new RefusedException(nothing(question));
        }
        steps.over("clusters", Integer.toString(all.size()));
        Map<String, Size> sizes = sizes(question);
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
            throw new RefusedException(
                    "of none of "
                            + all.size()
                            + " clusters is the latency known; "
                            + unmeasured.get(0).cluster()
                            + ": "
                            + unmeasured.get(0).reason());
        }
        steps.over("latencies", members.size() + " of " + all.size() + " clusters");
        return new Fleet(
                clock.instant(),
                access.toString(),
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

    private Member member(FleetQuestion question, String cluster, Size size)
            throws SourceException, RefusedException, InterruptedException {
        LatencyReader reader = new LatencyReader(server, question.of(cluster), new Silent());
        LatencyReader.Found found = reader.find(question.window());
        Measured measured = reader.whole(question.window(), found, "");
        return FleetAnalysis.member(cluster, found.leaders(), measured, question.zone(), size);
    }

    private List<String> clusters(FleetQuestion question, String series)
            throws SourceException, InterruptedException {
        return server.labelValues(
                "cluster",
                "{" + series + "," + question.clusters() + "}",
                question.window().from(),
                question.window().to());
    }

    private String nothing(FleetQuestion question) throws SourceException, InterruptedException {
        Window window = question.window();
        List<String> others =
                server.labelValues(
                        "cluster", "{" + LatencyReader.ANY + "}", window.from(), window.to());
        String named = "no canary's data of a cluster '" + question.pattern() + "' ";
        String time = "between " + window.from() + " and " + window.to();
        return named
                + time
                + (others.isEmpty()
                        ? "; is the window older than what the server keeps?"
                        : "; there is: " + String.join(", ", others));
    }

    private Map<String, Size> sizes(FleetQuestion question)
            throws SourceException, InterruptedException {
        String matchers = "{broker!=\"\"," + question.clusters() + "}";
        String range = LatencyReader.promDuration(question.window().block());
        String leaders = "max by (cluster, broker) (" + BROKERS + matchers + ")";
        String rate = "sum by (cluster) (rate(kafka_server_brokertopicmetrics_%s%s[%s]))";
        SortedMap<String, SortedMap<?, Double>> brokers =
                values("count by (cluster) (" + leaders + ")", question);
        SortedMap<String, SortedMap<?, Double>> partitions =
                values("sum by (cluster) (" + leaders + ")", question);
        SortedMap<String, SortedMap<?, Double>> bytes =
                values(String.format(rate, "bytesin_total", matchers, range), question);
        SortedMap<String, SortedMap<?, Double>> records =
                values(String.format(rate, "messagesin_total", matchers, range), question);
        steps.over("sizes", brokers.size() + " clusters with exporters");
        Map<String, Size> sizes = new TreeMap<>();
        brokers.forEach(
                (cluster, counts) ->
                        sizes.put(
                                cluster,
                                new Size(
                                        last(counts),
                                        last(partitions.get(cluster)),
                                        mean(bytes.get(cluster)),
                                        mean(records.get(cluster)))));
        return sizes;
    }

    private SortedMap<String, SortedMap<?, Double>> values(
            String expression, FleetQuestion question)
            throws SourceException, InterruptedException {
        Window window = question.window();
        SortedMap<String, SortedMap<?, Double>> all = new TreeMap<>();
        for (Series each :
                server.range(
                        expression,
                        window.firstEnd(),
                        window.to(),
                        window.block(),
                        (int) Math.max(1, Duration.ofDays(1).dividedBy(window.block())),
                        (done, of) -> steps.at("sizes", done, of))) {
            if (!each.values().isEmpty()) {
                all.put(each.label("cluster"), each.values());
            }
        }
        return all;
    }

    private static double last(SortedMap<?, Double> values) {
        return values == null ? Double.NaN : values.get(values.lastKey());
    }

    private static double mean(SortedMap<?, Double> values) {
        return values == null
                ? Double.NaN
                : values.values().stream()
                        .mapToDouble(d -> d)
                        .filter(Double::isFinite)
                        .average()
                        .orElse(Double.NaN);
    }

    /** What is read of one cluster is one of the fleet's steps. */
    private static final class Silent implements Steps {
        @Override
        public void at(String step, int done, int of) {}

        @Override
        public void over(String step, String found) {}
    }
}
