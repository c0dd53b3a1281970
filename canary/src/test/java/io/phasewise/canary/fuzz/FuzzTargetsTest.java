/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.fuzz;

import io.phasewise.canary.probe.ProbeCodec;
import io.phasewise.canary.probe.ProbeContent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * What the fuzz targets start from, each as it is and changed at random; the search for what breaks
 * them is {@link FuzzIT}'s.
 */
class FuzzTargetsTest {
    private static final int CHANGED = 100;

    /** Sound input of a target. */
    static List<byte[]> seeds(Class<?> target) throws IOException {
        if (target == ConfigurationFuzz.class) {
            return List.of(
                    Files.readAllBytes(Path.of("config/canary.yml")),
                    Files.readAllBytes(Path.of("../deploy/canary/canary.yml")));
        }
        return List.of(
                new ProbeCodec(ProbeRecordFuzz.INSTANCE, ProbeContent.plain(ProbeCodec.HEADER_SIZE)).encode(0, 0, 1));
    }

    @Test
    void noRecordBreaksItsReader() throws IOException {
        trySeeds(ProbeRecordFuzz.class, ProbeRecordFuzz::fuzzerTestOneInput);
    }

    @Test
    void noConfigurationBreaksItsReader() throws IOException {
        trySeeds(ConfigurationFuzz.class, ConfigurationFuzz::fuzzerTestOneInput);
    }

    private static void trySeeds(Class<?> target, Consumer<byte[]> attempt) throws IOException {
        for (byte[] seed : seeds(target)) {
            attempt.accept(seed);
            Random random = new Random(1);
            for (int i = 0; i < CHANGED; i++) {
                attempt.accept(changed(seed, random));
            }
        }
    }

    /** A few bytes replaced, and perhaps cut. */
    private static byte[] changed(byte[] seed, Random random) {
        byte[] copy = Arrays.copyOf(seed, random.nextBoolean() ? seed.length : random.nextInt(seed.length));
        for (int i = random.nextInt(4); i > 0 && copy.length > 0; i--) {
            copy[random.nextInt(copy.length)] = (byte) random.nextInt(256);
        }
        return copy;
    }
}
