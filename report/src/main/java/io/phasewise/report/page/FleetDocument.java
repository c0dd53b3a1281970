/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.page;

import io.phasewise.report.page.Charts.Row;
import io.phasewise.report.page.Document.Line;
import io.phasewise.report.page.Document.Part;
import io.phasewise.report.page.Document.Section;
import io.phasewise.report.page.Document.Table;
import io.phasewise.report.page.Document.Text;
import io.phasewise.report.page.Document.Warning;
import io.phasewise.report.review.Fleet;
import io.phasewise.report.review.Fleet.Member;
import io.phasewise.report.review.Fleet.Size;
import io.phasewise.report.review.Fleet.Sizes;
import io.phasewise.report.review.Review.Objective;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Puts the review of many clusters in order: the verdict, then worst first, sizes and facts. */
final class FleetDocument {

    /** More clusters than these are not drawn: the names would be too small. */
    private static final int DRAWN = 30;

    private static final int NAMED = 5;

    private final Fleet fleet;
    private final Words words;

    FleetDocument(Fleet fleet) {
        this.fleet = fleet;
        this.words = new Words(ZoneId.of(fleet.zone()));
    }

    Document document() {
        int clusters = fleet.members().size() + fleet.unmeasured().size();
        String title =
                "Capacity review of "
                        + Words.plural(clusters, "cluster")
                        + (fleet.pattern().equals(".*") ? "" : " (" + fleet.pattern() + ")");
        String subtitle =
                words.time(fleet.window().from())
                        + " to "
                        + words.time(fleet.window().to())
                        + " ("
                        + fleet.zone()
                        + ", "
                        + Words.duration(fleet.window().length())
                        + "), profile "
                        + fleet.profile()
                        + ReviewDocument.site(fleet.site())
                        + ". Made "
                        + words.time(fleet.made())
                        + " from "
                        + fleet.server()
                        + ".";
        return new Document(
                title,
                subtitle,
                verdict(),
                List.of(
                        new Section("clusters", "2. Clusters, worst first", clusters()),
                        new Section("sizes", "3. Sizes", sizes()),
                        new Section("facts", "4. Facts", facts())));
    }

    private List<Line> verdict() {
        List<Line> lines = new ArrayList<>();
        lines.add(objective());
        lines.add(slowest());
        lines.add(
                ReviewDocument.plain(
                        "Size",
                        total("Brokers", "broker")
                                + ", "
                                + total("Partitions", "partition")
                                + "; "
                                + of("Bytes in")
                                        .filter(each -> each.descending().length > 0)
                                        .map(each -> quantity(each, each.total()) + " in")
                                        .orElse("throughput unknown")
                                + "."));
        TrustParts.verdict(
                        fleet.warnings(),
                        fleet.members().stream().flatMap(each -> each.copies().stream()).toList())
                .ifPresent(lines::add);
        if (!fleet.unmeasured().isEmpty()) {
            lines.add(
                    ReviewDocument.bad(
                            "Not measured",
                            Words.plural(fleet.unmeasured().size(), "cluster")
                                    + ": "
                                    + named(
                                            fleet.unmeasured().stream()
                                                    .map(Fleet.Unmeasured::cluster)
                                                    .toList())
                                    + "."));
        }
        return lines;
    }

    private Line objective() {
        List<Member> known =
                fleet.members().stream().filter(each -> each.objective().known()).toList();
        List<Member> missed = known.stream().filter(each -> !each.objective().kept()).toList();
        String unknown =
                known.size() == fleet.members().size()
                        ? ""
                        : " Of "
                                + (fleet.members().size() - known.size())
                                + " the objective is unknown.";
        if (known.isEmpty()) {
            return ReviewDocument.plain(
                    "Objective", "Unknown: the canaries' targets were not in the data.");
        }
        if (missed.isEmpty()) {
            Member worst = known.get(0);
            return ReviewDocument.good(
                    "Objective",
                    "Kept by all of "
                            + Words.plural(known.size(), "cluster")
                            + "; most of its error budget used "
                            + worst.cluster()
                            + " ("
                            + Words.percent(worst.objective().budgetUsed())
                            + ")."
                            + unknown);
        }
        return ReviewDocument.bad(
                "Objective",
                "Missed by "
                        + missed.size()
                        + " of "
                        + Words.plural(known.size(), "cluster")
                        + ": "
                        + named(
                                missed.stream()
                                        .map(
                                                each ->
                                                        each.cluster()
                                                                + " ("
                                                                + Words.percent(
                                                                        each.objective()
                                                                                .budgetUsed())
                                                                + " of its error budget used)")
                                        .toList())
                        + "."
                        + unknown);
    }

    private Line slowest() {
        Optional<Member> slowest =
                fleet.members().stream()
                        .filter(each -> !Double.isNaN(each.p99().value()))
                        .max(Comparator.comparingDouble(each -> each.p99().value()));
        return ReviewDocument.plain(
                "Slowest",
                slowest.map(
                                each ->
                                        each.cluster()
                                                + " has the highest p99 end to end: "
                                                + Words.latency(each.p99())
                                                + (each.p99().enough()
                                                        ? ", with its 95 % interval."
                                                        : "; its interval is unknown, as the"
                                                                + " probes are too few."))
                        .orElse("No cluster has a p99."));
    }

    private List<Part> clusters() {
        List<Part> parts = new ArrayList<>();
        List<Row> drawn =
                fleet.members().stream()
                        .limit(DRAWN)
                        .map(each -> new Row(each.cluster(), List.of(each.p50(), each.p99())))
                        .toList();
        parts.add(
                Charts.whiskers(
                        "p50 and p99 end to end, with 95 % intervals"
                                + (fleet.members().size() > DRAWN ? ", the worst " + DRAWN : ""),
                        drawn));
        parts.add(
                new Table(
                        "By error budget used, then by p99",
                        List.of(
                                "Cluster",
                                "Objective",
                                "Budget used",
                                "Within the target",
                                "p50",
                                "p99",
                                "p99's trend",
                                "Probes, of them lost"),
                        fleet.members().stream().map(this::row).toList()));
        if (!fleet.unmeasured().isEmpty()) {
            parts.add(
                    new Table(
                            "Latency not known",
                            List.of("Cluster", "Why", "Brokers"),
                            fleet.unmeasured().stream()
                                    .map(
                                            each ->
                                                    List.of(
                                                            each.cluster(),
                                                            each.reason(),
                                                            count(each.size().brokers())))
                                    .toList()));
        }
        parts.add(
                new Text(
                        "Which phase and which broker: review a cluster alone, by --cluster NAME in"
                                + " place of --fleet."));
        return parts;
    }

    private List<String> row(Member member) {
        Objective objective = member.objective();
        return List.of(
                member.cluster(),
                !objective.known()
                        ? "unknown"
                        : (objective.kept() ? "kept: " : "missed: ")
                                + Words.chosen(Words.percent(objective.promised()))
                                + " within "
                                + Words.chosen(Words.latency(objective.target())),
                objective.known() ? Words.percent(objective.budgetUsed()) : "unknown",
                Words.percent(objective.good()),
                Words.latency(member.p50()),
                Words.latency(member.p99()),
                Words.month(member.p99Trend()),
                Words.count(objective.probes()) + ", " + Words.count(objective.lost()));
    }

    private List<Part> sizes() {
        List<Part> parts = new ArrayList<>();
        parts.add(
                new Table(
                        "All clusters together",
                        List.of("Size", "Clusters", "Total", "Largest", "Smallest"),
                        fleet.sizes().stream().map(FleetDocument::distribution).toList()));
        List<List<String>> rows = new ArrayList<>();
        fleet.members().forEach(each -> rows.add(size(each.cluster(), each.size())));
        fleet.unmeasured().forEach(each -> rows.add(size(each.cluster(), each.size())));
        parts.add(
                new Table(
                        "Size of each cluster, worst first",
                        List.of("Cluster", "Brokers", "Partitions", "Bytes in", "Records in"),
                        rows));
        return parts;
    }

    private static List<String> distribution(Sizes sizes) {
        double[] all = sizes.descending();
        return List.of(
                sizes.name(),
                Integer.toString(all.length),
                all.length == 0 ? "unknown" : quantity(sizes, sizes.total()),
                all.length == 0 ? "unknown" : quantity(sizes, all[0]),
                all.length == 0 ? "unknown" : quantity(sizes, all[all.length - 1]));
    }

    private static List<String> size(String cluster, Size size) {
        return List.of(
                cluster,
                count(size.brokers()),
                count(size.partitions()),
                Double.isNaN(size.bytesIn()) ? "unknown" : Words.bytes(size.bytesIn()) + "/s",
                Double.isNaN(size.recordsIn()) ? "unknown" : Words.digits(size.recordsIn()) + "/s");
    }

    private List<Part> facts() {
        List<Part> parts = new ArrayList<>();
        Duration block = fleet.window().block();
        TrustParts.warned(fleet.warnings()).ifPresent(parts::add);
        fleet.members()
                .forEach(
                        each ->
                                TrustParts.copied(
                                                "Series of the canary of " + each.cluster(),
                                                each.copies())
                                        .ifPresent(parts::add));
        if (fleet.members().stream().anyMatch(each -> each.starvedBlocks() > 0)) {
            parts.add(
                    new Warning(
                            "Blocks in which the canary's own stalls made most of the bad probes"
                                    + " are left out of its percentiles. Where that is so of all"
                                    + " blocks, none is, and the interval is unknown. The"
                                    + " objective counts them."));
        }
        parts.add(
                new Table(
                        "What the numbers rest on, in blocks of " + Words.duration(block),
                        List.of(
                                "Cluster",
                                "Histograms",
                                "Blocks without probes",
                                "Canary starved, left out",
                                "Worth for p99"),
                        fleet.members().stream()
                                .map(
                                        each ->
                                                List.of(
                                                        each.cluster(),
                                                        FactsParts.form(each.form()),
                                                        each.blocksWithout()
                                                                + " of "
                                                                + fleet.window().blocks(),
                                                        each.starvedUnknown() > 0
                                                                ? each.starvedBlocks()
                                                                        + ", unknown of "
                                                                        + each.starvedUnknown()
                                                                : Integer.toString(
                                                                        each.starvedBlocks()),
                                                        Words.count(each.p99().effective())
                                                                + " probes"))
                                .toList()));
        parts.add(
                new Text(
                        "Brokers and partitions are those at the end of the window, or when last"
                                + " seen in it; throughput is the mean of the window. Where no"
                                + " exporter of a cluster tells, its brokers are those that its"
                                + " canary's probes went by way of."));
        return parts;
    }

    private Optional<Sizes> of(String name) {
        return fleet.sizes().stream().filter(each -> each.name().equals(name)).findFirst();
    }

    private String total(String name, String one) {
        return of(name).filter(each -> each.descending().length > 0)
                .map(each -> Words.count(each.total()) + " " + one + (each.total() == 1 ? "" : "s"))
                .orElse("an unknown number of " + one + "s");
    }

    private static String quantity(Sizes sizes, double value) {
        String text =
                sizes.bytes()
                        ? Words.bytes(value)
                        : sizes.rate() ? Words.digits(value) : Words.count(value);
        return sizes.rate() ? text + "/s" : text;
    }

    private static String count(double count) {
        return Double.isNaN(count) ? "unknown" : Words.count(count);
    }

    private static String named(List<String> names) {
        return names.size() <= NAMED
                ? String.join(", ", names)
                : String.join(", ", names.subList(0, NAMED))
                        + " and "
                        + (names.size() - NAMED)
                        + " more";
    }
}
