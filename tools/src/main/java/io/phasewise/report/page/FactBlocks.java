/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.page;

import io.phasewise.report.document.Block;
import io.phasewise.report.document.Block.Note;
import io.phasewise.report.document.Block.Paragraph;
import io.phasewise.report.document.Table;
import io.phasewise.report.document.Text;
import io.phasewise.report.facts.Facts;
import io.phasewise.report.facts.Facts.Gap;
import io.phasewise.report.facts.Facts.ObservedValue;
import io.phasewise.report.latency.Latency.Objective;
import io.phasewise.report.query.Window;
import io.phasewise.report.review.Review;
import java.util.ArrayList;
import java.util.List;

/** What a reader must know before believing the figures of one cluster. */
final class FactBlocks {

    /** Further gaps are only in report.json. */
    private static final int GAPS = 15;

    private final Review review;
    private final Facts facts;
    private final Objective objective;
    private final Window window;
    private final TextFormat format;

    FactBlocks(Review review, TextFormat format) {
        this.review = review;
        this.facts = review.facts();
        this.objective = review.latency().objective();
        this.window = review.latency().window();
        this.format = format;
    }

    List<Block> blocks() {
        List<Block> blocks = new ArrayList<>(SharedWords.note(review.warnings()));
        if (facts.starvedThroughout()) {
            blocks.add(new Note("In every block the canary's own stalls made most of the bad probes: the latencies are"
                    + " partly the canary's own. They are shown, without intervals. Give the canary a core of its"
                    + " own."));
        } else if (facts.starvedBlocks() > 0) {
            blocks.add(new Note("Left out of the percentiles: " + blocks(facts.starvedBlocks()) + ", in blocks of "
                    + TextFormat.duration(window.block()) + ". Most of the probes that missed the target would have"
                    + " kept it without the stalls of the canary itself, and they were more than 1\u00a0% of all."
                    + " The objective counts them."));
        }
        if (facts.starvedUnknown() > 0) {
            blocks.add(new Note("Whether the canary itself was starved is not known of "
                    + blocks(facts.starvedUnknown()) + ". This canary does not count which bad probes are its own"
                    + " (kafka_canary_stalled_bad_probes_total). Nothing of that time is left out."));
        }
        if (objective.versions() > 1) {
            blocks.add(new Note("Target or objective changed within the window (" + objective.versions()
                    + " different pairs were seen). The last one is shown; each probe was judged by the one of its"
                    + " time."));
        }
        if (!facts.changes().isEmpty()) {
            blocks.add(changedSettings());
        }
        blocks.add(foundations());
        blocks.add(seen("Versions of Kafka", facts.versions(), "the brokers' exporters tell none", true));
        blocks.add(seen("Settings of the canary that bear on latency", facts.settings(), "none in the data", false));
        blocks.add(seen(
                "Settings of the brokers that bear on latency, as they were started",
                facts.brokerSettings(),
                "the brokers' exporters tell none",
                true));
        blocks.add(changes());
        blocks.add(new Paragraph("Settings that were changed on a running broker, and those of topics other than the"
                + " canary's own, are in no metric."));
        if (!facts.gaps().isEmpty()) {
            blocks.add(gaps());
        }
        blocks.add(SharedWords.end());
        return blocks;
    }

    private String blocks(int count) {
        return TextFormat.duration(window.block().multipliedBy(count));
    }

    private Note changedSettings() {
        String what = facts.changes().get(0).what() + (facts.changes().size() > 1 ? ", and others" : "");
        return new Note(Text.of("Settings changed within the window (" + what
                        + "; listed below): the percentiles mix both sides. To tell what it did, review from the change"
                        + " on and compare with the time before (")
                .code("--compare-from")
                .words(", ")
                .code("--compare-to")
                .words(")."));
    }

    private Table foundations() {
        String starved = blocks(facts.starvedBlocks());
        Table table = new Table("What the numbers rest on").words("Fact", "Value");
        table.row(
                "Probes",
                TextFormat.count(objective.probes()) + ", of which " + TextFormat.count(objective.lost())
                        + " lost or not sent");
        table.row(
                "Worth for p99",
                TextFormat.count(review.latency().p99().effective())
                        + " independent probes, as probes of one time are alike");
        table.row("Histograms", TextFormat.form(review.latency().form()));
        table.row("Blocks", facts.blocks() + " of " + TextFormat.duration(window.block()) + ", " + review.zone());
        table.row("Time with too few probes", TextFormat.duration(facts.gapTime()));
        table.row(
                "Canary starved, left out",
                facts.starvedThroughout()
                        ? "nothing, as it was starved throughout"
                        : facts.starvedUnknown() > 0
                                ? starved + ", unknown of " + blocks(facts.starvedUnknown())
                                : starved);
        table.row(
                "Uncertainty of brokers' clocks",
                TextFormat.latency(facts.clockUncertainty().get(0)) + " (median), "
                        + TextFormat.latency(facts.clockUncertainty().get(1))
                        + " at worst; the boundary of publish and commit is not known any better");
        table.row("One-way delay, longest", TextFormat.latency(facts.oneWayDelay()));
        return table;
    }

    /**
     * @param otherwise what is said where there is none
     * @param brokers whether it is the brokers that have it
     */
    private Table seen(String caption, List<ObservedValue> all, String otherwise, boolean brokers) {
        Table table = new Table(caption + (all.size() > 1 ? ": " + all.size() + " in this window" : ""))
                .words("What")
                .numbers("First seen", "Last seen");
        for (ObservedValue each : all) {
            table.row(
                    each.what() + (brokers ? " (" + TextFormat.plural(each.most(), "broker") + " at most)" : ""),
                    format.time(each.first()),
                    format.time(each.last()));
        }
        if (all.isEmpty()) {
            table.row(otherwise, "", "");
        }
        return table;
    }

    private Table changes() {
        Table table = new Table("Changes of these settings within the window")
                .words("Change", "Of")
                .numbers("First seen", "Last seen");
        for (ObservedValue each : facts.changes()) {
            table.row(
                    each.what(),
                    each.most() == 0 ? "canary" : TextFormat.plural(each.most(), "broker"),
                    format.time(each.first()),
                    format.time(each.last()));
        }
        if (facts.changes().isEmpty()) {
            table.row("none seen", "", "", "");
        }
        return table;
    }

    private Table gaps() {
        int count = facts.gaps().size();
        Table table = new Table("Times with less than half of the usual probes"
                        + (count > GAPS ? " (the first " + GAPS + " of " + count + ")" : ""))
                .words("From")
                .numbers("To", "Probes, of the usual number");
        for (Gap each : facts.gaps().subList(0, Math.min(GAPS, count))) {
            table.row(format.time(each.from()), format.time(each.to()), TextFormat.percent(each.share()));
        }
        return table;
    }
}
