/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.review;

import io.phasewise.report.source.Series;
import io.phasewise.report.source.Server;
import io.phasewise.report.source.SourceException;
import io.phasewise.report.stats.Block;
import io.phasewise.report.stats.Histogram;
import io.phasewise.report.stats.Histogram.Bucket;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Reads the latencies of one window, in the form that the server has them in, and how the probes
 * ended. Long windows of many brokers are read from what the rules recorded: to go through
 * everything that was scraped would keep a server busy for minutes.
 */
final class LatencyReader {

    /** Above so many scraped samples, what was recorded is read instead. */
    private static final long HEAVY = 2_000_000;

    private static final int SCRAPE_SECONDS = 5;
    private static final int SERIES_BY_LEADER = 6;

    /** Of more histograms by leader than these, the blocks are made longer. */
    private static final int MANY = 6_000;

    /** How often a counter is read where there is very much to read. */
    private static final Duration SELDOM = Duration.ofMinutes(30);

    /** A label matcher: any series by which a canary's cluster, profile and leaders are known. */
    static final String ANY =
            "__name__=~\"kafka_canary_end_to_end_latency_seconds(_bucket|_count)?|kafka_canary_probes_total|kafka_canary:end_to_end_latency_seconds_by_leader:rate5m\"";

    private final Server server;
    private final Question question;
    private final Steps steps;

    LatencyReader(Server server, Question question, Steps steps) {
        this.server = server;
        this.question = question;
        this.steps = steps;
    }

    /** Of what is scraped, which alone says at which site a canary stands. */
    private static final String SCRAPED =
            "__name__=~\"kafka_canary_end_to_end_latency_seconds(_bucket|_count)?|kafka_canary_probes_total\"";

    /**
     * What the server has.
     *
     * @param form of the histograms
     * @param leaders how many
     * @param site where the canaries stand; empty where they do not say
     */
    record Found(Form form, int leaders, String site) {}

    /**
     * Finds what there is.
     *
     * @throws RefusedException when the cluster, the profile, the site or the histograms are not
     *     there, or when there are several sites and none was chosen
     */
    Found find(Window window) throws SourceException, RefusedException, InterruptedException {
        steps.at("cluster", 0, 1);
        String any = "{" + ANY;
        List<String> clusters = labels("cluster", any + "}", window);
        if (!clusters.contains(question.cluster())) {
            throw new RefusedException(absent(any, clusters, window));
        }
        String ofCluster = ",cluster=" + Question.quoted(question.cluster());
        List<String> profiles = labels("profile", any + ofCluster + "}", window);
        if (!profiles.contains(question.profile())) {
            throw new RefusedException(
                    "no profile '"
                            + question.profile()
                            + "' of cluster '"
                            + question.cluster()
                            + "' in the window; there is: "
                            + String.join(", ", profiles));
        }
        String site = site(window);
        List<String> leaders = labels("leader", any + "," + question.canary() + "}", window);
        Set<Form> there = forms(window);
        if (there.isEmpty()) {
            throw new RefusedException(
                    "the server has no latency histograms of cluster '"
                            + question.cluster()
                            + "', neither native nor classic, scraped or recorded (for native ones"
                            + " it needs scrape_native_histograms; VictoriaMetrics does not keep"
                            + " them: let Prometheus scrape the classic ones for it, too, with"
                            + " always_scrape_classic_histograms)");
        }
        if (!window.holdsRecorded()) {
            there.removeIf(Form::recorded);
            if (there.isEmpty()) {
                throw new RefusedException(
                        "of cluster '"
                                + question.cluster()
                                + "' the server has only latencies recorded over five minutes,"
                                + " which do not tell the minutes of a window shorter than an"
                                + " hour apart; allowed: an hour or more");
            }
        }
        long samples =
                (long) leaders.size()
                        * SERIES_BY_LEADER
                        * (window.length().toSeconds() / SCRAPE_SECONDS);
        Form form = choose(there, samples > HEAVY);
        steps.over(
                "cluster",
                leaders.size()
                        + " leaders, "
                        + (form.isNative() ? "native" : "classic")
                        + " histograms"
                        + (form.recorded() ? ", recorded" : ""));
        return new Found(form, leaders.size(), site);
    }

    /** The site that is asked for, or the only one. */
    private String site(Window window)
            throws SourceException, RefusedException, InterruptedException {
        String ofAll = SCRAPED + "," + question.ofProfile();
        List<String> named = labels("site", "{" + ofAll + "}", window);
        List<String> sites = new ArrayList<>(named);
        if (!named.isEmpty()
                && !labels("__name__", "{" + ofAll + ",site=\"\"}", window).isEmpty()) {
            sites.add("");
        }
        if (question.site().isEmpty()) {
            if (sites.size() > 1) {
                throw new RefusedException(
                        "profile '"
                                + question.profile()
                                + "' of cluster '"
                                + question.cluster()
                                + "' is measured from several sites: "
                                + listed(sites)
                                + "; their probes do not go into one percentile; allowed: --site"
                                + " with one of them");
            }
            return sites.isEmpty() ? "" : sites.get(0);
        }
        String wanted = question.site().get();
        if (sites.isEmpty() ? !wanted.isEmpty() : !sites.contains(wanted)) {
            throw new RefusedException(
                    "no site '"
                            + wanted
                            + "' of profile '"
                            + question.profile()
                            + "' of cluster '"
                            + question.cluster()
                            + "' in the window; "
                            + (sites.isEmpty()
                                    ? "its canaries name none"
                                    : "there is: " + listed(sites)));
        }
        return wanted;
    }

    private static String listed(List<String> sites) {
        return sites.stream()
                .map(site -> site.isEmpty() ? "'' (no site)" : site)
                .collect(Collectors.joining(", "));
    }

    private String absent(String any, List<String> clusters, Window window)
            throws SourceException, InterruptedException {
        String named = "no cluster '" + question.cluster() + "' ";
        String time = "between " + window.from() + " and " + window.to();
        if (!clusters.isEmpty()) {
            return named + time + "; there is: " + String.join(", ", clusters);
        }
        List<String> ever = server.labelValues("cluster", any + "}", Instant.EPOCH, Instant.now());
        return ever.isEmpty()
                ? "the server has no data of any canary"
                : "no canary's data "
                        + time
                        + "; at other times there is: "
                        + String.join(", ", ever)
                        + ". Is the window older than what the server keeps?";
    }

    private Set<Form> forms(Window window) throws SourceException, InterruptedException {
        Set<Form> there = new HashSet<>();
        for (Form form : Form.values()) {
            String selector =
                    "{__name__=\""
                            + form.endToEnd()
                            + "\","
                            + question.canary()
                            + (form.isNative() ? ",le=\"\"" : ",le!=\"\"")
                            + "}";
            if (!labels("__name__", selector, window).isEmpty()) {
                there.add(form);
            }
        }
        return there;
    }

    private static Form choose(Set<Form> there, boolean heavy) {
        List<Form> wish =
                heavy
                        ? List.of(
                                Form.RECORDED_NATIVE,
                                Form.RAW_NATIVE,
                                Form.RECORDED_CLASSIC,
                                Form.RAW_CLASSIC)
                        : List.of(
                                Form.RAW_NATIVE,
                                Form.RECORDED_NATIVE,
                                Form.RAW_CLASSIC,
                                Form.RECORDED_CLASSIC);
        return wish.stream().filter(there::contains).findFirst().orElseThrow();
    }

    /**
     * Reads a window.
     *
     * @throws RefusedException when no probe ended in it
     */
    Measured read(Window window, Found found, String prefix)
            throws SourceException, RefusedException, InterruptedException {
        Form form = found.form();
        Measured whole = whole(window, found, prefix);
        SortedMap<String, List<Block>> byPhase =
                histograms(
                        window,
                        form,
                        List.of(form.phases(), form.mirror()),
                        "phase",
                        prefix + "phases",
                        series -> series.label("phase"));
        Map<PathPart, List<Block>> parts = new EnumMap<>(PathPart.class);
        for (PathPart part : PathPart.values()) {
            parts.put(part, byPhase.getOrDefault(part.phase(), List.of()));
        }
        if (parts.get(PathPart.MIRROR).isEmpty()) {
            parts.remove(PathPart.MIRROR);
        } else {
            refuseMirroredInPart(parts);
        }
        Window coarse = found.leaders() * window.blocks() <= MANY ? window : window.coarse();
        SortedMap<String, List<Block>> leaders =
                histograms(
                        coarse,
                        form,
                        List.of(form.endToEnd()),
                        "leader",
                        prefix + "leaders",
                        series -> series.label("leader"));
        return new Measured(
                window,
                form,
                whole.endToEnd(),
                parts,
                coarse,
                leaders,
                leaderCounts(coarse, form, prefix + "outcomes by leader"),
                whole.counts(),
                slow(window, form, prefix + "slow probes"),
                whole.target(),
                whole.objective(),
                whole.objectives(),
                whole.copies());
    }

    /** The means of the parts would not add up to that of the whole path. */
    private void refuseMirroredInPart(Map<PathPart, List<Block>> parts) throws RefusedException {
        double mirrored = count(parts.get(PathPart.MIRROR));
        double all = count(parts.get(PathPart.COMMIT));
        if (mirrored < 0.99 * all) {
            throw new RefusedException(
                    "of the probes of profile '"
                            + question.profile()
                            + "' "
                            + Math.round(mirrored)
                            + " of "
                            + Math.round(all)
                            + " were read in another cluster: it was mirrored in a part of the"
                            + " window only; allowed: a window before or after that change");
        }
    }

    private static double count(List<Block> blocks) {
        return blocks.stream().mapToDouble(block -> block.histogram().count()).sum();
    }

    /**
     * Reads how the probes ended and the latency of the whole path, without phases and leaders.
     *
     * @throws RefusedException when no probe ended in it
     */
    Measured whole(Window window, Found found, String prefix)
            throws SourceException, RefusedException, InterruptedException {
        Form form = found.form();
        SortedMap<Instant, Counts> counts = counts(window, form, prefix + "outcomes");
        double probes = counts.values().stream().mapToDouble(Counts::probes).sum();
        List<Block> endToEnd =
                histograms(
                                window,
                                form,
                                List.of(form.endToEnd()),
                                "",
                                prefix + "end to end",
                                series -> "")
                        .getOrDefault("", List.of());
        if (endToEnd.isEmpty()) {
            String when = " between " + window.from() + " and " + window.to();
            String cluster = " of cluster '" + question.cluster() + "' ";
            throw new RefusedException(
                    probes > 0
                            ? "the latency histograms"
                                    + cluster
                                    + "are empty"
                                    + when
                                    + ", and "
                                    + Math.round(probes)
                                    + " probes ended"
                            : "no probe" + cluster + "ended" + when);
        }
        Promise promise = promise(window);
        return new Measured(
                window,
                form,
                endToEnd,
                Map.of(),
                window,
                new TreeMap<>(),
                new TreeMap<>(),
                counts,
                Map.of(),
                promise.target(),
                promise.objective(),
                promise.versions(),
                promise.copies());
    }

    private SortedMap<String, List<Block>> histograms(
            Window window,
            Form form,
            List<String> metrics,
            String by,
            String step,
            Function<Series, String> key)
            throws SourceException, InterruptedException {
        String expression =
                metrics.stream()
                        .map(
                                metric ->
                                        form.counted(
                                                metric,
                                                question.canary(),
                                                by,
                                                promDuration(window.block()),
                                                window.block().toSeconds()))
                        .collect(Collectors.joining(" or "));
        List<Series> answer = range(expression, window, step);
        SortedMap<String, List<Block>> result = new TreeMap<>();
        if (form.isNative()) {
            for (Series each : answer) {
                List<Block> blocks = new ArrayList<>();
                each.histograms()
                        .forEach(
                                (end, histogram) -> {
                                    if (histogram.count() > 0) {
                                        blocks.add(new Block(end.minus(window.block()), histogram));
                                    }
                                });
                result.put(key.apply(each), blocks);
            }
        } else {
            answer.stream()
                    .collect(Collectors.groupingBy(key, TreeMap::new, Collectors.toList()))
                    .forEach((name, buckets) -> result.put(name, classic(buckets, window.block())));
        }
        steps.over(step, result.values().stream().mapToInt(List::size).sum() + " histograms");
        return result;
    }

    /** Cumulative buckets of one histogram, as many as there were times. */
    private static List<Block> classic(List<Series> buckets, Duration length) {
        SortedMap<Instant, SortedMap<Double, Double>> byTime = new TreeMap<>();
        for (Series bucket : buckets) {
            String le = bucket.label("le");
            double upper = le.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(le);
            bucket.values()
                    .forEach(
                            (at, count) ->
                                    byTime.computeIfAbsent(at, any -> new TreeMap<>())
                                            .put(upper, count));
        }
        List<Block> blocks = new ArrayList<>();
        byTime.forEach(
                (end, cumulative) -> {
                    List<Bucket> cells = new ArrayList<>();
                    double lower = 0;
                    double before = 0;
                    for (Map.Entry<Double, Double> each : cumulative.entrySet()) {
                        // Rates of neighbouring buckets may differ by rounding.
                        double count = each.getValue() - before;
                        if (count > 0) {
                            cells.add(new Bucket(lower, each.getKey(), count));
                            before = each.getValue();
                        }
                        lower = each.getKey();
                    }
                    Histogram histogram = Histogram.of(cells, Double.NaN);
                    if (histogram.count() > 0) {
                        blocks.add(new Block(end.minus(length), histogram));
                    }
                });
        return blocks;
    }

    private SortedMap<Instant, Counts> counts(Window window, Form form, String step)
            throws SourceException, InterruptedException {
        String range = promDuration(window.block());
        SortedMap<Instant, Double> probes;
        SortedMap<Instant, Double> bad;
        SortedMap<Instant, Double> lost;
        if (form.recorded()) {
            probes = recorded(window, "slo_probes", "latency", step);
            bad = recorded(window, "slo_bad_probes", "latency", step);
            lost = recorded(window, "slo_bad_probes", "availability", step);
        } else {
            probes =
                    total(
                            window,
                            "kafka_canary_slo_probes_total{" + question.canary() + "}",
                            range,
                            step);
            bad =
                    total(
                            window,
                            "kafka_canary_slo_probes_total{"
                                    + question.canary()
                                    + ",verdict=\"bad\"}",
                            range,
                            step);
            lost =
                    total(
                            window,
                            "kafka_canary_probes_total{"
                                    + question.canary()
                                    + ",outcome=~\"lost|send_failed\"}",
                            range,
                            step);
        }
        SortedMap<Instant, Double> resurfaced =
                total(window, counter("resurfaced"), counterRange(window, form), step);
        SortedMap<Instant, Double> ownBad =
                total(window, counter("stalled_bad_probes"), counterRange(window, form), step);
        SortedMap<Instant, Counts> counts = new TreeMap<>();
        probes.forEach(
                (end, count) ->
                        counts.put(
                                end.minus(window.block()),
                                new Counts(
                                        count,
                                        bad.getOrDefault(end, 0.0),
                                        lost.getOrDefault(end, 0.0),
                                        resurfaced.getOrDefault(end, 0.0),
                                        ownBad.getOrDefault(end, Double.NaN))));
        steps.over(step, counts.size() + " blocks of " + range);
        return counts;
    }

    private SortedMap<Instant, Double> recorded(Window window, String what, String slo, String step)
            throws SourceException, InterruptedException {
        String selector =
                "kafka_canary:" + what + ":rate5m{" + question.canary() + ",slo=\"" + slo + "\"}";
        return single(
                range(
                        "sum(" + Form.added(selector, window.block().toSeconds()) + ")",
                        window,
                        step));
    }

    private SortedMap<Instant, Double> total(
            Window window, String selector, String range, String step)
            throws SourceException, InterruptedException {
        return single(
                range(
                        "sum("
                                + window.block().toSeconds()
                                + " * rate("
                                + selector
                                + "["
                                + range
                                + "]))",
                        window,
                        step));
    }

    private SortedMap<String, SortedMap<Instant, Counts>> leaderCounts(
            Window window, Form form, String step) throws SourceException, InterruptedException {
        String range = counterRange(window, form);
        String slo = "kafka_canary_slo_probes_total{" + question.canary();
        SortedMap<String, SortedMap<Instant, Counts>> counts = new TreeMap<>();
        addByLeader(counts, window, slo + "}", range, step, n -> new Counts(n, 0, 0, 0, 0));
        addByLeader(
                counts,
                window,
                slo + ",verdict=\"bad\"}",
                range,
                step,
                n -> new Counts(0, n, 0, 0, 0));
        addByLeader(
                counts,
                window,
                "kafka_canary_probes_total{"
                        + question.canary()
                        + ",outcome=~\"lost|send_failed\"}",
                range,
                step,
                n -> new Counts(0, 0, n, 0, 0));
        addByLeader(
                counts, window, counter("resurfaced"), range, step, n -> new Counts(0, 0, 0, n, 0));
        steps.over(step, counts.size() + " leaders");
        return counts;
    }

    private void addByLeader(
            SortedMap<String, SortedMap<Instant, Counts>> counts,
            Window window,
            String selector,
            String range,
            String step,
            DoubleFunction<Counts> as)
            throws SourceException, InterruptedException {
        for (Series each : range(grown("leader", window, selector, range), window, step)) {
            SortedMap<Instant, Counts> leader =
                    counts.computeIfAbsent(each.label("leader"), any -> new TreeMap<>());
            each.values()
                    .forEach(
                            (end, n) ->
                                    leader.merge(
                                            end.minus(window.block()), as.apply(n), Counts::plus));
        }
    }

    /** What slow probes are made of; empty where the canary does not count it. */
    private Map<PathPart, SortedMap<Instant, Double>> slow(Window window, Form form, String step)
            throws SourceException, InterruptedException {
        Map<PathPart, SortedMap<Instant, Double>> slow = new EnumMap<>(PathPart.class);
        String range = counterRange(window, form);
        String expression =
                grown("phase", window, counter("slow_probes_phase_seconds"), range)
                        + " or "
                        + grown("phase", window, counter("slow_probes_mirror_seconds"), range);
        for (Series each : range(expression, window, step)) {
            for (PathPart part : PathPart.values()) {
                if (part.phase().equals(each.label("phase"))) {
                    SortedMap<Instant, Double> blocks = new TreeMap<>();
                    each.values()
                            .forEach(
                                    (end, seconds) ->
                                            blocks.put(end.minus(window.block()), seconds));
                    slow.put(part, blocks);
                }
            }
        }
        steps.over(step, slow.isEmpty() ? "not counted" : slow.size() + " phases");
        return slow;
    }

    /** A selector of a counter of the canary. */
    private String counter(String name) {
        return "kafka_canary_" + name + "_total{" + question.canary() + "}";
    }

    /** How much a counter grew in each block, by a label. */
    private static String grown(String by, Window window, String selector, String range) {
        return "sum by ("
                + by
                + ") ("
                + window.block().toSeconds()
                + " * rate("
                + selector
                + "["
                + range
                + "]))";
    }

    /** Target and objective as last seen, how many different pairs of them, and whose copies. */
    private record Promise(
            double target, double objective, int versions, SortedSet<String> copies) {}

    private Promise promise(Window window) throws SourceException, InterruptedException {
        List<Series> canaries = range(question.target(), window, "objective");
        SortedMap<Instant, Double> targets = new TreeMap<>();
        canaries.forEach(
                each -> each.values().forEach((at, value) -> targets.merge(at, value, Math::max)));
        SortedMap<Instant, Double> objectives =
                single(
                        range(
                                "max(kafka_canary_slo_objective_ratio{" + question.canary() + "})",
                                window,
                                "objective"));
        Set<String> pairs = new HashSet<>();
        targets.forEach((at, target) -> pairs.add(target + " " + objectives.get(at)));
        steps.over("objective", pairs.size() == 1 ? "one" : pairs.size() + " different");
        return new Promise(
                targets.isEmpty() ? Double.NaN : targets.get(targets.lastKey()),
                objectives.isEmpty() ? Double.NaN : objectives.get(objectives.lastKey()),
                pairs.size(),
                copies(canaries));
    }

    /**
     * The labels in which series from one address differ that are there at the same time: what two
     * servers scraped of the same canary.
     *
     * @param canaries series of which a canary has one
     */
    static SortedSet<String> copies(List<Series> canaries) {
        SortedSet<String> labels = new TreeSet<>();
        canaries.stream()
                .filter(each -> !each.label("instance").isEmpty())
                .collect(Collectors.groupingBy(each -> each.label("instance")))
                .values()
                .forEach(
                        same -> {
                            for (Series one : same) {
                                for (Series other : same) {
                                    labels.addAll(differing(one, other));
                                }
                            }
                        });
        return labels;
    }

    private static Set<String> differing(Series one, Series other) {
        Set<Instant> together = new HashSet<>(one.values().keySet());
        together.retainAll(other.values().keySet());
        Set<String> labels = new HashSet<>();
        // Once may be a restart that overlaps; of two sites each has a canary of its own.
        if (together.size() > 1 && one.label("site").equals(other.label("site"))) {
            labels.addAll(one.labels().keySet());
            labels.addAll(other.labels().keySet());
            labels.removeIf(name -> one.label(name).equals(other.label(name)));
        }
        return labels;
    }

    private List<Series> range(String expression, Window window, String step)
            throws SourceException, InterruptedException {
        // A day of hours, or a week of days: an answer of a few megabytes.
        int chunk = (int) Math.max(1, Math.min(48, Duration.ofDays(7).dividedBy(window.block())));
        return server.range(
                expression,
                window.firstEnd(),
                window.to(),
                window.block(),
                chunk,
                (done, of) -> steps.at(step, done, of));
    }

    private List<String> labels(String label, String selector, Window window)
            throws SourceException, InterruptedException {
        return server.labelValues(label, selector, window.from(), window.to());
    }

    private static SortedMap<Instant, Double> single(List<Series> answer) {
        return answer.isEmpty() ? new TreeMap<>() : answer.get(0).values();
    }

    /**
     * The range over which a counter's rate is that of a block. Of long windows of many brokers, in
     * which to go through every sample would keep the server busy, a value every half an hour is
     * read, from the block's begin to its end: what a counter grew in between is in it, but for the
     * last half an hour before it begins anew.
     */
    static String counterRange(Window window, Form form) {
        Duration block = window.block();
        if (!form.recorded()) {
            return promDuration(block);
        }
        Duration step = block.compareTo(SELDOM) < 0 ? block : SELDOM;
        // A second less: Prometheus 2 would read one value more.
        return promDuration(block.plus(step).minusSeconds(1)) + ":" + promDuration(step);
    }

    static String promDuration(Duration duration) {
        return duration.toSeconds() + "s";
    }
}
