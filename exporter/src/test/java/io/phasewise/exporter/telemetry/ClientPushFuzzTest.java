/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The pushes that once broke something, and the seeds, each as it is and changed at random; the
 * search for new ones is {@link FuzzIT}'s.
 */
class ClientPushFuzzTest {
    static final Path CORPUS = Path.of("src/test/fuzz/push");

    private static final int CHANGED = 100;

    static List<Path> corpus() throws IOException {
        try (Stream<Path> files = Files.list(CORPUS)) {
            return files.sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("corpus")
    void nothingBreaksIt(Path file) throws IOException {
        byte[] push = Files.readAllBytes(file);

        ClientPushFuzz.fuzzerTestOneInput(push);
        Random random = new Random(1);
        for (int i = 0; i < CHANGED; i++) {
            ClientPushFuzz.fuzzerTestOneInput(changed(push, random));
        }
    }

    /** With -Dphasewise.write-seeds=true they are written instead. */
    @Test
    void theSeedsAreThoseOfTheCode() throws IOException {
        Map<String, byte[]> seeds = PushSeeds.all();
        if (Boolean.getBoolean("phasewise.write-seeds")) {
            for (Map.Entry<String, byte[]> seed : seeds.entrySet()) {
                Files.write(CORPUS.resolve("seed-" + seed.getKey()), seed.getValue());
            }
        }
        List<String> committed = new ArrayList<>();
        for (Path file : corpus()) {
            String name = file.getFileName().toString();
            if (name.startsWith("seed-")) {
                committed.add(name.substring("seed-".length()));
                assertThat(Files.readAllBytes(file))
                        .as(name)
                        .isEqualTo(seeds.get(name.substring("seed-".length())));
            }
        }
        assertThat(committed).containsExactlyElementsOf(seeds.keySet());
    }

    /** A few bytes replaced, and cut or followed by a part of itself. */
    private static byte[] changed(byte[] push, Random random) {
        byte[] copy = Arrays.copyOf(push, Math.max(0, push.length + random.nextInt(33) - 16));
        for (int i = push.length; i < copy.length && push.length > 0; i++) {
            copy[i] = push[random.nextInt(push.length)];
        }
        for (int i = random.nextInt(4); i > 0 && copy.length > 0; i--) {
            copy[random.nextInt(copy.length)] = (byte) random.nextInt(256);
        }
        return copy;
    }
}
