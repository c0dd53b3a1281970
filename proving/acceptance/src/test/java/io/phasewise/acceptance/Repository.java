/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The files of the repository for tests: their names, texts and YAML. */
final class Repository {
    static final Path ROOT = Path.of(System.getProperty("phasewise.root"));

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Directories of generated or foreign files. */
    private static final Pattern NOT_OURS = Pattern.compile("target|node_modules|\\..*");

    private Repository() {}

    static Path path(String path) {
        return ROOT.resolve(path);
    }

    static String name(Path file) {
        return ROOT.relativize(file).toString();
    }

    static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String text(String path) {
        return text(path(path));
    }

    /** All files below a directory whose names have this ending, sorted; at least one. */
    static List<Path> files(String directory, String suffix) {
        Path top = path(directory);
        try (Stream<Path> files = Files.walk(top)) {
            List<Path> found = files.filter(file -> file.toString().endsWith(suffix))
                    .filter(Files::isRegularFile)
                    .filter(Repository::isOurs)
                    .sorted()
                    .toList();
            assertThat(found).as("%s in %s", suffix, top).isNotEmpty();
            return found;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isOurs(Path file) {
        return StreamSupport.stream(ROOT.relativize(file).spliterator(), false)
                .noneMatch(part -> NOT_OURS.matcher(part.toString()).matches());
    }

    /** The first group of every place that matches. */
    static SortedSet<String> found(String pattern, String text) {
        return groups(pattern, text).collect(Collectors.toCollection(TreeSet::new));
    }

    /** The first group of the first place that matches. */
    static String first(String pattern, String text) {
        return groups(pattern, text)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + pattern + " in:\n" + text));
    }

    private static Stream<String> groups(String pattern, String text) {
        return Pattern.compile(pattern).matcher(text).results().map(match -> match.group(1));
    }

    /** A file's only document, with anchors and merge keys resolved. */
    static JsonNode yaml(String path) {
        return documents(text(path)).get(0);
    }

    /** The documents of a text in YAML. */
    static List<JsonNode> documents(String yaml) {
        LoaderOptions options = new LoaderOptions();
        // The many tests of rules may share expectations by aliases.
        options.setMaxAliasesForCollections(1000);
        return StreamSupport.stream(
                        new Yaml(new SafeConstructor(options)).loadAll(yaml).spliterator(), false)
                .map(document -> JSON.<JsonNode>valueToTree(document))
                .toList();
    }
}
