/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import io.phasewise.common.file.Fingerprints;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The files that a cluster's Kafka clients read their certificates, keys, passwords and tokens
 * from: named by a property, or by a reference of one of Kafka's own configuration providers,
 * {@code ${file:PATH:KEY}} or {@code ${dir:PATH:KEY}}. Kafka reads them when a client is made and
 * never again; making new clients when they change is left to others.
 *
 * @param files which may be missing
 */
public record CredentialFiles(Set<Path> files) {
    private static final Pattern LOCATION = Pattern.compile(".*store\\.location|sasl\\.oauthbearer\\..*\\.file");
    private static final Pattern REFERENCE = Pattern.compile("\\$\\{(file|dir):([^:}]+):([^}]*)}");

    /** The files of all clients of a cluster. */
    public static CredentialFiles of(Collection<KafkaConfig> profiles) {
        Set<Path> files = new TreeSet<>();
        profiles.stream()
                .flatMap(k -> Stream.of(k.client(), k.producer(), k.consumer(), k.admin()))
                .flatMap(properties -> properties.entrySet().stream())
                .flatMap(property -> named(property.getKey(), property.getValue()))
                .forEach(name -> {
                    try {
                        files.add(Path.of(name));
                    } catch (InvalidPathException e) {
                        // The client that should read it says so.
                    }
                });
        return new CredentialFiles(files);
    }

    private static Stream<String> named(String property, String value) {
        return Stream.concat(
                Stream.of(value).filter(whole -> LOCATION.matcher(property).matches()),
                REFERENCE.matcher(value).results().map(CredentialFiles::file));
    }

    private static String file(MatchResult reference) {
        boolean directory = reference.group(1).equals("dir");
        return reference.group(2) + (directory ? "/" + reference.group(3) : "");
    }

    /**
     * What is in the files now, as hashes: nothing of a secret is kept.
     *
     * @return equal to an earlier answer as long as no content has changed; a file that cannot be
     *     read counts as empty
     */
    public Map<Path, String> fingerprint() {
        return Fingerprints.of(files);
    }

    /** Which files differ between two answers of {@link #fingerprint}. */
    public static List<Path> changed(Map<Path, String> before, Map<Path, String> now) {
        return now.keySet().stream()
                .filter(file -> !now.get(file).equals(before.get(file)))
                .toList();
    }
}
