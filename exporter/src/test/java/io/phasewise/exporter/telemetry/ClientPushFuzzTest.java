/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each seed as it is and changed at random; the search for a push that breaks something is {@link
 * FuzzIT}'s.
 */
class ClientPushFuzzTest {
    private static final int CHANGED = 100;

    static Stream<Arguments> seeds() {
        return PushSeeds.all().entrySet().stream().map(seed -> Arguments.of(seed.getKey(), seed.getValue()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("seeds")
    void nothingBreaksIt(String name, byte[] push) {
        ClientPushFuzz.fuzzerTestOneInput(push);
        Random random = new Random(1);
        for (int i = 0; i < CHANGED; i++) {
            ClientPushFuzz.fuzzerTestOneInput(changed(push, random));
        }
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
