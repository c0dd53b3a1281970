/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.page;

import io.phasewise.report.page.Document.Part;
import io.phasewise.report.page.Document.Table;
import io.phasewise.report.page.Document.Text;
import io.phasewise.report.page.Document.Warning;
import io.phasewise.report.review.Form;
import io.phasewise.report.review.Review;
import io.phasewise.report.review.Review.Facts;
import io.phasewise.report.review.Review.Gap;
import io.phasewise.report.review.Review.Latency;
import io.phasewise.report.review.Review.Seen;
import io.phasewise.report.review.Review.SettingChange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The section of facts: what the numbers rest on, and what to hold against them. */
final class FactsParts {

    /** A shorter change of a setting is a restart that overlapped. */
    private static final int GAPS_LISTED = 15;

    private final Review review;
    private final Words words;

    FactsParts(Review review, Words words) {
        this.review = review;
        this.words = words;
    }

    List<Part> parts() {
        Facts facts = review.facts();
        Latency latency = review.latency();
        List<Part> parts = new ArrayList<>();
        Duration block = latency.window().block();
        Duration starved = block.multipliedBy(facts.starvedBlocks());
        TrustParts.warned(review.warnings()).ifPresent(parts::add);
        TrustParts.copied("Series of the canary", facts.copies()).ifPresent(parts::add);
        if (facts.starvedThroughout()) {
            parts.add(
                    new Warning(
                            "In every block the canary's own stalls made most of the bad probes:"
                                    + " the latencies are partly the canary's own. They are shown,"
                                    + " without intervals. Give the canary a core of its own."));
        } else if (facts.starvedBlocks() > 0) {
            parts.add(
                    new Warning(
                            "Left out of the percentiles: "
                                    + Words.duration(starved)
                                    + ", in blocks of "
                                    + Words.duration(block)
                                    + ". Most of the probes that missed the target would have kept"
                                    + " it without the stalls of the canary itself, and they were"
                                    + " more than 1 % of all. The objective counts them."));
        }
        if (facts.starvedUnknown() > 0) {
            parts.add(
                    new Warning(
                            "Whether the canary itself was starved is not known of "
                                    + Words.duration(block.multipliedBy(facts.starvedUnknown()))
                                    + ": this canary does not count which bad probes are its own"
                                    + " (kafka_canary_stalled_bad_probes_total). Nothing of that"
                                    + " time is left out."));
        }
        if (latency.objective().versions() > 1) {
            parts.add(
                    new Warning(
                            "Target or objective changed within the window ("
                                    + latency.objective().versions()
                                    + " different pairs were seen); the last one is shown, while"
                                    + " each probe was judged by the one of its time."));
        }
        if (!facts.changes().isEmpty()) {
            parts.add(
                    new Warning(
                            "Settings changed within the window ("
                                    + facts.changes().get(0).what()
                                    + (facts.changes().size() > 1 ? ", and others" : "")
                                    + "; listed below): the percentiles mix both sides. To tell"
                                    + " what it did, review from the change on and compare with the"
                                    + " time before (--compare-from, --compare-to)."));
        }
        Duration missing =
                facts.gaps().stream()
                        .map(gap -> Duration.between(gap.from(), gap.to()))
                        .reduce(Duration.ZERO, Duration::plus);
        List<List<String>> rows = new ArrayList<>();
        rows.add(
                List.of(
                        "Probes",
                        Words.count(latency.objective().probes())
                                + ", of which "
                                + Words.count(latency.objective().lost())
                                + " lost or not sent"));
        rows.add(
                List.of(
                        "Worth for p99",
                        Words.count(latency.endToEnd(0.99).effective())
                                + " independent probes, as probes of one time are alike"));
        rows.add(List.of("Histograms", form(latency.form())));
        rows.add(
                List.of(
                        "Blocks",
                        facts.blocks() + " of " + Words.duration(block) + ", " + review.zone()));
        rows.add(List.of("Time with too few probes", Words.duration(missing)));
        rows.add(
                List.of(
                        "Canary starved, left out",
                        facts.starvedThroughout()
                                ? "nothing, as it was starved throughout"
                                : facts.starvedUnknown() > 0
                                        ? Words.duration(starved)
                                                + ", unknown of "
                                                + Words.duration(
                                                        block.multipliedBy(facts.starvedUnknown()))
                                        : Words.duration(starved)));
        rows.add(
                List.of(
                        "Uncertainty of brokers' clocks",
                        Double.isNaN(facts.clockUncertainty()[0])
                                ? "unknown"
                                : Words.latency(facts.clockUncertainty()[0])
                                        + " (median), "
                                        + Words.latency(facts.clockUncertainty()[1])
                                        + " at worst; the boundary of publish and commit is not"
                                        + " known any better"));
        rows.add(List.of("One-way delay, longest", Words.latency(facts.oneWayDelay())));
        parts.add(new Table("What the numbers rest on", List.of("Fact", "Value"), rows));
        parts.add(
                seen(
                        "Versions of Kafka",
                        facts.versions(),
                        "the brokers' exporters tell none",
                        true));
        parts.add(
                seen(
                        "Settings of the canary that bear on latency",
                        facts.settings(),
                        "none in the data",
                        false));
        parts.add(
                seen(
                        "Settings of the brokers that bear on latency, as they were started",
                        facts.brokerSettings(),
                        "the brokers' exporters tell none",
                        true));
        parts.add(changes(facts.changes()));
        parts.add(
                new Text(
                        "Settings that were changed on a running broker, and those of topics other"
                                + " than the canary's own, are in no metric."));
        if (!facts.gaps().isEmpty()) {
            parts.add(gaps(facts.gaps()));
        }
        return parts;
    }

    static String form(Form form) {
        return (form.isNative() ? "native, about 1 % wide" : "classic, about 26 % wide")
                + (form.recorded()
                        ? "; rates of five minutes as the rules record them"
                        : "; as scraped");
    }

    private Table seen(String caption, List<Seen> seen, String none, boolean brokers) {
        List<List<String>> rows = new ArrayList<>();
        for (Seen each : seen) {
            rows.add(
                    List.of(
                            each.what()
                                    + (brokers
                                            ? " ("
                                                    + Words.plural(
                                                            Math.round(each.most()), "broker")
                                                    + " at most)"
                                            : ""),
                            words.time(each.first()),
                            words.time(each.last())));
        }
        if (rows.isEmpty()) {
            rows.add(List.of(none, "", ""));
        }
        return new Table(
                caption + (seen.size() > 1 ? ": " + seen.size() + " in this window" : ""),
                List.of("What", "First seen", "Last seen"),
                rows);
    }

    private Table changes(List<SettingChange> changes) {
        List<List<String>> rows = new ArrayList<>();
        for (SettingChange each : changes) {
            rows.add(
                    List.of(
                            each.what(),
                            each.brokers() == 0 ? "canary" : Words.plural(each.brokers(), "broker"),
                            words.time(each.first()),
                            words.time(each.last())));
        }
        if (rows.isEmpty()) {
            rows.add(List.of("none seen", "", "", ""));
        }
        return new Table(
                "Changes of these settings within the window",
                List.of("Change", "Of", "First seen", "Last seen"),
                rows);
    }

    private Table gaps(List<Gap> gaps) {
        return new Table(
                "Times with less than half of the usual probes"
                        + (gaps.size() > GAPS_LISTED
                                ? " (the first " + GAPS_LISTED + " of " + gaps.size() + ")"
                                : ""),
                List.of("From", "To", "Probes, of the usual number"),
                gaps.stream()
                        .limit(GAPS_LISTED)
                        .map(
                                gap ->
                                        List.of(
                                                words.time(gap.from()),
                                                words.time(gap.to()),
                                                Words.percent(gap.share())))
                        .toList());
    }
}
