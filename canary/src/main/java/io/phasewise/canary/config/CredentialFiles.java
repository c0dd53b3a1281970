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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The files that a cluster's Kafka clients read their certificates, keys, passwords and tokens
 * from: named by a property, or by a reference of one of Kafka's own configuration providers,
 * {@code ${file:PATH:KEY}} or {@code ${dir:PATH:KEY}}. Kafka reads them when a client is made and
 * never again; making new clients when they change is left to others.
 */
public final class CredentialFiles {
    private static final Pattern REFERENCE = Pattern.compile("\\$\\{(file|dir):([^:}]+):([^}]*)}");

    private final Set<Path> files;

    private CredentialFiles(Set<Path> files) {
        this.files = files;
    }

    /** Those of all clients of a cluster. */
    public static CredentialFiles of(KafkaConfig kafka) {
        Set<Path> files = new TreeSet<>();
        Stream.of(kafka.client(), kafka.producer(), kafka.consumer(), kafka.admin())
                .flatMap(properties -> properties.entrySet().stream())
                .flatMap(property -> named(property.getKey(), property.getValue()).stream())
                .forEach(
                        name -> {
                            try {
                                files.add(Path.of(name));
                            } catch (InvalidPathException e) {
                                // The client that is to read it says so.
                            }
                        });
        return new CredentialFiles(files);
    }

    private static Collection<String> named(String property, String value) {
        Set<String> names = new TreeSet<>();
        boolean location =
                property.endsWith("store.location")
                        || property.startsWith("sasl.oauthbearer.") && property.endsWith(".file");
        if (location) {
            names.add(value);
        }
        Matcher reference = REFERENCE.matcher(value);
        while (reference.find()) {
            boolean directory = reference.group(1).equals("dir");
            names.add(reference.group(2) + (directory ? "/" + reference.group(3) : ""));
        }
        return names;
    }

    /** Whether there are none, so that nothing can change. */
    public boolean isEmpty() {
        return files.isEmpty();
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
