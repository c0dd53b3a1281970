/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.query;

import io.phasewise.report.source.PrometheusReader;
import io.phasewise.report.source.SourceException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Finds out what the server has for a question. A refusal says what the server has instead. */
public final class Discovery {

    /**
     * Where more scraped samples than this would have to be read, what the rules recorded is read.
     */
    private static final long HEAVY = 2_000_000;

    private static final int SCRAPE_SECONDS = 5;
    private static final int SERIES_BY_LEADER = 6;

    private final PrometheusReader server;
    private final Question question;
    private final Queries queries;
    private final BlockReader reader;

    public Discovery(PrometheusReader server, Question question, Steps steps) {
        this.server = server;
        this.question = question;
        this.queries = Queries.of(question);
        this.reader = new BlockReader(server, queries, steps);
    }

    /**
     * What the server has.
     *
     * @param form of the histograms
     * @param leaders how many
     * @param site where the canaries stand; empty where they do not say
     */
    public record Found(Form form, int leaders, String site) {}

    /**
     * Finds what there is.
     *
     * @param now until when data of other times are looked for
     * @throws RefusedException when the cluster, the profile, the site or the histograms are not
     *     there, or when there are several sites and none was chosen
     */
    public Found find(Window window, Instant now) throws SourceException, RefusedException, InterruptedException {
        reader.steps().at("cluster", 0, 1);
        List<String> clusters = reader.labelValues("cluster", "any", window);
        if (!clusters.contains(question.cluster())) {
            throw new RefusedException(absent(clusters, window, now));
        }
        List<String> profiles = reader.labelValues("profile", "any.of.cluster", window);
        if (!profiles.contains(question.profile())) {
            throw new RefusedException(
                    "no %s in the window; there is: %s".formatted(profile(), String.join(", ", profiles)));
        }
        refuseOtherJobs(window);
        String site = site(window);
        int leaders = reader.labelValues("leader", "any.of.canary", window).size();
        long scrapes = window.length().toSeconds() / SCRAPE_SECONDS;
        Form form = form(window, leaders * SERIES_BY_LEADER * scrapes > HEAVY);
        reader.steps()
                .over(
                        "cluster",
                        "%d leaders, %s histograms%s"
                                .formatted(
                                        leaders,
                                        form.isNative() ? "native" : "classic",
                                        form.recorded() ? ", recorded" : ""));
        return new Found(form, leaders, site);
    }

    /**
     * Refuses where only another job scrapes the canary. Nothing would be found, and nobody would
     * know why.
     */
    private void refuseOtherJobs(Window window) throws SourceException, RefusedException, InterruptedException {
        if (there("scraped", window) || !there("scraped.by.any.job", window)) {
            return;
        }
        for (Form form : Form.values()) {
            if (form.recorded() && there(queries.named("stored", form), window)) {
                return;
            }
        }
        List<String> jobs = reader.labelValues("job", "scraped.by.any.job", window);
        String whose = jobs.isEmpty()
                ? "have no label 'job'"
                : "are of the job" + (jobs.size() > 1 ? "s " : " ") + String.join(", ", jobs);
        throw new RefusedException(("the series of %s %s; allowed: job %s, which alone the report, the rules and the"
                        + " dashboards read, so that nothing counts twice")
                .formatted(profile(), whose, Queries.CANARY_JOB));
    }

    private boolean there(String selector, Window window) throws SourceException, InterruptedException {
        return !reader.labelValues("__name__", selector, window).isEmpty();
    }

    private Form form(Window window, boolean heavy) throws SourceException, RefusedException, InterruptedException {
        List<Form> there = new ArrayList<>();
        // Native histograms come first, then the form that is lighter to read.
        for (boolean nativeForm : new boolean[] {true, false}) {
            for (boolean recorded : new boolean[] {heavy, !heavy}) {
                Form form = Form.of(nativeForm, recorded);
                if (there(queries.named("stored", form), window)) {
                    there.add(form);
                }
            }
        }
        if (there.isEmpty()) {
            throw new RefusedException(("the server has no latency histograms of cluster '%s', neither native nor"
                            + " classic, scraped or recorded (for native ones it needs"
                            + " scrape_native_histograms; VictoriaMetrics does not keep"
                            + " them: let Prometheus scrape the classic ones for it, too,"
                            + " with always_scrape_classic_histograms)")
                    .formatted(question.cluster()));
        }
        return there.stream()
                .filter(each -> window.holdsRecorded() || !each.recorded())
                .findFirst()
                .orElseThrow(() -> new RefusedException(("of cluster '%s' the server has only latencies recorded"
                                + " over five minutes, too coarse for a window shorter"
                                + " than an hour; allowed: an hour or more")
                        .formatted(question.cluster())));
    }

    /** The site that is asked for, or the only one. */
    private String site(Window window) throws SourceException, RefusedException, InterruptedException {
        List<String> sites = new ArrayList<>(reader.labelValues("site", "scraped", window));
        if (!sites.isEmpty() && there("scraped.without.site", window)) {
            sites.add("");
        }
        String listed = sites.stream()
                .map(site -> site.isEmpty() ? "'' (no site)" : site)
                .collect(Collectors.joining(", "));
        if (question.site().isEmpty() && sites.size() > 1) {
            throw new RefusedException(("%s is measured from several sites: %s; one percentile of several sites"
                            + " would mean nothing; allowed: --site with one of them")
                    .formatted(profile(), listed));
        }
        String only = sites.isEmpty() ? "" : sites.get(0);
        String wanted = question.site().orElse(only);
        if (!wanted.equals(only) && !sites.contains(wanted)) {
            throw new RefusedException("no site '%s' of %s in the window; %s"
                    .formatted(wanted, profile(), sites.isEmpty() ? "its canaries name none" : "there is: " + listed));
        }
        return wanted;
    }

    private String profile() {
        return "profile '%s' of cluster '%s'".formatted(question.profile(), question.cluster());
    }

    private String absent(List<String> clusters, Window window, Instant now)
            throws SourceException, InterruptedException {
        if (!clusters.isEmpty()) {
            return "no cluster '%s' %s; there is: %s"
                    .formatted(question.cluster(), window.text(), String.join(", ", clusters));
        }
        return NoData.text(server, queries.selector("any"), question.cluster(), window, now);
    }
}
