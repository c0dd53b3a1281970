/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.lab.junit.CommandReference;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Links of pages lead somewhere, and what pages name exists: it is listed in {@code
 * docs/reference}, which other tests compare with the product.
 */
class DocumentsTest {
    private static final String REFERENCE = "docs/reference/";
    private static final Pattern ANSWERED = Pattern.compile("\\?.*\\]\\((#|\\.\\./\\.\\./alerting/runbooks/)");

    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.+)$");
    private static final Pattern CODE = Pattern.compile("(?ms)^( *)```.*?^ *```");
    private static final Pattern DOCUMENTED = Pattern.compile("(?m)^\\| `(kafka_[a-z0-9_]+)` \\| ([a-z ]+) \\|");
    private static final String RECORDED = "`(kafka_[a-z0-9_:]+)`";
    private static final String ALERT = "(?m)^### ([A-Z]\\w+)$";
    private static final String COMMAND = "(?m)^##+ (phasewise.*)$";

    /** A name in a document, with the character behind it, as in kafka_canary_*. */
    private static final Pattern NAME =
            Pattern.compile("(?<![\\w/.-])(kafka_[a-z0-9_]+(?::[a-z0-9_]+)*)(:|[*\u2026]|\\.\\.\\.)?");

    /** Documents about earlier commits, which may name what exists no more. */
    private static final Pattern CALL = Pattern.compile(
            "(?:\\./(phasewise)|java -jar (?:\\S*/)?(phasewise-\\w+)\\.jar)( [^`\\n|#)]*+(?!` of commit))?");

    private static final Pattern OPTION = Pattern.compile("(?<=\\s)--?[a-z][a-z-]*");
    private static final Pattern CAMEL_CASE =
            Pattern.compile("(?<![\\w.$/#-])[A-Z][a-z0-9]+(?:[A-Z][A-Za-z0-9]+)+\\b(?![.(])");

    /**
     * Names that are not ours: Kafka's client metrics, by Micrometer; a label; and two series that are
     * no longer recorded, of which the how-to of upgrading speaks.
     */
    private static final Pattern OTHERS = Pattern.compile("kafka_(producer|consumer|admin_client)_.*|kafka_version"
            + "|kafka_broker:(late_follower_seconds:mean1m|standstill:ratio1m)");

    private static final Pattern KEY =
            Pattern.compile("`((?:probe|topic|slo|http|exporters|consumer-group|slow-probes|traces"
                    + "|marks|timing|clients|jmx)(?:\\.[a-z-]+)+)[`:]");
    private static final Pattern SECTION_OR_KEY = Pattern.compile("(?m)^(?:## `(.+)`$|\\| `([^`]+)` \\|)");

    /** Kafka's own names that end as names of alerts do. */
    private static final Set<String> NO_ALERTS = Set.of("FetchFollower");

    /** Documents that say what was so when they were written. */
    private static final Pattern PAST = Pattern.compile("CHANGELOG.md|docs/(.*/)?(evidence|experiments|benchmarks)/.*");

    /** The text of every page, by its path in the repository. */
    private final Map<String, String> pages = Repository.files("", ".md").stream()
            .collect(Collectors.toMap(Repository::name, Repository::text, (a, b) -> a, TreeMap::new));

    /** The reader can look them up: there is a link to the page, or to a runbook. */
    @Test
    void theTutorialAsksFiveQuestionsAndSaysWhereTheAnswersAre() {
        String[] parts = pages.get("docs/tutorial/first-look.md").split("(?m)^## Five questions$");

        assertThat(parts).hasSize(2);
        assertThat(parts[1].lines().filter(line -> line.matches("\\d\\. .*")))
                .hasSize(5)
                .allMatch(line -> ANSWERED.matcher(line).find());
    }

    @Test
    void everyLinkLeadsToAFileAndItsHeading() {
        List<String> broken = new ArrayList<>();
        int links = 0;
        for (String page : pages.keySet()) {
            Matcher link = LINK.matcher(CODE.matcher(pages.get(page)).replaceAll(""));
            while (link.find()) {
                String address = link.group(1);
                if (address.matches("[a-z]+:.*")) {
                    continue;
                }
                links++;
                String[] parts = address.split("#", 2);
                Path from = Repository.path(page);
                Path target = parts[0].isEmpty()
                        ? from
                        : from.resolveSibling(parts[0]).normalize();
                if (!Files.exists(target)
                        || parts.length == 2
                                && target.toString().endsWith(".md")
                                && !headings(target).contains(parts[1])) {
                    broken.add(page + ": " + address);
                }
            }
        }

        assertThat(links).isGreaterThan(250);
        assertThat(broken).isEmpty();
    }

    /** Figures are drawn by the benchmarks, whose tests check them. */
    @Test
    void everyPictureIsShownAndCanBeTakenAgain() {
        String shown = String.join("\n", pages.values());
        String taken = Repository.text("proving/Pictures.java");

        assertThat(Repository.files("docs/images", ""))
                .map(file -> file.getFileName().toString())
                .allMatch(name -> shown.contains("images/" + name + ")"), "is shown")
                .filteredOn(name -> name.endsWith(".png"))
                .isNotEmpty()
                .allMatch(name -> taken.contains('"' + name.replace(".png", "\"")), "is taken");
    }

    /** Anchors as forges make them of headings: lower case, hyphens for blanks, no punctuation. */
    private static Set<String> headings(Path page) {
        String text = CODE.matcher(Repository.text(page)).replaceAll("");
        Set<String> all = new TreeSet<>();
        Matcher heading = HEADING.matcher(text);
        while (heading.find()) {
            String words = heading.group(1)
                    .replaceAll("\\]\\([^)]*\\)", "")
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N} _-]", "")
                    .strip()
                    .replace(' ', '-');
            String unique = words;
            for (int again = 1; !all.add(unique); again++) {
                unique = words + "-" + again;
            }
        }
        return all;
    }

    @ParameterizedTest
    @ValueSource(strings = {"test", "release"})
    void theReferenceSaysWhatTheScriptSays(String command) throws IOException {
        Command.Result help = Command.phasewise(command, "--help").run(Duration.ofMinutes(1));

        assertThat(help.exitCode()).isZero();
        CommandReference.holds("phasewise " + command, help.output());
    }

    /** Where there is nothing to build, and no program that has been built. */
    @Test
    void helpIsReadAndNothingIsBuilt(@TempDir Path checkout) throws IOException {
        Files.copy(Repository.path("phasewise"), checkout.resolve("phasewise"), StandardCopyOption.COPY_ATTRIBUTES);
        Files.createDirectories(checkout.resolve("docs/reference"));
        Files.copy(Repository.path("docs/reference/commands.md"), checkout.resolve("docs/reference/commands.md"));
        List<String> commands = Pattern.compile("(?m)^##+ phasewise\\b(?!-)(.*)$")
                .matcher(reference("commands.md"))
                .results()
                .map(heading -> heading.group(1).strip())
                .filter(command -> !command.equals("docs")) // is a script of its own
                .toList();

        assertThat(commands).hasSizeGreaterThan(25).allSatisfy(command -> {
            Object[] words = Stream.concat(Stream.of(command.split(" ")), Stream.of("--help"))
                    .filter(word -> !word.isEmpty())
                    .toArray();
            Command.Result help =
                    Command.of(checkout.resolve("phasewise")).and(words).run(Duration.ofMinutes(1));

            assertThat(help.output()).contains("Usage: ").doesNotContain("Building");
            assertThat(help.exitCode()).isZero();
        });
    }

    @Test
    void everyMetricAndSeriesThatADocumentNamesExists() {
        Set<String> known = new TreeSet<>();
        for (String page : List.of("canary-metrics.md", "broker-metrics.md", "client-metrics.md")) {
            for (MatchResult metric :
                    DOCUMENTED.matcher(reference(page)).results().toList()) {
                known.add(metric.group(1));
                if (metric.group(2).matches(".*histogram|summary")) {
                    Stream.of("_bucket", "_count", "_sum").forEach(end -> known.add(metric.group(1) + end));
                }
            }
        }
        known.addAll(Repository.found(RECORDED, reference("recorded-series.md")));

        assertThat(known).hasSizeGreaterThan(250);
        assertNamed(NAME, name -> {
            String metric = name.group(1);
            boolean isPrefix = name.group(2) != null || metric.endsWith("_");
            return known.contains(metric)
                    || OTHERS.matcher(metric).matches()
                    || isPrefix && known.stream().anyMatch(it -> it.startsWith(metric));
        });
    }

    /** A word that ends as names of alerts do counts as one. */
    @Test
    void everyAlertThatADocumentNamesExists() {
        Set<String> alerts = Repository.found(ALERT, reference("alerts.md"));
        Set<String> ends = alerts.stream().map(DocumentsTest::lastWord).collect(Collectors.toSet());
        Set<String> classes = Repository.files("", ".java").stream()
                .map(file -> file.getFileName().toString().replace(".java", ""))
                .collect(Collectors.toSet());

        assertThat(alerts).hasSizeGreaterThan(30);
        assertNamed(
                CAMEL_CASE,
                word -> alerts.contains(word.group())
                        || !ends.contains(lastWord(word.group()))
                        || classes.contains(word.group())
                        || NO_ALERTS.contains(word.group()));
    }

    /**
     * Keys of the canary's and the exporter's configuration; a document may leave out the beginning
     * of a key.
     */
    @Test
    void everyKeyThatADocumentNamesExists() {
        Set<String> known = new TreeSet<>();
        for (String page : List.of("canary-configuration.md", "exporter-configuration.md")) {
            String section = "";
            for (MatchResult line :
                    SECTION_OR_KEY.matcher(reference(page)).results().toList()) {
                if (line.group(1) == null) {
                    known.add("." + section + "." + line.group(2) + ".");
                } else {
                    section = line.group(1);
                }
            }
        }

        assertThat(known).hasSizeGreaterThan(90);
        assertNamed(KEY, key -> known.stream().anyMatch(it -> it.contains("." + key.group(1) + ".")));
    }

    private static String lastWord(String name) {
        return name.replaceFirst(".*(?=[A-Z][a-z0-9]*$)", "");
    }

    @Test
    void everyCommandThatADocumentNamesExistsWithItsOptions() {
        String page = reference("commands.md");
        Set<String> commands = Repository.found(COMMAND, page);

        assertThat(commands).hasSizeGreaterThan(25);
        assertNamed(CALL, call -> {
            String command = call.group(1) == null ? call.group(2) : call.group(1);
            String rest = call.group(3) == null ? "" : call.group(3).split(" -- ")[0];
            for (String word : rest.strip().split("\\s+")) {
                String whole = command + " ";
                boolean hasMore = commands.stream().anyMatch(it -> it.startsWith(whole));
                if (hasMore && word.matches("[a-z][a-z-]*")) {
                    command = whole + word;
                }
            }
            return commands.contains(command)
                    && OPTION.matcher(rest)
                            .results()
                            .map(MatchResult::group)
                            .allMatch(section(page, command)::contains);
        });
    }

    private static String section(String page, String command) {
        Matcher heading = Pattern.compile("(?m)^##+ " + command + "$").matcher(page);
        assertThat(heading.find()).as(command).isTrue();
        int end = page.indexOf("\n##", heading.end());
        return page.substring(heading.end(), end < 0 ? page.length() : end);
    }

    private String reference(String page) {
        return pages.get(REFERENCE + page);
    }

    /** All matches in documents about the present. */
    private void assertNamed(Pattern pattern, Predicate<MatchResult> exists) {
        List<String> strangers = new ArrayList<>();
        pages.forEach((page, text) -> {
            if (!PAST.matcher(page).matches()) {
                pattern.matcher(text)
                        .results()
                        .filter(exists.negate())
                        .forEach(match -> strangers.add(page + ": " + match.group()));
            }
        });

        assertThat(strangers).isEmpty();
    }
}
