/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.review;

import io.phasewise.report.facts.FactsReader;
import io.phasewise.report.incident.IncidentReader;
import io.phasewise.report.latency.Comparison;
import io.phasewise.report.latency.ComparisonAnalysis;
import io.phasewise.report.latency.LatencyAnalysis;
import io.phasewise.report.latency.LatencyReader;
import io.phasewise.report.latency.WindowData;
import io.phasewise.report.load.LoadReader;
import io.phasewise.report.query.Discovery;
import io.phasewise.report.query.Question;
import io.phasewise.report.query.RefusedException;
import io.phasewise.report.query.Steps;
import io.phasewise.report.query.Window;
import io.phasewise.report.source.PrometheusReader;
import io.phasewise.report.source.SourceException;
import java.time.InstantSource;

/** Makes the review of one cluster: reads one subject after another, and has each analysed. */
public final class Reviewer {

    private final PrometheusReader server;
    private final Steps steps;
    private final InstantSource clock;

    /**
     * @param clock says when the review was made
     */
    public Reviewer(PrometheusReader server, Steps steps, InstantSource clock) {
        this.server = server;
        this.steps = steps;
        this.clock = clock;
    }

    /**
     * Reads, and makes the review.
     *
     * @throws SourceException when the server cannot be read
     * @throws RefusedException when it has not what the question is about
     * @throws InterruptedException when interrupted
     */
    public Review review(Question question) throws SourceException, RefusedException, InterruptedException {
        LatencyReader latencies = new LatencyReader(server, question, steps);
        Discovery discovery = new Discovery(server, question, steps);
        Discovery.Found found = discovery.find(question.window(), clock.instant());
        WindowData measured = latencies.read(question.window(), found, "");
        Comparison comparison = null;
        if (question.before().isPresent()) {
            Window before = question.before().get();
            Discovery.Found foundBefore = discovery.find(before, clock.instant());
            refuseOtherSite(found.site(), foundBefore.site());
            WindowData earlier = latencies.read(before, foundBefore, "before: ");
            comparison = new ComparisonAnalysis(earlier, measured, question.zone()).comparison();
        }
        return new Review(
                clock.instant(),
                server.toString(),
                question.cluster(),
                question.profile(),
                found.site(),
                question.zone().getId(),
                new LatencyAnalysis(measured, question.zone()).latency(),
                comparison,
                new LoadReader(server, question, steps).read(measured),
                new IncidentReader(server, question, steps).read(measured),
                new FactsReader(server, question, steps).read(measured),
                server.warnings());
    }

    /**
     * Refuses two sites with different names. A site that was named only in one of the windows may
     * be the same.
     */
    private static void refuseOtherSite(String now, String before) throws RefusedException {
        if (!now.isEmpty() && !before.isEmpty() && !now.equals(before)) {
            throw new RefusedException(("the canary is at site '%s' in this window and at '%s' in the window to"
                            + " compare with: the network paths differ; allowed: windows of one site")
                    .formatted(now, before));
        }
    }
}
