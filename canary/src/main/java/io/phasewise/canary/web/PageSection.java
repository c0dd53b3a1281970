/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.web;

import io.phasewise.canary.ledger.Outcome;
import io.phasewise.canary.phase.Phase;
import io.phasewise.canary.slow.SlowProbe;
import io.phasewise.canary.slow.UnseenProbe;
import io.phasewise.canary.status.ClusterStatus;
import io.phasewise.canary.status.SloStatus;
import io.phasewise.canary.status.VerdictHistory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.ToDoubleFunction;

/**
 * Writes one cluster's part of the page, for one profile. page.js finds these elements by their
 * classes and fills the same cells in the same order; a test compares what both write.
 */
final class PageSection {
    /** Of either kind; the script adds the others. */
    private static final int PROBES = 12;

    private static final double NOTEWORTHY_WAIT_SECONDS = 0.001;

    private final StringBuilder html;
    private final ClusterStatus cluster;
    private final String id;
    private final Instant now;

    /**
     * @param html to append to
     * @param cluster what to show
     * @param id of the section
     * @param now when this is
     */
    PageSection(StringBuilder html, ClusterStatus cluster, String id, Instant now) {
        this.html = html;
        this.cluster = cluster;
        this.id = id;
        this.now = now;
    }

    void write() {
        html.append("<section id=\"").append(id).append("\" aria-label=\"");
        text(cluster.title()).append("\">\n<h2>");
        text(cluster.name()).append(" <small>profile ");
        text(cluster.profile()).append("</small> <span class=\"pill ");
        html.append(cluster.state().label()).append("\">").append(cluster.state().label());
        html.append("</span></h2>\n<ul class=\"problems\" aria-live=\"polite\">");
        cluster.problems()
                .forEach(
                        problem -> {
                            html.append("<li>");
                            text(problem.key() + ": " + problem.message()).append("</li>");
                        });
        html.append("</ul>\n");
        tiles();
        brokers();
        slowest();
        unseen();
        facts();
        html.append("</section>\n");
    }

    private void tiles() {
        SloStatus slo = cluster.slo();
        html.append("<div class=\"tiles\">\n");
        tile(
                "slo " + slo.state().label(),
                "Objective",
                switch (slo.state()) {
                    case MET -> "Met";
                    case MISSED -> "Missed";
                    case RECOVERING -> "Recovering";
                    case UNKNOWN -> "No probe judged";
                },
                Texts.plain(slo.objectiveRatio() * 100)
                        + " % within "
                        + Texts.plain(slo.targetSeconds() * 1000)
                        + " ms");
        tile("five", "Good, last 5 minutes", Texts.share(slo.recent()), window(slo.recent()));
        tile("hour", "Good, last hour", Texts.share(slo.hour()), window(slo.hour()));
        worst();
        html.append("</div>\n");
    }

    private void tile(String classes, String title, String main, String below) {
        html.append("<div class=\"tile ").append(classes).append("\"><h3>").append(title);
        html.append("</h3><b>").append(main).append("</b><p>").append(below);
        html.append("</p></div>\n");
    }

    private String window(VerdictHistory.Verdicts verdicts) {
        return Texts.count(verdicts.bad())
                + " bad of "
                + Texts.count(verdicts.judged())
                + " in "
                + Texts.span(verdicts.seconds())
                + (verdicts.stalledBad() == 0
                        ? ""
                        : ", " + Texts.count(verdicts.stalledBad()) + " by the canary's own stalls")
                + "; burn rate "
                + Texts.burnRate(cluster.slo().burnRate(verdicts));
    }

    private void worst() {
        List<ClusterStatus.Broker> known = new ArrayList<>(cluster.brokers());
        known.removeIf(broker -> Double.isNaN(broker.window().p99Seconds()));
        known.sort(Comparator.comparingDouble(broker -> -broker.window().p99Seconds()));
        String title = "Slowest at p99, last minute";
        if (known.isEmpty()) {
            tile("worst", title, Texts.NONE, "no probe came back in the last minute");
            return;
        }
        ClusterStatus.Broker worst = known.get(0);
        StringBuilder below = new StringBuilder();
        Phase longest = Phase.PRODUCE;
        for (Phase phase : cluster.phases()) {
            if (p99(worst, phase) > p99(worst, longest)) {
                longest = phase;
            }
        }
        if (!Double.isNaN(p99(worst, longest))) {
            below.append("longest phase ").append(longest.label()).append(", ");
            below.append(Texts.ms(p99(worst, longest))).append(" ms");
        }
        if (known.size() > 1) {
            below.append("; next broker ").append(known.get(1).id()).append(", ");
            below.append(Texts.ms(known.get(1).window().p99Seconds())).append(" ms");
        }
        tile(
                "worst",
                title,
                "broker " + worst.id() + ": " + Texts.ms(worst.window().p99Seconds()) + " ms",
                below.toString());
    }

    private static double p99(ClusterStatus.Broker broker, Phase phase) {
        return broker.window().phases().get(phase).p99();
    }

    private void brokers() {
        html.append("<h3>Where the time goes, by broker</h3>\n<p class=\"legend\">");
        for (Phase phase : cluster.phases()) {
            html.append("<span><i class=\"").append(phase.label()).append("\"></i>");
            html.append(phase.label()).append("</span>");
        }
        html.append("<span><i class=\"e\"></i>end to end</span>")
                .append("<span><i class=\"t\"></i>target</span></p>\n");
        int seconds =
                cluster.brokers().isEmpty() ? 60 : cluster.brokers().get(0).window().seconds();
        table(
                "brokers",
                "Latency by broker",
                "99th percentiles of the last "
                        + seconds
                        + " s in milliseconds, by leader. Percentiles of phases do not add up to"
                        + " that of the whole: every bar begins at zero.");
        timed("Broker");
        columns("n", "Probes", "In flight", "Late", "Lost", "Not sent", "Clock ±");
        html.append("</tr></thead><tbody>\n");
        cluster.brokers().forEach(this::broker);
        html.append("</tbody></table></div>\n");
    }

    private void broker(ClusterStatus.Broker broker) {
        boolean off = broker.partition() != null && !broker.ready();
        row(String.valueOf(broker.id()), off ? "off" : "");
        html.append("broker ").append(broker.id()).append("<small>");
        text(broker.host().isEmpty() ? "address unknown" : broker.host() + ":" + broker.port())
                .append(place(broker))
                .append("</small></th>");
        timed(broker.window().p99Seconds(), phase -> p99(broker, phase));
        cell("n", Texts.count(broker.window().count()));
        cell("n", Texts.count(broker.inFlight()));
        cell("n", Texts.count(broker.outcomes().late()));
        cell("n", Texts.count(broker.outcomes().lost()));
        cell("n", Texts.count(broker.outcomes().sendFailed()));
        cell("n", Texts.ms(broker.clockUncertaintySeconds()));
        html.append("</tr>\n");
    }

    private String place(ClusterStatus.Broker broker) {
        if (broker.partition() == null) {
            return ", not measured";
        }
        if (broker.ready()) {
            return ", partition " + broker.partition();
        }
        if (cluster.isMissingInTarget(broker)) {
            return ", partition " + broker.partition() + " is not in the target";
        }
        return broker.leads()
                ? ", no probe came back of late"
                : ", does not lead partition " + broker.partition();
    }

    private void slowest() {
        html.append("<h3>Slow probes of the last hour</h3>\n");
        table(
                "slow",
                "Slow probes",
                "The slowest of the last hour, one probe a row, in milliseconds; each phase begins"
                        + " where the one before ends.");
        timed("Due");
        columns("n", "Leader");
        columns("m", "Partition @ offset");
        columns("w", "Notes");
        columns("m", "Probe");
        html.append("</tr></thead><tbody>\n");
        cluster.probes().slowest().stream().limit(PROBES).forEach(this::slow);
        html.append("</tbody></table></div>\n");
    }

    private void slow(SlowProbe probe) {
        row(probe.id(), "");
        due(probe.due());
        timed(probe.endToEndNanos() / 1e9, phase -> probe.phases().of(phase) / 1e9);
        cell("n", String.valueOf(probe.leader()));
        cell("m", probe.partition() + " @ " + probe.offset());
        List<String> notes = new ArrayList<>();
        if (probe.outcome() != Outcome.DELIVERED) {
            notes.add(probe.outcome().label());
        }
        if (probe.stalledNanos() > 0) {
            notes.add("canary stalled for " + Texts.ms(probe.stalledNanos() / 1e9) + " ms");
        }
        if (probe.waitedNanos() / 1e9 >= NOTEWORTHY_WAIT_SECONDS) {
            notes.add("waited " + Texts.ms(probe.waitedNanos() / 1e9) + " ms behind others");
        }
        cell("w", String.join(", ", notes));
        cell("m", probe.id());
        html.append("</tr>\n");
    }

    private void unseen() {
        List<UnseenProbe> unseen = cluster.probes().unseen();
        html.append("<div class=\"unseen\"").append(unseen.isEmpty() ? " hidden" : "");
        html.append("><h3>Probes never seen, last hour</h3>\n");
        table(
                "",
                "Probes never seen",
                "Lost, or not sent; how long after they were due they left and were acknowledged.");
        columns("", "Due", "Outcome");
        columns("n", "Leader", "Partition", "Dispatched after", "Acknowledged after");
        columns("m", "Probe");
        html.append("</tr></thead><tbody>\n");
        for (UnseenProbe probe : unseen.subList(0, Math.min(PROBES, unseen.size()))) {
            row(probe.id(), "");
            due(probe.due());
            cell("", probe.outcome().label());
            cell("n", String.valueOf(probe.leader()));
            cell("n", String.valueOf(probe.partition()));
            cell("n", after(probe.dispatchedNanos()));
            cell("n", after(probe.acknowledgedNanos()));
            cell("m", probe.id());
            html.append("</tr>\n");
        }
        html.append("</tbody></table></div></div>\n");
    }

    private static String after(OptionalLong nanos) {
        return nanos.isEmpty() ? "never" : Texts.ms(nanos.getAsLong() / 1e9) + " ms";
    }

    private void facts() {
        html.append("<details open><summary>Cluster and configuration</summary><dl>");
        fact("cluster id", known(cluster.clusterId()));
        ClusterStatus.Topic topic = cluster.topic();
        fact(
                "topic",
                topic == null
                        ? "unknown"
                        : topic.name()
                                + ", "
                                + topic.partitions()
                                + " partitions, "
                                + topic.replicationFactor()
                                + " replicas");
        if (cluster.mirror() != null) {
            fact("read in the target's topic", cluster.mirror().topic());
            fact("target's cluster id", known(cluster.mirror().clusterId()));
        }
        cluster.settings()
                .forEach(
                        (name, value) -> {
                            if (!value.isEmpty()) {
                                fact(name.replace('_', ' '), value);
                            }
                        });
        fact("seed of the schedule", String.valueOf(cluster.seed()));
        html.append("<div><dt>lanes</dt><dd class=\"lanes\">").append(cluster.lanes());
        html.append("</dd></div></dl></details>\n");
    }

    private static String known(String id) {
        return id == null ? "unknown" : id;
    }

    private void fact(String name, String value) {
        html.append("<div><dt>");
        text(name).append("</dt><dd>");
        text(value).append("</dd></div>");
    }

    private void table(String classes, String label, String caption) {
        html.append("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"");
        html.append(label).append("\"><table class=\"").append(classes).append("\"><caption>");
        html.append(caption).append("</caption><thead><tr>");
    }

    private void columns(String classes, String... names) {
        for (String name : names) {
            html.append("<th scope=\"col\" class=\"").append(classes).append("\">");
            html.append(name).append("</th>");
        }
    }

    private void timed(String first) {
        columns("", first);
        columns("n", "End to end");
        html.append("<th scope=\"col\" class=\"g\" aria-hidden=\"true\">0<span></span></th>");
        for (Phase phase : cluster.phases()) {
            columns("n", phase.label());
        }
    }

    private void timed(double endToEnd, ToDoubleFunction<Phase> seconds) {
        cell("n", Texts.ms(endToEnd));
        html.append("<td class=\"g\" aria-hidden=\"true\"></td>");
        double most = 0;
        for (Phase phase : cluster.phases()) {
            most = Math.max(most, seconds.applyAsDouble(phase));
        }
        for (Phase phase : cluster.phases()) {
            double value = seconds.applyAsDouble(phase);
            cell(most > 0 && value == most ? "n top" : "n", Texts.ms(value));
        }
    }

    private void row(String key, String classes) {
        html.append("<tr data-key=\"");
        text(key).append("\"><th scope=\"row\" class=\"").append(classes).append("\">");
    }

    private void due(Instant due) {
        html.append(Texts.clock(due)).append("<small>").append(Texts.ago(due, now));
        html.append("</small></th>");
    }

    private void cell(String classes, String value) {
        html.append("<td class=\"").append(classes).append("\">");
        text(value).append("</td>");
    }

    private StringBuilder text(String text) {
        return html.append(Texts.escape(text));
    }
}
