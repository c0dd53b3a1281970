/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.phase.Phase;
import io.phasewise.lab.junit.ReferencePage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Who is named in all that was recorded, and how much is unknown. What is red is listed here and stands in words in
 * docs/evidence/corpus.md; nothing else may be red. {@code proving/corpus} writes the tables there.
 */
class CorpusTest {
    private static final Path ROOT = Path.of(System.getProperty("phasewise.root"));
    private static final Path CORPUS = ROOT.resolve("proving/experiments/src/test/resources/corpus");
    private static final Path PAGE = ROOT.resolve("docs/evidence/corpus.md");

    /** A line of the page that admits one. */
    private static final Pattern ADMITTED = Pattern.compile("(?m)^- \\*red\\*, ([a-z0-9 -]+): .{20,}");

    private static final String UNKNOWN_OF = "unknown of ";

    /** All that is red: the naming of a recording, what is unknown of one, what is unknown of a phase in quiet. */
    private static final Set<String> RED = Set.of(
            "busy-handlers", UNKNOWN_OF + "placebo-rolling-restart", UNKNOWN_OF + "slow-disk", UNKNOWN_OF + "produce");

    /** Seconds of processor for all of it. */
    private static final double MOST_SECONDS = 20;

    /** Of each phase's waits while nothing is broken so much may be unknown. */
    private static final double MOST_UNKNOWN_IN_QUIET = 0.1;

    /** Seconds until the right name, in the median. */
    private static final double MEDIAN = 7;

    /** So many faults at least must be left that nothing was fitted on. */
    private static final int LEAST_JUDGING = 6;

    private static List<Verdict> verdicts;
    private static QuietUnknown quiet;
    private static double seconds;

    @BeforeAll
    static void replay() throws IOException {
        long before = cpuNanos();
        verdicts = new ArrayList<>();
        quiet = new QuietUnknown();
        for (Case each : recorded()) {
            Replay.Result result = Replay.of(Recordings.read(each.recording(CORPUS)));
            verdicts.add(Verdict.of(each, result));
            quiet.add(result);
        }
        seconds = (cpuNanos() - before) / 1e9;
        verdicts.forEach(each -> System.out.println(line(each).strip() + "  " + each.parts()));
        System.out.printf("%.1f s of processor%n", seconds);
    }

    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static List<Case> recorded() {
        return Case.all(CORPUS).stream()
                .filter(each -> Files.exists(each.recording(CORPUS)))
                .toList();
    }

    private static String line(Verdict of) {
        return ReferencePage.row(
                of.of().name(),
                half(of.of()),
                toBeNamed(of.of()),
                of.isRed() ? "*" + of.word() + "*" : of.word(),
                of.delay().isPresent()
                        ? String.format(Locale.ROOT, "%.1f s", of.delay().getAsDouble())
                        : "-",
                of.wrong().isEmpty() ? "-" : String.join(", ", of.wrong()),
                of.unknown().isPresent() ? percent(of.unknown().getAsDouble(), of.isTooMuchUnknown()) : "-");
    }

    private static String percent(double share, boolean isRed) {
        String text = String.format(Locale.ROOT, "%.1f %%", 100 * share);
        return isRed ? "*" + text + "*" : text;
    }

    private static String half(Case of) {
        return of.isForFitting() ? of.isDrawnForJudging() ? "fit, drawn to judge" : "fit" : "judge";
    }

    private static String toBeNamed(Case of) {
        return of.isPlacebo() ? "nobody" : String.join(" or ", of.named());
    }

    private static String table() {
        StringBuilder text = new StringBuilder(ReferencePage.headings(
                "recording",
                "half",
                "to be named",
                "verdict",
                "first named after",
                "wrongly named, and when",
                "unknown"));
        verdicts.forEach(each -> text.append(line(each)));
        Case.all(CORPUS).stream()
                .filter(each -> !Files.exists(each.recording(CORPUS)))
                .map(each ->
                        ReferencePage.row(each.name(), half(each), toBeNamed(each), "*not recorded*", "-", "-", "-"))
                .forEach(text::append);
        return text.toString();
    }

    private static String quietTable() {
        StringBuilder text = new StringBuilder(ReferencePage.headings("phase", "seconds of all probes", "unknown"));
        for (Phase phase : Phase.values()) {
            text.append(ReferencePage.row(
                    phase.label(),
                    String.format(Locale.ROOT, "%.1f", quiet.seconds(phase)),
                    quiet.seconds(phase) > 0 ? percent(quiet.share(phase), isTooMuchUnknown(phase)) : "-"));
        }
        return text.toString();
    }

    private static boolean isTooMuchUnknown(Phase phase) {
        return quiet.seconds(phase) > 0 && quiet.share(phase) > MOST_UNKNOWN_IN_QUIET;
    }

    private static String page() {
        try {
            return Files.readString(PAGE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static TreeSet<String> admitted() {
        return ADMITTED.matcher(page())
                .results()
                .map(match -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void theReferenceOfTheCorpusIsMadeOfItsRecordings() throws IOException {
        new ReferencePage("../evidence/corpus.md").holds("corpus", table());
    }

    @Test
    void theReferenceOfTheQuietBeginningsIsMadeOfTheRecordings() throws IOException {
        new ReferencePage("../evidence/corpus.md").holds("quiet", quietTable());
    }

    private static TreeSet<String> names(Predicate<Verdict> which) {
        return verdicts.stream()
                .filter(which)
                .map(each -> each.of().name())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void whatIsRedIsListedAndNothingElseIs() {
        TreeSet<String> red = names(Verdict::isRed);
        names(Verdict::isTooMuchUnknown).forEach(each -> red.add(UNKNOWN_OF + each));
        Stream.of(Phase.values())
                .filter(CorpusTest::isTooMuchUnknown)
                .forEach(each -> red.add(UNKNOWN_OF + each.label()));

        assertThat(red).isEqualTo(new TreeSet<>(RED));
    }

    @Test
    void whatIsListedAsRedStandsInWordsOnThePage() {
        assertThat(admitted()).as("red in docs/evidence/corpus.md").isEqualTo(new TreeSet<>(RED));
    }

    /** No word on the page makes up for it. */
    @Test
    void ofThoseThatJudgeAllAreNamedRightly() {
        assertThat(names(each -> each.isRed() && !each.of().isForFitting())).isEmpty();
    }

    @Test
    void enoughFaultsAreLeftToJudge() {
        long judging = verdicts.stream()
                .filter(each -> !each.of().isForFitting() && !each.of().isPlacebo())
                .count();

        assertThat(judging).isGreaterThanOrEqualTo(LEAST_JUDGING);
    }

    @Test
    void halfOfThoseThatWereNotFittedAreNamedWithinSevenSeconds() {
        double[] delays = verdicts.stream()
                .filter(each -> !each.of().isForFitting() && !each.of().isPlacebo())
                .mapToDouble(each -> each.delay().orElse(Double.POSITIVE_INFINITY))
                .sorted()
                .toArray();

        assertThat(delays).isNotEmpty();
        assertThat(delays[delays.length / 2]).isLessThanOrEqualTo(MEDIAN);
    }

    @Test
    void allOfItIsReplayedInTwentySecondsOfProcessor() {
        assertThat(seconds).isLessThan(MOST_SECONDS);
    }
}
