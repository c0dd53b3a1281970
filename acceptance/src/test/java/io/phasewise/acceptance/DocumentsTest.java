/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Pages lead where they say, the first one stays short, and metrics that exist are documented. */
class DocumentsTest {
    private static final Path ROOT = Path.of(System.getProperty("phasewise.root"));
    private static final int README_WORDS = 700;
    private static final Set<String> NOT_OURS = Set.of("target", "node_modules", ".git");

    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.+)$");
    private static final Pattern CODE = Pattern.compile("(?ms)^( *)```.*?^ *```");
    private static final Pattern METRIC = Pattern.compile("\"(kafka_canary_[a-z_]+)\"");

    private static final int SENTENCE_WORDS = 35;

    /** What is written for reference, or was measured once, keeps the sentences that it needs. */
    private static final List<String> NOT_PROSE =
            List.of(
                    "CHANGELOG.md",
                    "docs/evidence/",
                    "docs/explanation/statistics.md",
                    "docs/how-to/capacity-review.md",
                    "docs/reference/review-sources.md");

    private static final Pattern NO_SENTENCES = Pattern.compile("(?m)^ *(?:\\||#|<!--).*$");
    private static final Pattern PARAGRAPH = Pattern.compile("\\n\\s*\\n|\\n *(?:-|\\d+\\.) ");
    private static final Pattern SENTENCE = Pattern.compile("(?<=[.!?:])\\s+");
    private static final Pattern DIALECT =
            Pattern.compile(
                    "\\b(by way of|stands? still|stood still|told apart|of late|lest|in"
                            + " vain)\\b");

    private static List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT, 6)) {
            return files.filter(file -> file.toString().endsWith(".md"))
                    .filter(
                            file -> {
                                for (Path part : ROOT.relativize(file)) {
                                    if (NOT_OURS.contains(part.toString())
                                            || part.toString().startsWith(".")) {
                                        return false;
                                    }
                                }
                                return true;
                            })
                    .toList();
        }
    }

    @Test
    void theReadmeStaysShort() throws IOException {
        String readme = Files.readString(ROOT.resolve("README.md"));

        assertThat(readme.strip().split("\\s+")).hasSizeLessThanOrEqualTo(README_WORDS);
    }

    @Test
    void everyLinkLeadsToAFileAndItsHeading() throws IOException {
        List<String> broken = new ArrayList<>();
        int links = 0;
        for (Path page : pages()) {
            Matcher link = LINK.matcher(CODE.matcher(Files.readString(page)).replaceAll(""));
            while (link.find()) {
                String address = link.group(1);
                if (address.matches("[a-z]+:.*")) {
                    continue;
                }
                links++;
                String[] parts = address.split("#", 2);
                Path target = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
                if (!Files.exists(target)
                        || parts.length == 2
                                && target.toString().endsWith(".md")
                                && !headings(target).contains(parts[1])) {
                    broken.add(ROOT.relativize(page) + ": " + address);
                }
            }
        }

        assertThat(links).isGreaterThan(250);
        assertThat(broken).isEmpty();
    }

    @Test
    void sentencesAreShortAndPlain() throws IOException {
        List<String> faults = new ArrayList<>();
        for (Path page : pages()) {
            String name = ROOT.relativize(page).toString();
            if (NOT_PROSE.stream().anyMatch(name::startsWith)) {
                continue;
            }
            String prose = CODE.matcher(Files.readString(page)).replaceAll("");
            prose = LINK.matcher(NO_SENTENCES.matcher(prose).replaceAll("")).replaceAll("]");
            for (String paragraph : PARAGRAPH.split(prose)) {
                for (String sentence : SENTENCE.split(paragraph.strip())) {
                    if (sentence.split("\\s+").length > SENTENCE_WORDS
                            || DIALECT.matcher(sentence).find()) {
                        faults.add(name + ": " + sentence);
                    }
                }
            }
        }

        assertThat(faults)
                .as("more than %s words, or not the field's words", SENTENCE_WORDS)
                .isEmpty();
    }

    /** As forges make them of headings: lower case, hyphens for blanks, nothing but words. */
    private static Set<String> headings(Path page) throws IOException {
        String text = CODE.matcher(Files.readString(page)).replaceAll("");
        Set<String> all = new TreeSet<>();
        Matcher heading = HEADING.matcher(text);
        while (heading.find()) {
            String words =
                    heading.group(1)
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

    @Test
    void everyMetricOfTheCanaryIsDocumented() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/canary-metrics.md"));
        Set<String> names = new TreeSet<>();
        try (Stream<Path> sources = Files.walk(ROOT.resolve("canary/src/main/java"))) {
            for (Path source : sources.filter(file -> file.toString().endsWith(".java")).toList()) {
                METRIC.matcher(Files.readString(source))
                        .results()
                        .forEach(found -> names.add(found.group(1)));
            }
        }

        assertThat(names).hasSizeGreaterThan(30);
        assertThat(
                        names.stream()
                                .filter(name -> !page.contains("`" + name))
                                .collect(Collectors.toList()))
                .isEmpty();
    }
}
