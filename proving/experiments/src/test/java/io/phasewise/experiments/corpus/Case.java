/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.corpus;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import io.phasewise.common.phase.Role;
import io.phasewise.experiments.cluster.ClusterSpec;
import io.phasewise.experiments.declared.Allowed;
import io.phasewise.experiments.declared.Declaration;
import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.fault.kinds.FaultKinds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A case of the corpus: what is broken, and who must be named, declared before it is recorded. Its file of YAML stands
 * beside its recording.
 *
 * @param name of the files, without their endings
 * @param about what is broken, in one sentence
 * @param given faults in force before, during and after it
 * @param faults that are begun, in this order; none where all stays well
 * @param holds for how long they stay
 * @param layout of the cluster
 * @param settings of the canary, below its cluster
 * @param named one of these must be named; absent: a placebo, nobody may be
 * @param besides who may be named, too, as probes wait for them in truth
 */
record Case(
        String name,
        String about,
        @FaultKinds List<Fault> given,

        @FaultKinds @JsonProperty("fault") List<Fault> faults,

        Duration holds,
        ClusterSpec layout,
        JsonNode settings,
        List<String> named,
        List<String> besides) {
    private static final String YAML = ".yml";

    /**
     * Drawn to judge, but a rule was made by them. So they judge nothing: stuck-answers led to the end of a path that
     * stays named, cold-reads to the wait for what is reported late, slow-disk-milder to the appends that delay a commit.
     */
    private static final Set<String> FITTED = Set.of("stuck-answers", "cold-reads", "slow-disk-milder");

    Case {
        Allowed.require(about != null, "about", about, "a sentence");
        given = given == null ? List.of() : List.copyOf(given);
        faults = faults == null ? List.of() : List.copyOf(faults);
        named = named == null ? List.of() : List.copyOf(named);
        besides = besides == null ? List.of() : List.copyOf(besides);
        layout = layout == null ? ClusterSpec.PLAIN : layout;
        Allowed.upTo("holds", holds, Duration.ofMinutes(3));
        Stream.concat(named.stream(), besides.stream()).forEach(Case::check);
    }

    private static void check(String who) {
        String role = who.substring(who.indexOf(' ') + 1);
        boolean known = Stream.of(Role.values()).anyMatch(each -> label(each).equals(role));
        Allowed.require(known && who.matches("(\\d+|none) \\w+"), "named", who, "as in 2 disk, or none client");
    }

    /** As roles are written here. */
    static String label(Role role) {
        return role.name().toLowerCase(Locale.ROOT);
    }

    boolean isPlacebo() {
        return named.isEmpty();
    }

    /** Whether thresholds may be fitted on it, or a rule was; the others are for judging them. */
    boolean isForFitting() {
        return !isDrawnForJudging() || FITTED.contains(name);
    }

    /** Whether it is in the half that is drawn for judging, by the hash of its name. */
    boolean isDrawnForJudging() {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
            return (hash[0] & 1) != 0;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    Path recording(Path directory) {
        return directory.resolve(name + ".gz");
    }

    /** All cases of a directory, by name. */
    static List<Case> all(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(YAML))
                    .sorted()
                    .map(Case::read)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Case read(Path file) {
        try {
            String name = file.getFileName().toString().replace(YAML, "");
            Case read = Declaration.read(file.toString(), Files.readString(file), Case.class);
            return new Case(
                    name,
                    read.about,
                    read.given,
                    read.faults,
                    read.holds,
                    read.layout,
                    read.settings,
                    read.named,
                    read.besides);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
