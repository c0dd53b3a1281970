/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Where things are, and what may depend on what: the product does not depend on tools, lab and
 * proving, and nothing that a user builds or runs depends on proving. Tests may use anything.
 * PackagesTest of each module checks its packages.
 */
class HouseTest {
    private static final Set<String> FILES = Set.of(
            "README.md",
            "CHANGELOG.md",
            "CONTRIBUTING.md",
            "LICENSE",
            "SECURITY.md",
            "docker-compose.yml",
            "phasewise",
            "mvnw",
            "pom.xml");

    private static final Set<String> PRODUCT =
            Set.of("canary", "exporter", "dashboards", "prometheus", "alerting", "common");

    private static final Set<String> OTHERS = Set.of("tools", "deploy", "lab", "proving", "docs");

    /** The names of each directory's modules, in packages and in artifacts. */
    private static final Map<String, String> MODULES =
            Map.of("tools", "tools|ops|report", "lab", "lab", "proving", "experiments|bench|acceptance");

    private static final Pattern TEST = Pattern.compile("/src/test/|_test\\.go$|^prometheus/tests/");
    private static final Pattern DEPENDENCY = Pattern.compile("(?s)<dependency>.*?</dependency>");
    private static final Pattern ARTIFACT = Pattern.compile("<artifactId>(phasewise-[a-z]+)</artifactId>");

    /** Whoever opens the repository sees all entries without scrolling. */
    @Test
    void theTopLevelHasTwentyEntries() {
        Set<String> top = Command.of("git", "ls-files")
                .output(Duration.ofMinutes(1))
                .lines()
                .map(file -> file.split("/")[0])
                .filter(name -> !name.startsWith("."))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(top)
                .containsExactlyInAnyOrderElementsOf(
                        Stream.of(FILES, PRODUCT, OTHERS).flatMap(Set::stream).toList())
                .hasSizeLessThanOrEqualTo(20);
    }

    @Test
    void theProductKnowsNothingOfToolsLabAndProving() {
        assertThat(PRODUCT.stream().flatMap(each -> sources(each).stream()))
                .hasSizeGreaterThan(500)
                .allSatisfy(file -> assertThat(known(file, "tools", "lab", "proving"))
                        .as(Repository.name(file))
                        .isEmpty());
    }

    @Test
    void toolsAndLabKnowNothingOfEachOtherAndWhatShipsNothingOfProving() {
        assertThat(sources("tools"))
                .allSatisfy(file -> assertThat(known(file, "lab", "proving"))
                        .as(Repository.name(file))
                        .isEmpty());
        assertThat(sources("lab"))
                .allSatisfy(file -> assertThat(known(file, "tools", "proving"))
                        .as(Repository.name(file))
                        .isEmpty());
        assertThat(sources("deploy"))
                .allSatisfy(file -> assertThat(known(file, "proving"))
                        .as(Repository.name(file))
                        .isEmpty());
    }

    /**
     * Every package has a package-info. A package that two modules share (bench has two of the
     * exporter's) has one.
     */
    @Test
    void everyPackageSaysWhatItDoes() {
        Pattern place = Pattern.compile("src/main/java/(io/phasewise/.+)/[^/]+$");
        Set<String> packages = new TreeSet<>();
        Set<String> told = new TreeSet<>();
        for (Path file : Repository.files("", ".java")) {
            place.matcher(Repository.name(file)).results().forEach(each -> {
                packages.add(each.group(1));
                if (file.endsWith("package-info.java")) {
                    told.add(each.group(1));
                }
            });
        }

        assertThat(told).hasSizeGreaterThan(80).isEqualTo(packages);
    }

    private static List<Path> sources(String directory) {
        return Repository.files(directory, "").stream()
                .filter(file -> !TEST.matcher(Repository.name(file)).find())
                .toList();
    }

    /**
     * What a file uses of these directories: paths, packages, and artifacts that are not only for
     * tests.
     */
    private static List<String> known(Path file, String... directories) {
        String modules = Stream.of(directories).map(MODULES::get).collect(Collectors.joining("|"));
        Pattern names = Pattern.compile("(?:(?<![\\w./-])|(?<![\\w-])\\.{1,2}/|\\$\\{?\\w+}?/)(?:"
                + String.join("|", directories) + ")/"
                + "|\\bio\\.phasewise\\.(?:" + modules + ")\\b"
                + "|<artifactId>phasewise-(?:" + modules + ")<");
        return names.matcher(withoutTests(text(file)))
                .results()
                .map(MatchResult::group)
                .toList();
    }

    private static String withoutTests(String pom) {
        return DEPENDENCY.matcher(pom).replaceAll(each -> each.group().contains("<scope>test</scope>") ? "" : "$0");
    }

    /** The text of a file, also of a picture. */
    private static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** {@code test}, {@code lab} and {@code bench} add what they need themselves. */
    @Test
    void theLauncherBuildsUpAndTheReportWithoutProving() {
        SortedSet<String> lists = Repository.found("(?m)^ *modules=(\\S+)$", Repository.text("phasewise"));

        assertThat(lists).hasSize(2).noneMatch(list -> list.contains("proving"));
        assertThat(lists).anySatisfy(up -> assertThat(up).contains("canary", "exporter", "lab"));
    }

    @Test
    void theBuildDoesWithoutProving() {
        String[] parts = Repository.text("pom.xml").split("<profiles>");
        String module = "<module>(.+)</module>";

        assertThat(Repository.found(module, parts[0])).hasSizeGreaterThan(8).noneMatch(it -> it.startsWith("proving"));
        assertThat(Repository.found(module, parts[1]))
                .isEqualTo(Repository.files("proving", "pom.xml").stream()
                        .map(pom -> Repository.name(pom.getParent()))
                        .collect(Collectors.toCollection(TreeSet::new)));
    }

    /** Docker sees nothing that {@code .dockerignore} does not let through. */
    @ParameterizedTest
    @ValueSource(strings = {"canary", "exporter", "lab"})
    void anImageIsBuiltFromEveryModuleThatIsInIt(String image) {
        Map<String, String> poms = new TreeMap<>();
        for (Path pom : Repository.files("", "pom.xml")) {
            String own = Repository.text(pom).replaceFirst("(?s)<parent>.*?</parent>", "");
            poms.put(Repository.first("<artifactId>(.+?)</artifactId>", own), Repository.name(pom.getParent()));
        }
        Set<String> needed = new TreeSet<>();
        List<String> open = new ArrayList<>(List.of(image));
        while (!open.isEmpty()) {
            String directory = open.remove(0);
            if (needed.add(directory)) {
                DEPENDENCY
                        .matcher(withoutTests(Repository.text(directory + "/pom.xml")))
                        .results()
                        .flatMap(each -> ARTIFACT.matcher(each.group()).results())
                        .forEach(each -> open.add(poms.get(each.group(1))));
            }
        }

        assertThat(needed).contains("common");
        assertThat(Repository.text(".dockerignore").lines())
                .containsAll(
                        needed.stream().map(each -> "!" + each + "/src/main").toList());
    }
}
