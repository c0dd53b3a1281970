/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.page;

import io.phasewise.report.document.Block;
import io.phasewise.report.document.Block.Finding;
import io.phasewise.report.document.Block.Findings;
import io.phasewise.report.document.Block.Mood;
import io.phasewise.report.document.Block.Note;
import io.phasewise.report.document.Block.Paragraph;
import io.phasewise.report.document.Document;
import io.phasewise.report.document.Document.Section;
import io.phasewise.report.document.Table;
import io.phasewise.report.document.Text;
import io.phasewise.report.document.Value;
import io.phasewise.report.fleet.Fleet;
import io.phasewise.report.fleet.Fleet.Member;
import io.phasewise.report.fleet.Fleet.Size;
import io.phasewise.report.fleet.Fleet.Unmeasured;
import io.phasewise.report.latency.Latency.Objective;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The review of many clusters, in words, tables and a chart. */
final class FleetDocument {

    /** Further clusters are not drawn: the names would be too small. */
    private static final int DRAWN = 30;

    /** Further clusters are not named in a sentence. */
    private static final int NAMED = 5;

    private final Fleet fleet;

    private FleetDocument(Fleet fleet) {
        this.fleet = fleet;
    }

    static Document of(Fleet fleet) {
        TextFormat format = new TextFormat(ZoneId.of(fleet.zone()));
        FleetDocument document = new FleetDocument(fleet);
        String title = "Capacity review of " + TextFormat.plural(fleet.clusters(), "cluster")
                + (fleet.pattern().equals(".*") ? "" : " (" + fleet.pattern() + ")");
        String of = SharedWords.windowOf(fleet.window(), fleet.zone(), fleet.profile(), fleet.site(), format);
        return new Document(
                title,
                of + SharedWords.made(fleet.made(), fleet.server(), format),
                List.of(
                        new Section("Verdict", document.verdict()),
                        new Section("Clusters by budget used", document.clusters()),
                        new Section("Sizes", List.of(document.sizes())),
                        new Section("Facts", document.facts())));
    }

    private List<Block> verdict() {
        List<Finding> findings = new ArrayList<>();
        findings.add(objective());
        findings.add(new Finding("Slowest", Mood.NEITHER, slowest()));
        findings.add(new Finding(
                "Size",
                Mood.NEITHER,
                TextFormat.plural(fleet.total().brokers(), "broker") + ", "
                        + TextFormat.plural(fleet.total().partitions(), "partition") + "; throughput in: "
                        + TextFormat.amount(fleet.total().bytesIn(), "B/s") + "."));
        findings.addAll(SharedWords.verdict(fleet.warnings()));
        if (!fleet.unmeasured().isEmpty()) {
            findings.add(new Finding(
                    "Not measured",
                    Mood.BAD,
                    TextFormat.plural(fleet.unmeasured().size(), "cluster") + ": "
                            + named(fleet.unmeasured(), Unmeasured::cluster) + "."));
        }
        return List.of(new Findings(findings));
    }

    private Finding objective() {
        List<Member> known = fleet.known();
        List<Member> missed = fleet.missed();
        if (known.isEmpty()) {
            return new Finding("Objective", Mood.NEITHER, "Unknown: the canaries' targets were not in the data.");
        }
        String clusters = TextFormat.plural(known.size(), "cluster");
        String text;
        if (missed.isEmpty()) {
            Member first = known.get(0);
            text = "Kept by all of %s; most of its error budget used %s (%s)."
                    .formatted(
                            clusters,
                            first.cluster(),
                            TextFormat.percent(first.objective().budgetUsed()));
        } else {
            text = "Missed by " + missed.size() + " of " + clusters + ": "
                    + named(
                            missed,
                            each -> each.cluster() + " ("
                                    + TextFormat.percent(each.objective().budgetUsed()) + " of its error budget used)")
                    + ".";
        }
        int unknown = fleet.members().size() - known.size();
        return new Finding(
                "Objective",
                missed.isEmpty() ? Mood.GOOD : Mood.BAD,
                text + (unknown > 0 ? " Of " + unknown + " the objective is unknown." : ""));
    }

    private String slowest() {
        Member slowest = fleet.slowest();
        return slowest == null
                ? "No cluster has a p99."
                : slowest.cluster() + " has the highest p99 end to end: " + TextFormat.estimate(slowest.p99())
                        + SharedWords.interval(slowest.p99().enough()) + ".";
    }

    private static <T> String named(List<T> clusters, Function<T, String> name) {
        String names = clusters.stream().limit(NAMED).map(name).collect(Collectors.joining(", "));
        int more = clusters.size() - NAMED;
        return more > 0 ? names + " and " + more + " more" : names;
    }

    private List<Block> clusters() {
        List<Member> members = fleet.members();
        List<Block> blocks = new ArrayList<>();
        blocks.add(Chart.rows(
                "p50 and p99 end to end, with 95\u00a0% intervals"
                        + (members.size() > DRAWN ? ", the worst " + DRAWN : ""),
                members.stream()
                        .limit(DRAWN)
                        .map(each -> new Chart.Row(each.cluster(), List.of(each.p50(), each.p99())))
                        .toList()));
        Table table = new Table("By error budget used, then by p99")
                .words("Cluster", "Objective")
                .numbers("Budget used", "Within the target", "p50", "p99")
                .words("p99's trend")
                .numbers("Probes, of them lost");
        members.forEach(each -> table.row(row(each)));
        blocks.add(table);
        if (!fleet.unmeasured().isEmpty()) {
            Table unmeasured =
                    new Table("Latency not known").words("Cluster", "Why").numbers("Brokers");
            for (Unmeasured each : fleet.unmeasured()) {
                unmeasured.row(
                        each.cluster(),
                        each.reason(),
                        TextFormat.count(each.size().brokers()));
            }
            blocks.add(unmeasured);
        }
        blocks.add(new Paragraph(Text.of("Which phase and which broker: review a cluster alone, by ")
                .code("--cluster")
                .words(" NAME in place of ")
                .code("--fleet")
                .words(".")));
        return blocks;
    }

    private static List<Value> row(Member member) {
        Objective objective = member.objective();
        String promise = "%s: %s within %s"
                .formatted(
                        objective.kept() ? "kept" : "missed",
                        TextFormat.chosenPercent(objective.promised()),
                        TextFormat.chosenLatency(objective.target()));
        return List.of(
                Value.of(member.cluster()),
                Value.of(objective.known() ? promise : "unknown"),
                Value.of(objective.known() ? TextFormat.percent(objective.budgetUsed()) : "unknown"),
                TextFormat.percent(objective.good()),
                TextFormat.estimate(member.p50()),
                TextFormat.estimate(member.p99()),
                TextFormat.month(member.p99Trend()),
                Value.of(TextFormat.count(objective.probes()) + ", " + TextFormat.count(objective.lost())));
    }

    private Table sizes() {
        Table table = new Table("Size of each cluster, worst first")
                .words("Cluster")
                .numbers("Brokers", "Partitions", "Bytes in", "Records in");
        fleet.members().forEach(each -> size(table, each.cluster(), each.size()));
        fleet.unmeasured().forEach(each -> size(table, each.cluster(), each.size()));
        return table;
    }

    private static void size(Table table, String cluster, Size size) {
        table.row(
                cluster,
                TextFormat.count(size.brokers()),
                TextFormat.count(size.partitions()),
                TextFormat.amount(size.bytesIn(), "B/s"),
                TextFormat.amount(size.recordsIn(), "/s"));
    }

    private List<Block> facts() {
        List<Block> blocks = new ArrayList<>(SharedWords.note(fleet.warnings()));
        if (fleet.starved()) {
            blocks.add(
                    new Note("Blocks in which the canary's own stalls made most of the bad probes are left out of its"
                            + " percentiles. Where that is so of all blocks, none is, and the interval is unknown. The objective"
                            + " counts them."));
        }
        Table table = new Table("What the numbers rest on, in blocks of "
                        + TextFormat.duration(fleet.window().block()))
                .words("Cluster", "Histograms")
                .numbers("Blocks without probes", "Canary starved, left out", "Worth for p99");
        for (Member each : fleet.members()) {
            table.row(
                    each.cluster(),
                    TextFormat.form(each.form()),
                    each.blocksWithout() + " of " + fleet.window().blocks(),
                    each.starvedBlocks() + (each.starvedUnknown() > 0 ? ", unknown of " + each.starvedUnknown() : ""),
                    TextFormat.count(each.p99().effective()) + " probes");
        }
        blocks.add(table);
        blocks.add(new Paragraph("Brokers and partitions are those at the end of the window, or when last seen in it;"
                + " throughput is the mean of the window. Where no exporter of a cluster tells, its brokers are the"
                + " leaders of its canary's probes."));
        blocks.add(SharedWords.end());
        return blocks;
    }
}
